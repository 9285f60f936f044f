/**
 * **Target**: where a result goes: a workspace folder if one is open, a folder in it, a name, and what it replaces or
 * is fitted to. It's fixed with the order; a file that it replaces takes it along when it's renamed. Before anything is
 * paid, the user has chosen the folder, and it has proven to be writable. `files/sink.ts` brings the result there.
 * The form, Quick Render, links, render files, and agents aim with it; `renders/orders.ts` has it decided and proven.
 */

import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import type { JsonObject } from '../../base/json';
import { formatSize } from '../../base/numbers';
import { escapeForIcons, plain } from '../../base/plain';
import { type Model, promptOf } from '../../catalog/fields';
import { documentFolder, readUpTo, targetFile } from '../../editor/workspaceFiles';
import { exists } from '../../editor/exists';
import { contextKeys } from '../../editor/ids';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { impossibleSentence } from '../../editor/words';
import { calendar } from '../../files/calendar';
import { fileNameOf, firstFree, isSafeName, pathThere, safeName } from '../../files/names';
import { safeFolder } from '../../files/folder';
import { fileKey, hashed } from '../../files/sameFile';
import { FileProblem } from '../../files/problem';
import { largestReplaced } from '../../files/replacement';
import { kindOfEnding } from '../../files/sniff';
import { checkTemplate, fillTemplate, previewName } from '../../files/template';
import type { Ledger } from '../../renders/ledger';
import { besides, type Order, type Target } from '../../renders/record';
import { setContext } from '../account/contextKeys';
import { FreeNames } from './model/freeNames';
import type { LastFolder } from './model/lastFolder';

/** Chooses where results go: from the settings, the open folders, and the user's choice. */
export class Targets {
  private readonly calendar = calendar();
  private picking: Promise<vscode.WorkspaceFolder | undefined> | undefined;
  private readonly free: FreeNames;

