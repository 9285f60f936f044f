import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import { formatSize } from '../../base/numbers';
import { oneLine, plain } from '../../base/plain';
import { systemRandom } from '../../base/random';
import type { Store } from '../../base/store';
import { showProblem } from '../../editor/commands';
import { compareViewType } from '../../editor/ids';
import { PageFiles } from '../../editor/pages';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf } from '../../editor/words';
import { editorFiles, folderUriOf, readUpTo, shownFile, watchFiles } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import { largestPicture } from '../../files/pictureSize';
import { copiesFolder } from '../../renders/placement';
import type { Renders } from '../rendering/renders';
import { translated } from '../rendering/translated';
import type { ComparedPicture, CompareWhere } from './comparedPicture';
import { CompareConversation, readKeptCompare } from './model/compareConversation';
import { type Comparison, Comparisons, Copies, type DecidesOn, decisionsOn, stagedOn } from './model/comparison';
import {
  type CompareDecision,
  type CompareMode,
  englishCompareStrings,
  type PictureView,
} from './page/compareMessages';
import { acceptAll, decide, openAllStaged, replacedBy } from './stagedResults';
import { removeOthers } from './compareActions';

interface ComparePage {
  readonly comparison: Comparison;
  readonly panel: vscode.WebviewPanel;
  /** True while a decision on several images is carried out, one after the other. */
  isAccepting?: boolean;
}

