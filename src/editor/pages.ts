import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemRandom } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { PageName } from './page/page';
import { webviewHtml } from './webviewHtml';

/** The extension's files for one of its webviews. */
export class PageFiles {
  private readonly folder: string;
  readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };

  constructor(
    extensionUri: vscode.Uri,
    private readonly page: PageName,
  ) {
    const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    this.folder = join(extensionUri.fsPath, 'dist', 'webview');
    this.icon = { light: media(`${page}-light.svg`), dark: media(`${page}-dark.svg`) };
  }

  /** The HTML for `webview`. */
  html(webview: vscode.Webview, title: string): string {
    return webviewHtml({
      page: this.page,
      read: (file) => readFileSync(join(this.folder, file), 'utf8'),
      cspSource: webview.cspSource,
      nonce: systemRandom.uuid(),
      language: vscode.env.language,
      title,
    });
  }
}

/** The host's side of a page. */
interface Conversation extends Disposable {
  /** A message of the webview. Never throws. */
  receive(data: unknown): void;
}

/** The parts of a page. */
export interface OnePageDeps<Talk extends Conversation> {
  readonly viewType: string;
  readonly title: string;
  readonly files: PageFiles;
  /** The resources it may load now. */
  options(): vscode.WebviewOptions;
  converse(panel: vscode.WebviewPanel): Talk;
}

/** A page that a window has at most once. */
export class OnePage<Talk extends Conversation> implements vscode.WebviewPanelSerializer, Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private talk: Talk | undefined;

  constructor(private readonly parts: OnePageDeps<Talk>) {}

  /** Undefined while the page isn't open. */
  get conversation(): Talk | undefined {
    return this.talk;
  }

  /** True while a user can see it. */
  get isVisible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Opens the page, or reveals it. */
  open(): void {
    const { viewType, title } = this.parts;
    if (this.panel) this.panel.reveal();
    else this.adopt(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, this.parts.options()));
  }

  /** The panel of an earlier window. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel) panel.dispose();
    else this.adopt(panel);
    return Promise.resolve();
  }

  /** Changing what a webview may load restarts it; it's then sent everything. */
  renewOptions(): void {
    if (this.panel) this.panel.webview.options = this.parts.options();
  }

  /** The panel stays: the editor restores it when the extension starts again. */
  dispose(): void {
    this.talk?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const { title, files } = this.parts;
    const { webview } = panel;
    const talk = this.parts.converse(panel);
    this.panel = panel;
    this.talk = talk;
    webview.options = this.parts.options();
    panel.title = title;
    panel.iconPath = files.icon;
    webview.onDidReceiveMessage((data: unknown) => talk.receive(data));
    panel.onDidDispose(() => {
      talk.dispose();
      this.panel = undefined;
      this.talk = undefined;
    });
    webview.html = files.html(webview, title);
  }
}
