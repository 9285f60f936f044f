import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import { type Disposable, Disposables, type Lazy } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { formatSize } from '../../base/numbers';
import { oneLine, plain } from '../../base/plain';
import type { Store } from '../../base/store';
import { showProblem } from '../../editor/commands';
import { compareViewType } from '../../editor/ids';
import { PageFiles } from '../../editor/pages';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf } from '../../editor/words';
import { editorFiles, folderUriOf, readUpTo, shownFile, watchFiles } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import { embeddedMetadataIn } from '../../files/embeddedMetadata';
import { largestImage } from '../../files/imageSize';
import { sha256Of } from '../../files/sameFile';
import { copiesFolder } from '../../renders/placement';
import { lastSegment, modelNames } from '../models/model/modelNames';
import type { Verbs } from '../../foundation';
import type { Renders } from '../rendering/renders';
import { translated } from '../rendering/translated';
import { CompareConversation, readKeptCompare } from './model/compareConversation';
import {
  type Comparison,
  Comparisons,
  Copies,
  type DecidesOn,
  decisionsOn,
  pairTitle,
  stagedOn,
} from './model/comparison';
import { type CompareDecision, type CompareMode, englishCompareStrings, type ImageView } from './page/compareMessages';
import { acceptAll, decide, discardAll, openAllStaged, removeOthers, replacedBy } from './compareActions';
import type { LibraryEntry } from '../../renders/library';
import { priceOf, titleOf } from '../rendering/renderWords';