  /** `freeName` may be another. */
  readonly onDidChangeNames: vscode.Event<void>;

  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
    private readonly lastFolder: LastFolder,
    /** Rejects with FileProblem when a result couldn't be saved there. */
    private readonly reachable: (target: Target) => Promise<void>,
  ) {
    const names = async (folder: string) =>
      (await filesIn(vscode.Uri.parse(folder, true))).map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    this.free = new FreeNames(names, systemClock, log);
    this.onDidChangeNames = this.free.onDidChange;
  }

  /**
   * The current target: in the active editor's folder, or the only one, or the one chosen last of several. Has no root
   * when no folder is open, or when none of several is any of these: `decide` asks then.
   */
  default(): Target {
    return this.in(activeFolder() ?? this.chosenFolder());
  }

  /** The same where it's shown beforehand, with a way to change it: the first of several then needs no question. */
  shown(): Target {
    return this.in(activeFolder() ?? this.chosenFolder() ?? openFolders()[0]);
  }

  /** The target with a root; asks for the folder when several are open. Undefined when the user canceled. */
  async decide(target: Target): Promise<Target | undefined> {
    if (target.root !== undefined || openFolders().length === 0) return target;
    // Two pickers would close each other: concurrent callers share the answer.
    this.picking ??= this.pick().finally(() => (this.picking = undefined));
    const folder = await this.picking;
    return folder && { ...target, root: folder.uri.toString() };
  }

  private async pick(): Promise<vscode.WorkspaceFolder | undefined> {
    const folder = await vscode.window.showWorkspaceFolderPick({
      placeHolder: vscode.l10n.t('Select a folder for the result'),
    });
    if (folder) await this.lastFolder.keep(folder.uri.toString());
    return folder;
  }

  /**
   * Lets the user pick a folder inside the open ones; of several, that of the active file comes first. Undefined when
   * they canceled.
   */
  async choose(current: Target): Promise<Target | undefined> {
    const several = openFolders().length > 1;
    const picked = several ? await this.chooseAmong(current) : 'other';
    const target = picked === 'other' ? await this.browse(current) : picked;
    if (several && target?.root !== undefined) await this.lastFolder.keep(target.root);
    return target;
  }

  /** The results' folders of the open folders, and a way to others. */
  private async chooseAmong(current: Target): Promise<Target | 'other' | undefined> {
    const active = activeFolder();
    const folders = [...(active ? [active] : []), ...openFolders().filter((folder) => folder !== active)];
    const rows = folders.map((folder) => {
      const target = { ...current, root: folder.uri.toString(), folder: this.settings.outputFolder(folder.uri) };
      return { label: escapeForIcons(folderWords(target) ?? ''), target };
    });
    const other = { label: vscode.l10n.t('Other Folder…'), target: 'other' as const };
    const title = vscode.l10n.t('Select Folder for Results');
    const chosen = await vscode.window.showQuickPick<{ label: string; target: Target | 'other' }>([...rows, other], {
      title,
    });
    if (typeof chosen?.target === 'object') this.check(chosen.target);
    return chosen?.target;
  }

  private async browse(current: Target): Promise<Target | undefined> {
    const start = uriOf(current);
    const chosen = await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: start && ((await exists(start)) ? start : vscode.Uri.parse(current.root ?? '')),
      openLabel: vscode.l10n.t('Save Results Here'),
      title: vscode.l10n.t('Select Folder for Results'),
    });
    const uri = chosen?.[0];
    return uri && this.inside(uri, current);
  }

  /**
   * A folder of the Explorer, with the file name from its settings. Throws UserError when nothing can be saved in it.
   */
  at(uri: vscode.Uri): Target {
    return this.inside(uri, this.in(vscode.workspace.getWorkspaceFolder(uri)));
  }

  /**
   * The file with this URI, which a document may name before it exists. Throws UserError when nothing can be saved
   * there: it's outside the open folders, or its name isn't valid on every system.
   */
  file(uri: vscode.Uri): Target {
    const [, fileName = '', ending = ''] = /([^/]*)\.([^./]+)$/.exec(uri.path) ?? [];
    if (!isSafeName(fileName)) {
      throw new UserError(
        vscode.l10n.t(
          '“{0}” isn’t a valid file name on every system. Use letters, digits, dashes, and a file extension.',
          plain(uri.path.slice(uri.path.lastIndexOf('/') + 1)),
        ),
      );
    }
    return { ...this.at(vscode.Uri.joinPath(uri, '..')), fileName, ending };
  }

  /**
   * An image that is to be rendered again: the result is staged, to be compared with the current file. Saved in its
   * folder if there is no such image. Rejects with UserError as `at`, and when the image is too large to be replaced.
   */
  async replacing(uri: vscode.Uri): Promise<Target> {
    const beside = this.at(vscode.Uri.joinPath(uri, '..'));
    const [, base = '', ending = ''] = /([^/]*)\.([^./]+)$/.exec(uri.path) ?? [];
    if (!isImage(ending)) return beside;
    const bytes = await readUpTo(uri, largestReplaced, this.log);
    if (!bytes && (await exists(uri)))
      throw new UserError(
        vscode.l10n.t(
          '“{0}” is larger than {1}, which is too large to replace. Rename or move it, then try again.',
          plain(fileNameOf(uri.toString()), 60),
          formatSize(largestReplaced, vscode.env.language),
        ),
      );
    if (!bytes) return beside;
    const { sha256 } = await hashed(bytes, systemClock);
    return { ...beside, fileName: safeName(base), replaces: { uri: uri.toString(), sha256 } };
  }

  /** The target of a repeated render. If its file exists and is one that a document names, as `replacing`. */
  async again(target: Target): Promise<Target> {
    const named = target.replaces ? vscode.Uri.parse(target.replaces.uri, true) : await fileThere(target);
    if (!named || !(await exists(named)) || !vscode.workspace.getWorkspaceFolder(named)) return besides(target);
    return { ...(await this.replacing(named)), fit: target.fit };
  }

  /**
   * Whether the target's file is still as the target says: there is none, or it's the one to be replaced. True if that
   * can't be known: its name comes from a template, or it can't be read.
   */
  async isUnchanged(target: Target): Promise<boolean> {
    const { replaces } = target;
    if (!replaces) {
      const named = await fileThere(target);
      return !named || !(await exists(named));
    }
    try {
      const bytes = await readUpTo(vscode.Uri.parse(replaces.uri, true), largestReplaced, this.log);
      return bytes !== undefined && (await hashed(bytes, systemClock)).sha256 === replaces.sha256;
    } catch {
      return true;
    }
  }

  /**
   * The exact file that an order's result would be saved as: the current name from its template, or the first after it
   * that neither exists, in any case, nor is in `promised`. `index` is the one its record would get. The target must
   * have a root.
   */
  async unused(
    { target, modelId, inputs, intent }: Order,
    ending: string,
    index: number,
    promised: readonly vscode.Uri[],
  ): Promise<Target> {
    const facts = { time: Date.now(), modelId, prompt: promptOf(undefined, inputs), id: intent, index };
    const name = fillTemplate(target.fileName, facts, this.calendar);
    const named = (fileName: string) => ({ ...target, fileName, ending });
    const taken = new Set([...promised, ...(await filesIn(uriOf(target)))].map(keyOf));
    const isTaken = (fileName: string) => {
      const file = targetFile(named(fileName));
      return file !== undefined && taken.has(keyOf(file));
    };
    return named(firstFree(name, isTaken));
  }

  /**
   * As `previewName`, but the first after it that is free, by what is known of the folder now; `onDidChangeNames` says
   * when more is. While its extension isn't known, each that the model's kind of results has counts.
   */
  freeName(target: Target, model: Model, inputs: JsonObject): string {
    const name = this.previewName(target, model, inputs);
    const folder = safeUriOf(target);
    // A preview has another number than the result will.
    if (!folder || target.fileName.includes('${index}')) return name;
    return this.free.first(folder.toString(), name, mayGet(target, model));
  }

  /** Tells that a result was saved. */
  saved(): void {
    this.free.renew();
  }

  /** The name that a result would get now, without extension. */
  previewName(target: Target, model: Model, inputs: JsonObject): string {
    if (target.ending !== undefined) return target.fileName;
    // An option isn't a prompt: while none is typed, the name has no subject.
    const prompt = promptOf(model, inputs) === '' ? '' : promptOf(undefined, inputs);
    const facts = { time: Date.now(), modelId: model.id, prompt, index: 1 };
    return previewName(target.fileName, facts, this.calendar);
  }

  /** Throws UserError when nothing can be saved there, before anything is spent. */
  check(target: Target): void {
    const problem = target.ending === undefined ? checkTemplate(target.fileName) : undefined;
    if (problem?.kind === 'unknownVariable') {
      throw new UserError(
        vscode.l10n.t(
          'The file name “{0}” contains {1}, which isn’t a variable. Use ${date}, ${time}, ${model}, ${slug}, ${id}, or ${index}.',
          plain(target.fileName),
          `\${${plain(problem.variable)}}`,
        ),
      );
    }
    if (problem) {
      throw new UserError(
        vscode.l10n.t(
          'The file name “{0}” can’t contain “{1}”. To save in a folder, use the setting modelCatalog.output.folder.',
          plain(target.fileName),
          problem.character,
        ),
      );
    }
    try {
      safeFolder(target.folder);
    } catch {
      // Its message is for the log; the user needs to know which setting to change.
      throw new UserError(
        vscode.l10n.t(
          'Results can’t be saved in “{0}”: it’s outside the workspace folder, starts with a dot, or is in node_modules. Choose another folder, or change modelCatalog.output.folder.',
          plain(target.folder),
        ),
      );
    }
  }

  /**
   * Rejects with UserError when a result couldn't be saved there, by the current state of the disk, before anything is
   * spent.
   */
  async prove(target: Target): Promise<void> {
    try {
      await this.reachable(target);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const place = target.replaces ? fileNameOf(target.replaces.uri) : (folderWords(target) ?? target.folder);
      throw new UserError(impossibleSentence(error, place), { cause: error });
    }
  }

  /** A target in a folder of the Explorer. Throws UserError when it's outside the open folders, or not for results. */
  private inside(uri: vscode.Uri, current: Target): Target {
    const root = vscode.workspace.getWorkspaceFolder(uri);
    if (!root) {
      throw new UserError(
        vscode.l10n.t(
          '“{0}” isn’t in an open folder. Open it first, or choose a folder in the workspace.',
          plain(uri.path),
        ),
      );
    }
    const folder = uri.path.slice(root.uri.path.length).replace(/^\/+|\/+$/g, '');
    const target = { ...current, root: root.uri.toString(), folder };
    this.check(target);
    return target;
  }

  private chosenFolder(): vscode.WorkspaceFolder | undefined {
    const folders = openFolders();
    const last = this.lastFolder.among(folders.map(({ uri }) => uri.toString()));
    return folders.find(({ uri }) => uri.toString() === last);
  }

  private in(folder: vscode.WorkspaceFolder | undefined): Target {
    return {
      root: folder?.uri.toString(),
      folder: this.settings.outputFolder(folder?.uri),
      fileName: this.settings.outputFileName(folder?.uri),
    };
  }
}

