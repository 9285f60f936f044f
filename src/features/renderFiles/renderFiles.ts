import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import { type Log, reasonOf, warnOnce } from '../../base/log';
import { mayMake } from '../../catalog/fields';
import { Hints } from '../../compose/hints';
import { imageEndings } from '../../documents/paths';
import { commands } from '../../editor/ids';
import { loggedPath } from '../../editor/workspaceFiles';
import { SteadyLenses } from '../../editor/steadyLenses';
import { fitWords, money } from '../../editor/words';
import { imagesOf } from '../../files/givenImages';
import type { Foundation } from '../../foundation';
import { checkModels, type KnownModel } from '../../renderFiles/modelCheck';
import { readRenderFile } from '../../renderFiles/readRenderFile';
import {
  type Entry,
  type EntryProblem,
  isRenderFile,
  type RenderFile,
  renderFileGlob,
} from '../../renderFiles/renderFile';
import { withSources } from '../../renderFiles/sources';
import {
  isDue,
  isToDo,
  isWaiting,
  type ProjectImages,
  type StateOf,
  stateProblems,
  statesOf,
} from '../../renderFiles/states';
import { knownModel } from '../models/model/lastModel';
import { countWords, stateWords } from './entryWords';
import { entryRows, PendingImages, withRefits } from './model/pendingImages';
import { lookedAtOnce, projectImagesIn } from './projectImages';
import { SentInputs } from './sentInputs';
import type { Span } from '../../documents/scan';
import { entryProblemSentence } from '../../renderFiles/words';

/** The text of a render file, whether an editor has it open or not. */
export type RenderText = Pick<vscode.TextDocument, 'uri' | 'version' | 'getText' | 'positionAt'>;

/** A render file as it is in the editor, saved or not, or else on disk. */
export interface ReadFile {
  readonly file: RenderFile;
  /** Its problems, including those with its models. */
  readonly problems: readonly EntryProblem[];
  /** The renders without a problem, each with the state of its image. */
  readonly states: readonly StateOf[];
  /** The workspace folder it is in. */
  readonly folder: vscode.Uri;
}

interface Reading {
  readonly version: number;
  readonly read: Promise<ReadFile | undefined>;
}

/** How long changes that come together, such as keys or saved images, are collected, ms. */
const gatherMs = 300;
/** The most models whose fields are requested for one file. */
const mostModels = 20;
/** The most models that a window requests for files that nobody has opened. */
const mostUnopened = 50;

/** Reads render files again when they or their images change, and shows the problems and lenses of open ones. */
export class RenderFiles implements Disposable {
  private readonly own = new Disposables();
  private readonly renders: Foundation['renders'];
  private readonly log: Log;
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private readonly problems = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog: render files'));
  private readonly asked = new Set<string>();
  private readonly pending = new Lazy(() => this.followRenders());
  private readings = new WeakMap<RenderText, Reading>();
  private readonly images = new Map<string, ProjectImages>();
  private gathering: Disposable | undefined;
  private readonly lenses: SteadyLenses<EntryLens>;
  /** The states that the lenses of open files were last made from. */
  private readonly shown = new WeakMap<RenderText, string>();
  /** How often what the service can be asked for has changed. */
  private askable = 0;
  private looks = 0;

  /** Render files or their images may have changed. */
  readonly onDidChange = this.changed.event;
  /** What renders send. */
  readonly sent: SentInputs;
  /** What they have the service asked for unasked. */
  readonly hints: Hints;