interface ComparePage {
  readonly comparison: Comparison;
  readonly panel: vscode.WebviewPanel;
  /** True while a decision on several images is carried out, one after the other. */
  isDeciding?: boolean;
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
    private readonly editImage: Verbs['editImage'],
    private readonly log: Log,
  ) {
    this.files = new PageFiles(extensionUri, 'compare');
    this.comparisons = new Comparisons(memory);
    const folder = vscode.Uri.joinPath(storage, copiesFolder).toString();
    this.copies = new Copies(folder, editorFiles, systemClock, systemRandom, log);
  }

  /** See OpenCompare. */
  async open(
    images: readonly ComparedImage[],
    mode: CompareMode = 'sideBySide',
    decides: DecidesOn = {},
    where: CompareWhere = { viewColumn: vscode.ViewColumn.Active },
  ): Promise<void> {
    const nameOf = await this.modelNames(images);
    const areOfOne = new Set(images.map(({ prompt }) => prompt)).size === 1;
    const kept = await Promise.all(
      images.map(async ({ title, modelId, detail, prompt, uri }) => ({
        title,
        detail:
          [modelId && nameOf(modelId), detail, areOfOne ? undefined : prompt].filter(Boolean).join(' · ') || undefined,
        uri: (await this.reachable(uri)).toString(),
      })),
    );
    const same = [...this.pages].find(
      ({ comparison }) =>
        decisionsOn(comparison).join() === decisionsOn(decides).join() &&
        stagedOn(comparison).join() === stagedOn(decides).join() &&
        comparison.images.map(uriOf).join() === kept.map(uriOf).join(),
    );
    if (same) return same.panel.reveal();
    const comparison = { id: systemRandom.uuid(), images: kept, mode, ...decides };
    await this.comparisons.keep(comparison);
    const options = this.optionsOf(comparison);
    this.adopt(vscode.window.createWebviewPanel(compareViewType, pageTitle(comparison), where, options), comparison);
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
      images: () =>
        Promise.all(comparison.images.map((image, index) => viewOf(image, isNew(comparison, index), webview))),
      areIdentical: () => areIdentical(comparison.images.map(uriOf), this.log),
      decide: (decision, selected) => this.decide(page, decision, selected),
      edit: (index) => this.edit(comparison, index),
      post: (message) => void webview.postMessage(message),
    });
    this.pages.add(page);
    webview.options = this.optionsOf(comparison);
    panel.title = pageTitle(comparison);
    panel.iconPath = this.files.icon;
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    const watching = this.own.add(watchFiles(comparison.images.map(uriOf), () => conversation.refresh()));
    void this.followDecision(page);
    panel.onDidDispose(() => {
      watching.dispose();
      this.pages.delete(page);
      void this.comparisons.forget(comparison.id);
      const inUse = new Set([...this.pages].flatMap(({ comparison }) => comparison.images.map(uriOf)));
      void this.copies.remove(comparison.images.map(uriOf), inUse);
    });
    webview.html = this.files.html(webview, panel.title);
  }

  /** Opens the renders only for images of models. */
  private async modelNames(images: readonly ComparedImage[]): Promise<(id: string) => string> {
    const ids = new Set(images.flatMap(({ modelId }) => modelId ?? []));
    if (ids.size === 0) return lastSegment;
    return modelNames((await this.renders.get()).session, [...ids]).catch(() => lastSegment);
  }

  /** A page can't load files from Git's virtual file system, only a copy, which also works in later windows. */
  private async reachable(uri: vscode.Uri): Promise<vscode.Uri> {
    if (uri.scheme !== 'git') return uri;
    const bytes = await bytesInGit(uri, this.log);
    return vscode.Uri.parse(await this.copies.of(bytes, /\.[^./]+$/.exec(uri.path)?.[0] ?? ''), true);
  }

  /** Never rejects: failures are reported. A new image that is changed is still for the file that it would replace. */
  private async edit(comparison: Comparison, index: number): Promise<void> {
    const { images } = comparison;
    const [file, replaced] = [images[index], isNew(comparison, index) ? images[index - 1] : undefined].map(
      (image) => image && vscode.Uri.parse(image.uri, true),
    );
    try {
      if (file) await this.editImage(file, replaced);
    } catch (error) {
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  /** Never rejects: failures are reported. */
  private async decide(page: ComparePage, decision: CompareDecision, selected: readonly number[]): Promise<void> {
    try {
      const renders = await this.renders.get();
      if (decision === 'keepSelected') return await this.keepSelected(page, selected, renders);
      const keys = stagedOn(page.comparison);
      page.isDeciding = keys.length > 1;
      if (decision === 'acceptAll') await acceptAll(keys, renders);
      else if (decision === 'discardAll') await discardAll(keys, renders);
      else for (const key of keys) await decide(key, decision, renders);
      page.isDeciding = false;
      this.look(page, renders);
    } catch (error) {
      this.log.error(`Comparison: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    } finally {
      page.isDeciding = false;
    }
  }

  /** Closes the page. Several images that are kept are compared on another one. */
  private async keepSelected({ panel, comparison }: ComparePage, selected: readonly number[], renders: Renders) {
    const { variants = [], images, mode } = comparison;
    const isKept = (_: unknown, index: number) => selected.includes(index);
    const kept = variants.filter(isKept);
    const others = variants.filter((key) => !kept.includes(key));
    if (kept.length === 0 || others.length === 0) return;
    if (!(await removeOthers(others, kept.length, renders))) return;
    const { viewColumn = vscode.ViewColumn.Active } = panel;
    panel.dispose();
    if (kept.length < 2) return;
    const shown = images.filter(isKept).map((image) => ({ ...image, uri: vscode.Uri.parse(image.uri, true) }));
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
    const { panel, comparison, isDeciding } = page;
    if (isDeciding || !this.pages.has(page)) return;
    const keys = stagedOn(comparison);
    const waiting = keys.flatMap((key) => library.ofRecord(key) ?? []).filter(({ record }) => record?.staged === true);
    const olds = comparison.images.filter((_, index) => index % 2 === 0).map(uriOf);
    if (waiting.map((entry) => replacedBy(entry)?.toString()).join() === olds.join()) return;
    const { viewColumn = vscode.ViewColumn.Active } = panel;
    panel.dispose();
    const where = { viewColumn, preserveFocus: true };
    if (waiting.length > 0)
      void openAllStaged(waiting, (images, mode, decides) => this.open(images, mode, decides, where));
  }

  /** The resources a comparison may load: its own script and style, and the folders of its images. */
  private optionsOf({ images }: Comparison): vscode.WebviewOptions {
    return {
      enableScripts: true,
      localResourceRoots: images.map(({ uri }) => folderUriOf(uri)),
    };
  }
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function pageTitle({ images, stagedPairs }: Comparison): string {
  if (stagedPairs) return vscode.l10n.t('Review {0} Images', stagedPairs.length);
  const [first, second, ...others] = images.map(({ title }) => oneLine(title));
  if (first === undefined || second === undefined || others.length > 0)
    return vscode.l10n.t('Compare {0} Images', images.length);
  return pairTitle(first, second);
}

async function viewOf(
  { title, detail, uri }: Comparison['images'][number],
  isNew: boolean,
  webview: vscode.Webview,
): Promise<ImageView> {
  const file = vscode.Uri.parse(uri, true);
  const isOwn = isNew || vscode.workspace.getWorkspaceFolder(file) !== undefined;
  return { title, detail, isOwn, ...(await shownFile(file, webview)) };
}

/** True for a new image that waits to replace the one before it. */
function isNew({ staged, stagedPairs }: Comparison, index: number): boolean {
  return (staged ?? stagedPairs) !== undefined && index % 2 === 1;
}

/** Whether these files (URIs) hold one image, with or without our metadata. False where one can't be read. */
async function areIdentical(uris: readonly string[], log: Log): Promise<boolean> {
  const hashOf = async (uri: string) => {
    const bytes = await readUpTo(vscode.Uri.parse(uri, true), largestImage, log);
    if (!bytes) return undefined;
    const inside = await embeddedMetadataIn(bytes, systemClock);
    return inside?.pictureSha256 ?? sha256Of([bytes], systemClock);
  };
  const hashes = await Promise.all(uris.map((uri) => hashOf(uri).catch(() => undefined)));
  return hashes[0] !== undefined && new Set(hashes).size === 1;
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
  const bytes = await readUpTo(head, largestImage, log);
  if (bytes) return bytes;
  throw new UserError(
    vscode.l10n.t(
      'The last commit’s version of “{0}” can’t be shown: it’s larger than {1}. Save it as a file, then use “Compare Images”.',
      plain(fileNameOf(head.path), 60),
      formatSize(largestImage, vscode.env.language),
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

/** An image to compare. Its texts are shown as plain text. */
export interface ComparedImage {
  /** Its name in the comparison, such as its file's. */
  readonly title: string;
  /** The ID of its model, shown by its title. */
  readonly modelId?: string;
  /** More about it in a few words, such as its price. */
  readonly detail?: string;
  /** Shown if the images are of different ones. */
  readonly prompt?: string;
  readonly uri: vscode.Uri;
}

/**
 * Opens the comparison of two or more images, or reveals it. Two can be overlaid; more form a grid. `mode` is the
 * initial mode for two. The page has the buttons for what it `decides`. It opens in the active group unless `where`
 * says otherwise.
 */
export type OpenCompare = (
  images: readonly ComparedImage[],
  mode?: CompareMode,
  decides?: DecidesOn,
  where?: CompareWhere,
) => Promise<void>;

/** The group of editors that a comparison opens in. */
export interface CompareWhere {
  readonly viewColumn: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
}

/** A file for a comparison; with model, price, and prompt if it's from a render. */
export function imageOf(uri: vscode.Uri, entry?: LibraryEntry): ComparedImage {
  const title = oneLine(fileNameOf(uri.toString()));
  return entry
    ? { title, uri, modelId: entry.modelId, detail: priceOf(entry), prompt: titleOf(entry) }
    : { title, uri };
}