/**
 * The target's folder for display: "renders"; with several folders open "project/renders". Undefined when none is open.
 */
export function folderWords(target: Target): string | undefined {
  const folders = openFolders();
  if (folders.length === 0) return undefined;
  const root = folders.length > 1 ? folders.find(({ uri }) => uri.toString() === target.root)?.name : undefined;
  return [root, target.folder].filter(Boolean).join('/');
}

/** False for a target in a workspace folder that isn't open any more. */
export function isOpenTarget({ root }: Target): boolean {
  return root === undefined || openFolders().some(({ uri }) => uri.toString() === root);
}

function openFolders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.workspaceFolders ?? [];
}

function activeFolder(): vscode.WorkspaceFolder | undefined {
  const folders = openFolders();
  const document = vscode.window.activeTextEditor?.document.uri;
  const active = document && documentFolder(document);
  return active ?? (folders.length === 1 ? folders[0] : undefined);
}

function uriOf(target: Target): vscode.Uri | undefined {
  return target.root === undefined ? undefined : vscode.Uri.joinPath(vscode.Uri.parse(target.root), target.folder);
}

/** The same, as results are saved in it; undefined for a folder of the settings in which none can be: see `check`. */
function safeUriOf(target: Target): vscode.Uri | undefined {
  try {
    return uriOf({ ...target, folder: safeFolder(target.folder) });
  } catch {
    return undefined;
  }
}

