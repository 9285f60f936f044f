import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { systemRandom } from '../base/random';
import { readKeptCompare, type CompareMode, type PictureView } from '../form/compareMessages';
import { englishCompareStrings } from '../form/compareStrings';
import { CompareConversation } from './compareConversation';
import { Comparisons, type Comparison } from './comparison';
import type { Store } from './drafts';
import { compareViewType } from './ids';
import { oneLine } from './plain';
import { translated } from './translated';
import { webviewHtml } from './webviewHtml';

/** A picture to compare. Its words are shown as they are, as text. */
export interface ComparedPicture {
  /** What it goes by, as its file's name. */
  readonly title: string;
  /** What else is to know of it, in a few words, as its model and price. */
  readonly detail?: string;
  readonly uri: vscode.Uri;
}

/**
 * Opens the comparison of two or more pictures, or shows it where it is open. Two can be laid over each other; more stand in a grid.
 * `mode` is how two are compared at first.
 */
export type OpenCompare = (pictures: readonly ComparedPicture[], mode?: CompareMode) => Promise<void>;

interface Page {
  readonly comparison: Comparison;
  readonly panel: vscode.WebviewPanel;
}

/** The comparisons of this window, each in a page of its own. */
export class ComparePanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly pages = new Set<Page>();
  private readonly comparisons: Comparisons;

  constructor(
    private readonly extensionUri: vscode.Uri,
    memory: Store,
    private readonly log: Log,
  ) {
    this.comparisons = new Comparisons(memory);
  }

  /** See OpenCompare. */
  async open(pictures: readonly ComparedPicture[], mode: CompareMode = 'sideBySide'): Promise<void> {
    const kept = pictures.map(({ title, detail, uri }) => ({ title, detail, uri: uri.toString() }));
    const same = [...this.pages].find(
      ({ comparison }) => comparison.pictures.map(uriOf).join() === kept.map(uriOf).join(),
    );
    if (same) return same.panel.reveal();
    const comparison = { id: systemRandom.uuid(), pictures: kept, mode };
    await this.comparisons.keep(comparison);
    const { Active } = vscode.ViewColumn;
    const options = this.optionsOf(comparison);
    this.adopt(vscode.window.createWebviewPanel(compareViewType, titleOf(comparison), Active, options), comparison);
  }

  /** A panel of an earlier window; one of which nobody knows what it compared closes. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = readKeptCompare(state)?.id;
    const comparison = id === undefined ? undefined : this.comparisons.get(id);
    if (comparison) this.adopt(panel, comparison);
    else panel.dispose();
    return Promise.resolve();
  }

  /** The panels stay: the editor brings them back when the extension starts again. */
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
      post: (message) => void webview.postMessage(message),
    });
    const page = { comparison, panel };
    this.pages.add(page);
    webview.options = this.optionsOf(comparison);
    panel.title = titleOf(comparison);
    panel.iconPath = { light: this.media('compare-light.svg'), dark: this.media('compare-dark.svg') };
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    const watching = this.own.add(watch(comparison, () => conversation.refresh()));
    panel.onDidDispose(() => {
      watching.dispose();
      this.pages.delete(page);
      void this.comparisons.forget(comparison.id);
    });
    webview.html = this.html(panel);
  }

  private html({ webview, title }: vscode.WebviewPanel): string {
    const address = (name: string) => webview.asWebviewUri(this.built(name)).toString();
    return webviewHtml({
      cspSource: webview.cspSource,
      nonce: systemRandom.uuid(),
      script: address('compare.js'),
      style: address('compare.css'),
      language: vscode.env.language,
      title,
    });
  }

  /** What a comparison may load: its own script and style, and the folders its pictures lie in. */
  private optionsOf({ pictures }: Comparison): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.built(), ...pictures.map(folderOf)] };
  }

  private built(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview', ...path);
  }

  private media(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'media', name);
  }
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function folderOf({ uri }: { readonly uri: string }): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(uri, true), '..');
}

function titleOf({ pictures }: Comparison): string {
  const [first, second] = pictures.map(({ title }) => oneLine(title, 40));
  return pictures.length === 2 ? `${first} ↔ ${second}` : vscode.l10n.t('{0} Pictures Compared', pictures.length);
}

/** With an address of its own for each state of a file, so that nothing earlier is shown. */
async function viewOf(
  { title, detail, uri }: Comparison['pictures'][number],
  webview: vscode.Webview,
): Promise<PictureView> {
  const file = vscode.Uri.parse(uri, true);
  try {
    const { size: bytes, mtime } = await vscode.workspace.fs.stat(file);
    const version = file.query === '' ? file.with({ query: `${mtime}` }) : file;
    return { title, detail, bytes, address: webview.asWebviewUri(version).toString() };
  } catch {
    // Gone, or out of reach: the page says so in its place.
    return { title, detail };
  }
}

/** Hears of changes of the pictures' files. */
function watch({ pictures }: Comparison, changed: () => void): Disposable {
  const own = new Owned();
  const files = new Set(pictures.map(uriOf));
  const folders = new Map(pictures.map((picture) => [folderOf(picture).toString(), folderOf(picture)]));
  for (const folder of folders.values()) {
    const watcher = own.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*')));
    const hear = (uri: vscode.Uri) => files.has(uri.toString()) && changed();
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) own.add(event(hear));
  }
  return own;
}