  constructor({ session, quotes, renders, log, context }: Foundation) {
    this.renders = renders;
    this.log = log;
    this.sent = new SentInputs((folder) => this.imagesOf(folder), imagesOf(context));
    this.hints = new Hints(session, quotes, () => vscode.workspace.isTrusted);
    const list = async (document: vscode.TextDocument) => {
      this.shown.set(document, await this.statesIn(document));
      return lensesOf(document, this);
    };
    this.lenses = this.own.add(new SteadyLenses(list, (lens) => withWords(lens, this.hints)));
    this.own.add(vscode.languages.registerCodeLensProvider({ pattern: renderFileGlob }, this.lenses));
    // Cameras write theirs in capitals.
    const endings = [...imageEndings].flatMap((ending) => [ending, ending.toUpperCase()]);
    const images = `**/*.{${[...endings, 'render.json'].join(',')}}`;
    const watcher = this.own.add(vscode.workspace.createFileSystemWatcher(images));
    for (const happens of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.own.add(happens(() => this.lookSoon()));
    const askAgain = () => {
      this.askable += 1;
      this.lookSoon();
    };
    this.own.add(session.onDidChangeModels(askAgain));
    this.own.add(vscode.workspace.onDidGrantWorkspaceTrust(askAgain));
    this.own.add({ dispose: () => this.gathering?.dispose() });
    const { workspace } = vscode;
    this.own.add(
      workspace.onDidChangeTextDocument(({ document }) => isRenderFile(document.uri.path) && this.lookSoon()),
    );
    this.own.add(workspace.onDidOpenTextDocument((document) => void this.read(document)));
    this.own.add(workspace.onDidCloseTextDocument(({ uri }) => this.problems.delete(uri)));
    this.lookAgain();
  }

  /** Undefined if it isn't a render file in an open folder. Never rejects. */
  read(document: RenderText): Promise<ReadFile | undefined> {
    const known = this.readings.get(document);
    if (known?.version === document.version) return known.read;
    const read = this.readNow(document).catch((error: unknown) => {
      warnOnce(this.log, `Couldn’t read ${loggedPath(document.uri)}: ${reasonOf(error)}`);
      return undefined;
    });
    this.readings.set(document, { version: document.version, read });
    return read;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async readNow(document: RenderText): Promise<ReadFile | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    if (!folder || !isRenderFile(document.uri.path)) return undefined;
    const [{ version }, { looks }] = [document, this];
    const path = document.uri.path.slice(folder.path.length).replace(/^\//, '');
    const written = await readRenderFile(document.getText(), path, systemClock);
    const [broken] = written.isBroken ? written.problems : [];
    if (broken) warnOnce(this.log, `${loggedPath(document.uri)} can’t be read: ${broken.code}`);
    const images = lookedAtOnce(this.imagesOf(folder));
    const modelOf = await this.modelsOf(written, isOpenText(document));
    const file = await withSources(written, modelOf, images, systemClock);
    const check = await checkModels(file, modelOf, images, systemClock);
    const problems = [...file.problems, ...check.problems];
    const show = (found: readonly EntryProblem[]) => {
      // A later reading knows more.
      if (document.version !== version || this.looks !== looks || !isOpenText(document)) return;
      this.problems.set(
        document.uri,
        found.map((one) => diagnosticOf(document, one)),
      );
    };
    // Reading the states of many images takes longer.
    show(problems);
    const all = await statesOf(file.renders, images, systemClock);
    const sound = all.filter(({ render }) => !check.unsound.has(render));
    const found = await stateProblems(file, sound, images);
    if (found.problems.length > 0) show([...problems, ...found.problems]);
    const states = await withRefits(await this.withPending(found.states, folder), images, this.renders);
    return { file, problems: [...problems, ...found.problems], folder, states };
  }

  /** The images of a workspace folder. */
  imagesOf(folder: vscode.Uri): ProjectImages {
    const id = folder.toString();
    const images = this.images.get(id) ?? projectImagesIn(folder, this.log);
    this.images.set(id, images);
    return images;
  }

  /** Without a render history, images wait for nothing. */
  private async withPending(states: readonly StateOf[], folder: vscode.Uri): Promise<readonly StateOf[]> {
    if (!states.some(isDue)) return states;
    const pending = await this.pending.get().catch(() => undefined);
    return pending ? pending.marked(states, folder.toString()) : states;
  }

  private async followRenders(): Promise<PendingImages> {
    const { fileRenders } = await this.renders.get();
    const pending = this.own.add(new PendingImages(fileRenders));
    this.own.add(
      pending.onDidChange(() => {
        // Whoever orders next must not rely on what was read before.
        this.readings = new WeakMap();
        this.lookSoon();
      }),
    );
    return pending;
  }

  /** The models of a file, as far as they may be asked for. */
  private async modelsOf(file: RenderFile, hasEditor: boolean): Promise<(modelId: string) => KnownModel> {
    const named = [...new Set(file.renders.map(({ modelId }) => modelId))].slice(0, mostModels);
    const ids = hasEditor ? named : named.filter((id) => this.mayAsk(id));
    const known = new Map(await Promise.all(ids.map(async (id) => [id, await this.modelOf(id)] as const)));
    return (id) => known.get(id);
  }

  /** A folder that was only opened causes few requests, whatever its files name. */
  private mayAsk(modelId: string): boolean {
    if (this.asked.size < mostUnopened) this.asked.add(modelId);
    return this.asked.has(modelId);
  }

  /** Undefined while nothing may be asked, or the service doesn't respond. */
  private async modelOf(id: string): Promise<KnownModel> {
    try {
      const model = await knownModel(this.hints.model(id));
      return !model ? 'none' : mayMake(model, 'image') ? model : 'noImages';
    } catch {
      return undefined;
    }
  }

  /** Reads them again once no more changes arrive. */
  lookSoon(): void {
    this.gathering ??= systemClock.after(gatherMs, () => {
      this.gathering = undefined;
      this.lookAgain();
    });
  }

  private lookAgain(): void {
    this.readings = new WeakMap();
    this.looks += 1;
    void this.changeLenses();
    this.changed.fire();
  }

  /**
   * Makes the editor request the lenses again if their files have other states now. When a text changes, it does so by
   * itself. Never rejects.
   */
  private async changeLenses(): Promise<void> {
    const open = vscode.workspace.textDocuments;
    const states = await Promise.all(open.map((document) => this.statesIn(document)));
    if (open.some((document, index) => (this.shown.get(document) ?? '') !== states[index])) this.lenses.change();
  }

  /** What the lenses of a document depend on; '' if it isn't a render file. */
  private async statesIn(document: vscode.TextDocument): Promise<string> {
    const read = await this.read(document);
    return read
      ? JSON.stringify([
          this.askable,
          read.states.map(({ state, fitsAgain, pending, after }) => [state, fitsAgain, pending, after]),
        ])
      : '';
  }
}

/** True if an editor has it open. */
export function isOpenText(text: RenderText): boolean {
  return vscode.workspace.textDocuments.some((document) => document === text);
}

/** A CodeLens above an entry, or above the list of them. */
class EntryLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly document: vscode.TextDocument,
    readonly folder: vscode.Uri,
    /** Undefined for the whole file. */
    readonly entry: Entry | undefined,
    readonly states: readonly StateOf[],
  ) {
    super(range);
  }
}