/** Empty for a missing or unreadable folder. */
async function filesIn(folder: vscode.Uri | undefined): Promise<readonly vscode.Uri[]> {
  if (!folder) return [];
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return entries.map(([name]) => vscode.Uri.joinPath(folder, name));
}

function keyOf(file: vscode.Uri): string {
  return fileKey(file.toString());
}

/** As `targetFile`, in the Unicode form that its folder has: that's where its result is saved. */
async function fileThere(target: Target): Promise<vscode.Uri | undefined> {
  const names = async (folder: string) =>
    (await filesIn(uriOf({ ...target, folder }))).map((uri) => fileNameOf(uri.toString()));
  return targetFile({ ...target, folder: await pathThere(target.folder, names) });
}

/** Whether a result may get an extension, in lower case. */
function mayGet({ ending: wanted }: Target, { kind }: Model): (ending: string) => boolean {
  if (wanted !== undefined) return (ending) => ending === wanted.toLowerCase();
  return (ending) => kind === undefined || (kindOfEnding(ending) ?? 'other') === kind;
}

/** Formats that the comparison can show. */
function isImage(ending: string): boolean {
  return /^(png|jpe?g|webp|gif|avif|svg|bmp)$/i.test(ending);
}

/**
 * How long after loading the folders of all renders are looked up, ms: with a long history, that keeps a processor busy
 * while the first views open.
 */
const foldersAfterMs = 3000;

/**
 * Sets the context key for folders with results, where the Explorer offers actions for results: first those of the
 * newest ones, then all.
 */
export class ResultFolders implements Disposable {
  private readonly own = new Disposables();
  /** URIs. */
  private readonly folders = new Set<string>();

  /** `newest`: the files (URIs) of the newest ones. */
  constructor(ledger: Ledger, newest: readonly string[], log: Log) {
    this.add(newest);
    this.own.add(
      ledger.onDidChange(({ now: { state, file, staged } }) => {
        if (state === 'saved' && file !== undefined && staged !== true) this.add([file]);
      }),
    );
    const look = () =>
      void ledger
        .resultFolders()
        .then((folders) => this.add(folders))
        .catch((error: unknown) => log.warn(`Couldn’t find the folders of results: ${reasonOf(error)}`));
    this.own.add(systemClock.after(foldersAfterMs, look));
  }

  /** The folders of these files (URIs) hold results. */
  add(files: readonly string[]): void {
    const before = this.folders.size;
    for (const file of files) this.folders.add(file.slice(0, file.lastIndexOf('/')));
    // In the form of `resourceDirname`.
    const paths = () => [...this.folders].map((folder) => vscode.Uri.parse(folder).fsPath);
    if (this.folders.size > before) setContext(contextKeys.resultFolders, paths());
  }

  dispose(): void {
    this.own.dispose();
  }
}