/** The comparisons of this window, one page each. */
export class ComparePanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly pages = new Set<ComparePage>();
  private readonly files: PageFiles;
  private readonly comparisons: Comparisons;
  private readonly copies: Copies;

  constructor(
    extensionUri: vscode.Uri,
    memory: Store,
    storage: vscode.Uri,
    private readonly renders: Lazy<Renders>,
    private readonly log: Log,
  ) {
    this.files = new PageFiles(extensionUri, 'compare');
    this.comparisons = new Comparisons(memory);
    const folder = vscode.Uri.joinPath(storage, copiesFolder).toString();
    this.copies = new Copies(folder, editorFiles, systemClock, systemRandom, log);
  }

  /** See OpenCompare. */
  async open(
    pictures: readonly ComparedPicture[],
    mode: CompareMode = 'sideBySide',
    decides: DecidesOn = {},
    where: CompareWhere = { viewColumn: vscode.ViewColumn.Active },
  ): Promise<void> {
    const kept = await Promise.all(
      pictures.map(async ({ title, detail, uri }) => ({ title, detail, uri: (await this.reachable(uri)).toString() })),
    );
    const same = [...this.pages].find(
      ({ comparison }) =>
        decisionsOn(comparison).join() === decisionsOn(decides).join() &&
        stagedOn(comparison).join() === stagedOn(decides).join() &&
        comparison.pictures.map(uriOf).join() === kept.map(uriOf).join(),
    );
    if (same) return same.panel.reveal();
    const comparison = { id: systemRandom.uuid(), pictures: kept, mode, ...decides };
    await this.comparisons.keep(comparison);
    const options = this.optionsOf(comparison);
    this.adopt(vscode.window.createWebviewPanel(compareViewType, titleOf(comparison), where, options), comparison);
  }

  /** A panel of an earlier window; closes if it isn't known what it compared. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = readKeptCompare(state)?.id;
    const comparison = id === undefined ? undefined : this.comparisons.get(id);
    if (comparison) this.adopt(panel, comparison);
    else panel.dispose();
    return Promise.resolve();
  }

  /** The panels stay: the editor restores them when the extension starts again. */
  dispose(): void {
    this.own.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, comparison: Comparison): void {
    const { webview } = panel;
    const page: ComparePage = { comparison, panel };
    const conversation = new CompareConversation({
      comparison,
      log: this.log,
      strings: translated(englishCompareStrings),
      locale: vscode.env.language,
      pictures: () => Promise.all(comparison.pictures.map((picture) => viewOf(picture, webview))),
      decide: (decision, selected) => this.decide(page, decision, selected),
      post: (message) => void webview.postMessage(message),
    });
    this.pages.add(page);
    webview.options = this.optionsOf(comparison);
    panel.title = titleOf(comparison);
    panel.iconPath = this.files.icon;
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    const watching = this.own.add(watchFiles(comparison.pictures.map(uriOf), () => conversation.refresh()));
    void this.followDecision(page);
    panel.onDidDispose(() => {
      watching.dispose();
      this.pages.delete(page);
      void this.comparisons.forget(comparison.id);
      const inUse = new Set([...this.pages].flatMap(({ comparison }) => comparison.pictures.map(uriOf)));
      void this.copies.remove(comparison.pictures.map(uriOf), inUse);
    });
    webview.html = this.files.html(webview, panel.title);
  }

  /** A page can't load files from Git's virtual file system, only a copy, which also works in later windows. */
  private async reachable(uri: vscode.Uri): Promise<vscode.Uri> {
    if (uri.scheme !== 'git') return uri;
    const bytes = await bytesInGit(uri, this.log);
    return vscode.Uri.parse(await this.copies.of(bytes, /\.[^./]+$/.exec(uri.path)?.[0] ?? ''), true);
  }

  /** Never rejects: failures are reported. */
  private async decide(page: ComparePage, decision: CompareDecision, selected: readonly number[]): Promise<void> {
    try {
      const renders = await this.renders.get();
      if (decision === 'keepSelected') return await this.keepSelected(page, selected, renders);
      const keys = stagedOn(page.comparison);
      page.isAccepting = decision === 'acceptAll';
      if (decision === 'acceptAll') await acceptAll(keys, renders);
      else for (const key of keys) await decide(key, decision, renders);
      page.isAccepting = false;
      this.look(page, renders);
    } catch (error) {
      this.log.error(`Comparison: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  /** Closes the page. Several images that are kept are compared on another one. */
  private async keepSelected({ panel, comparison }: ComparePage, selected: readonly number[], renders: Renders) {
    const { variants = [], pictures, mode } = comparison;
    const isKept = (_: unknown, index: number) => selected.includes(index);
    const kept = variants.filter(isKept);
    const others = variants.filter((key) => !kept.includes(key));
    if (kept.length === 0 || others.length === 0) return;
    if (!(await removeOthers(others, kept.length, renders))) return;
    const { viewColumn = vscode.ViewColumn.Active } = panel;
    panel.dispose();
    if (kept.length < 2) return;
    const shown = pictures.filter(isKept).map((picture) => ({ ...picture, uri: vscode.Uri.parse(picture.uri, true) }));
    await this.open(shown, mode, { variants: kept }, { viewColumn });
  }

  /** Once the decision was made, wherever that was, there is nothing left to compare. */
  private async followDecision(page: ComparePage): Promise<void> {
    if (stagedOn(page.comparison).length === 0) return;
    try {
      const renders = await this.renders.get();
      const listening = this.own.add(renders.library.onDidChange(() => this.look(page, renders)));
      page.panel.onDidDispose(() => listening.dispose());
      this.look(page, renders);
    } catch (error) {
      // Without the ledger nothing can be decided, but the images can still be seen.
      this.log.warn(`Comparison: ${reasonOf(error)}`);
    }
  }

  /**
   * Closes the page of images that no longer wait. Those that still do are compared on another one, an image that was
   * renamed under its new name.
   */
  private look(page: ComparePage, { library }: Renders): void {
    const { panel, comparison, isAccepting } = page;
    if (isAccepting || !this.pages.has(page)) return;
    const keys = stagedOn(comparison);
    const waiting = keys.flatMap((key) => library.ofRecord(key) ?? []).filter(({ record }) => record?.staged === true);
    const olds = comparison.pictures.filter((_, index) => index % 2 === 0).map(uriOf);
    if (waiting.map((entry) => replacedBy(entry)?.toString()).join() === olds.join()) return;
    const { viewColumn = vscode.ViewColumn.Active } = panel;
    panel.dispose();
    const where = { viewColumn, preserveFocus: true };
    if (waiting.length > 0)
      void openAllStaged(waiting, (pictures, mode, decides) => this.open(pictures, mode, decides, where));
  }

  /** The resources a comparison may load: its own script and style, and the folders of its images. */
  private optionsOf({ pictures }: Comparison): vscode.WebviewOptions {
    return {
      enableScripts: true,
      localResourceRoots: [this.files.folder, ...pictures.map(({ uri }) => folderUriOf(uri))],
    };
  }
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function titleOf({ pictures, stagedPairs }: Comparison): string {
  if (stagedPairs) return vscode.l10n.t('Review {0} New Images', stagedPairs.length);
  const [first, second] = pictures.map(({ title }) => oneLine(title, 40));
  return pictures.length === 2 ? `${first} ↔ ${second}` : vscode.l10n.t('Compare {0} Images', pictures.length);
}

async function viewOf(
  { title, detail, uri }: Comparison['pictures'][number],
  webview: vscode.Webview,
): Promise<PictureView> {
  return { title, detail, ...(await shownFile(vscode.Uri.parse(uri, true), webview)) };
}

/** The part of the built-in Git extension's API that is used. */
interface GitApi {
  getRepository(uri: vscode.Uri): Repository | null;
  openRepository(root: vscode.Uri): Promise<Repository | null>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface Repository {
  /** `size` is in bytes. Rejects for files that aren't in the tree. */
  getObjectDetails(treeish: string, path: string): Promise<{ readonly size: number }>;
}

/** The beginning of a Git LFS pointer file. */
const largeFilePointer = 'version https://git-lfs.github.com/spec/';
/** Every Git LFS pointer file is smaller, bytes. */
const largestPointer = 1024;

/** The URI for a file's version in HEAD. Rejects with UserError when there is no such version, or no Git. */
export async function inGitHead(file: vscode.Uri): Promise<vscode.Uri> {
  const git = await gitApi();
  const name = plain(fileNameOf(file.toString()), 60);
  if (!git) {
    throw new UserError(
      vscode.l10n.t('Git isn’t available. The Git extension is disabled, or this window can’t access it.'),
    );
  }
  // Git may still be discovering the repositories of the open folders.
  const repository =
    git.getRepository(file) ?? (await git.openRepository(vscode.Uri.joinPath(file, '..'))) ?? git.getRepository(file);
  if (!repository) throw new UserError(vscode.l10n.t('“{0}” isn’t in a Git repository.', name));
  const { size } = await repository.getObjectDetails('HEAD', file.fsPath).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t('“{0}” isn’t in the last commit, so there’s nothing to compare it with.', name), {
      cause: error,
    });
  });
  const head = git.toGitUri(file, 'HEAD');
  if (size > largestPointer || !(await isPointer(head))) return head;
  throw new UserError(
    vscode.l10n.t(
      'The last commit has only a Git LFS pointer for “{0}”, so there’s no image to compare it with.',
      name,
    ),
  );
}

/** The bytes of that version. Rejects with UserError when it's too large to be copied out of Git. */
export async function bytesInGit(head: vscode.Uri, log: Log): Promise<Uint8Array> {
  const bytes = await readUpTo(head, largestPicture, log);
  if (bytes) return bytes;
  throw new UserError(
    vscode.l10n.t(
      'The last commit’s version of “{0}” can’t be shown: it’s larger than {1}. Save it as a file, then use “Compare Images”.',
      plain(fileNameOf(head.path), 60),
      formatSize(largestPicture, vscode.env.language),
    ),
  );
}

async function isPointer(head: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(head);
  return new TextDecoder().decode(bytes.subarray(0, largeFilePointer.length)) === largeFilePointer;
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>(
    'vscode.git',
  );
  const git = await extension?.activate();
  return git?.enabled === true ? git.getAPI(1) : undefined;
}