/** The lenses of a render file: one for all that is missing or stale, and one for each entry. */
async function lensesOf(document: vscode.TextDocument, files: RenderFiles): Promise<EntryLens[]> {
  const read = await files.read(document);
  if (!read) return [];
  const { file, folder, states } = read;
  const entries = entryRows(file, states)
    .filter((row) => row.states.length > 0)
    .map(({ entry, states: own }) => new EntryLens(rangeOf(document, entry.span), document, folder, entry, own));
  return [...forAll(document, read), ...entries];
}

function forAll(document: vscode.TextDocument, { file, folder, states }: ReadFile): EntryLens[] {
  if (file.isBroken || file.rendersKey === undefined || states.length === 0) return [];
  return [new EntryLens(rangeOf(document, file.rendersKey), document, folder, undefined, states)];
}

/** Adds the lens’s title, with the price of what’s to be rendered if it’s known. Never rejects. */
async function withWords(lens: EntryLens, hints: Hints): Promise<EntryLens> {
  const due = lens.states.filter(isToDo);
  if (due.length === 0) lens.command = nothingToDo(lens);
  else {
    const toRender = due.filter(({ fitsAgain }) => !fitsAgain);
    // The entries of a file may state different sizes.
    const fit = lens.entry && fitWords(due[0]?.render.fit);
    const isFree = toRender.length === 0;
    const doing = isFree
      ? vscode.l10n.t('Refit')
      : renderWords(await hints.total(toRender.map(({ render }) => render)));
    const title = [lensTextOf(lens), fit, doing].filter((words) => words !== undefined).join(' · ');
    const command = isFree ? commands.fitEntries : commands.renderEntries;
    lens.command = { command, title, arguments: [lens.document.uri, lens.entry?.index] };
  }
  return lens;
}

function renderWords(cents: number | undefined): string {
  return cents === undefined ? vscode.l10n.t('Render…') : vscode.l10n.t('Render… · {0}', money(cents));
}

function lensTextOf({ entry, states }: EntryLens): string {
  return entry ? stateWords(states) : countWords(states);
}

/** A click says what is next for images that wait for something, and opens an image if there’s only one. */
function nothingToDo(lens: EntryLens): vscode.Command {
  const [first] = lens.states;
  const title = lensTextOf(lens);
  if (lens.states.some((one) => one.pending ?? isWaiting(one)))
    return { command: commands.renderEntries, title, arguments: [lens.document.uri, lens.entry?.index] };
  if (lens.entry && lens.states.length === 1 && first && 'file' in first.state)
    return { command: 'vscode.open', title, arguments: [vscode.Uri.joinPath(lens.folder, first.state.file)] };
  return { command: '', title };
}

/** A problem as the Problems view displays it. */
export function diagnosticOf(text: RenderText, problem: EntryProblem): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? Error : Warning;
  const diagnostic = new vscode.Diagnostic(
    rangeOf(text, problem),
    entryProblemSentence(problem, vscode.l10n),
    severity,
  );
  diagnostic.source = 'Model Catalog';
  diagnostic.code = problem.code;
  return diagnostic;
}

/** A span of a document as the editor has it. */
export function rangeOf(document: Pick<vscode.TextDocument, 'positionAt'>, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
