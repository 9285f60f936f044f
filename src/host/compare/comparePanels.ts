import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import { systemClock } from '../../base/clock';
import { systemRandom } from '../../base/random';
import { readKeptCompare, type CompareMode, type CompareDecision, type PictureView } from '../../pages/compareMessages';
import { englishCompareStrings } from '../../pages/compareStrings';
import { copiesFolder } from '../../renders/placement';
import { showProblem } from '../commands';
import { compareViewType } from '../../app/ids';
import type { Store } from '../../app/models/drafts';
import { PageFiles } from '../pageFiles';
import { oneLine } from '../../base/plain';
import type { Renders } from '../renders/renders';
import { shownFile } from '../shownFile';
import { folderOf, watchFiles } from '../files/watchFiles';
import { editorFiles } from '../files/workspaceFiles';
import { translated } from '../translated';
import { remedyOf } from '../../app/userError';
import { sentenceOf } from '../words';
import { CompareConversation } from '../../app/compare/compareConversation';
import type { ComparedPicture } from './comparedPicture';
import { bytesInGit } from './gitHead';
import { Comparisons, type Comparison } from '../../app/compare/comparison';
import { Copies } from '../../app/compare/copies';
import { decide, openStaged, replacedBy } from './stagedResults';

interface ComparePage {
  readonly comparison: Comparison;
  readonly panel: vscode.WebviewPanel;
}

type Where = { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean };

/** The comparisons of this window, one page each. */
export class ComparePanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
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
    staged?: string,
    where: Where = { viewColumn: vscode.ViewColumn.Active },
  ): Promise<void> {
    const kept = await Promise.all(
      pictures.map(async ({ title, detail, uri }) => ({ title, detail, uri: (await this.reachable(uri)).toString() })),
    );
    const same = [...this.pages].find(
      ({ comparison }) =>
        comparison.staged === staged && comparison.pictures.map(uriOf).join() === kept.map(uriOf).join(),
    );
    if (same) return same.panel.reveal();
    const comparison = { id: systemRandom.uuid(), pictures: kept, mode, staged };
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
    const conversation = new CompareConversation({
      comparison,
      log: this.log,
      strings: translated(englishCompareStrings),
      locale: vscode.env.language,
      pictures: () => Promise.all(comparison.pictures.map((picture) => viewOf(picture, webview))),
      decide: (decision) => this.decide(comparison, decision),
      post: (message) => void webview.postMessage(message),
    });
    const page = { comparison, panel };
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
  private async decide({ staged }: Comparison, decision: CompareDecision): Promise<void> {
    if (staged === undefined) return;
    try {
      await decide(staged, decision, await this.renders.get());
    } catch (error) {
      this.log.error(`Comparison: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  /**
   * Once the decision was made, wherever that was, there is nothing left to compare. A renamed image is compared under
   * its new name.
   */
  private async followDecision({ panel, comparison }: ComparePage): Promise<void> {
    const { staged, pictures } = comparison;
    if (staged === undefined) return;
    try {
      const { library } = await this.renders.get();
      const look = () => {
        const entry = library.ofRecord(staged);
        const { viewColumn = vscode.ViewColumn.Active } = panel;
        const isWaiting = entry?.record?.staged === true;
        if (isWaiting && replacedBy(entry)?.toString() === pictures[0]?.uri) return;
        panel.dispose();
        const where = { viewColumn, preserveFocus: true };
        if (isWaiting) void openStaged(entry, (...what) => this.open(...what, where));
      };
      const listening = this.own.add(library.onDidChange(look));
      panel.onDidDispose(() => listening.dispose());
      look();
    } catch (error) {
      // Without the ledger nothing can be decided, but the images can still be seen.
      this.log.warn(`Comparison: ${reasonOf(error)}`);
    }
  }

  /** The resources a comparison may load: its own script and style, and the folders of its images. */
  private optionsOf({ pictures }: Comparison): vscode.WebviewOptions {
    return {
      enableScripts: true,
      localResourceRoots: [this.files.folder, ...pictures.map(({ uri }) => folderOf(uri))],
    };
  }
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function titleOf({ pictures }: Comparison): string {
  const [first, second] = pictures.map(({ title }) => oneLine(title, 40));
  return pictures.length === 2 ? `${first} ↔ ${second}` : vscode.l10n.t('Compare {0} Images', pictures.length);
}

async function viewOf(
  { title, detail, uri }: Comparison['pictures'][number],
  webview: vscode.Webview,
): Promise<PictureView> {
  return { title, detail, ...(await shownFile(vscode.Uri.parse(uri, true), webview)) };
}
