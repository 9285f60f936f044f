import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { Owned, type Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { spokenCents } from '../base/money';
import { systemRandom } from '../base/random';
import { englishGalleryStrings } from '../form/galleryStrings';
import { stagedFolder } from '../renders/downloader';
import type { Library } from '../renders/library';
import { GalleryConversation, type GalleryWorld } from './galleryConversation';
import { isInside, isOfProject } from './galleryTile';
import { abilitiesOf } from './generationItem';
import { commands, galleryViewType } from './ids';
import { priceOf, standing, story } from './renderWords';
import { translated } from './translated';
import { webviewHtml } from './webviewHtml';

/** The one gallery of this window: what was rendered for its project, as pictures. */
export class GalleryPanel implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly title = vscode.l10n.t('Generations of This Project');
  private readonly staged: vscode.Uri;
  private panel: vscode.WebviewPanel | undefined;
  private conversation: GalleryConversation | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly library: Library,
    storage: vscode.Uri,
    private readonly log: Log,
  ) {
    this.staged = vscode.Uri.joinPath(storage, stagedFolder);
    this.own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.follow()));
    this.own.add(library.onDidChange(() => openFolders().length === 0 && this.follow()));
    // What the editor watches anyhow.
    const files = this.own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    files.onDidDelete((uri) => this.conversation?.lost(uri.toString()));
    files.onDidCreate((uri) => this.conversation?.found(uri.toString()));
  }

  /** Opens the gallery, or shows it where it is open. */
  open(): void {
    if (this.panel) this.panel.reveal();
    else
      this.adopt(
        vscode.window.createWebviewPanel(galleryViewType, this.title, vscode.ViewColumn.Active, this.options()),
      );
  }

  /** The panel of an earlier window; there is only one. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel) panel.dispose();
    else this.adopt(panel);
    return Promise.resolve();
  }

  /** The panel stays: the editor brings it back when the extension starts again. */
  dispose(): void {
    this.conversation?.dispose();
    this.own.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const conversation = new GalleryConversation(this.worldOf(webview));
    this.panel = panel;
    this.conversation = conversation;
    webview.options = this.options();
    panel.title = this.title;
    panel.iconPath = { light: this.media('gallery-light.svg'), dark: this.media('gallery-dark.svg') };
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    panel.onDidDispose(() => {
      conversation.dispose();
      this.panel = undefined;
      this.conversation = undefined;
    });
    webview.html = this.html(webview);
  }

  private html(webview: vscode.Webview): string {
    const address = (name: string) => webview.asWebviewUri(this.built(name)).toString();
    return webviewHtml({
      cspSource: webview.cspSource,
      nonce: systemRandom.uuid(),
      script: address('gallery.js'),
      style: address('gallery.css'),
      language: vscode.env.language,
      title: this.title,
    });
  }

  private worldOf(webview: vscode.Webview): GalleryWorld {
    return {
      library: this.library,
      clock: systemClock,
      log: this.log,
      strings: translated(englishGalleryStrings),
      locale: vscode.env.language,
      folders: openFolders,
      standing,
      story,
      price: (entry) => priceOf(entry),
      spokenPrice: (entry) => priceOf(entry, spokenCents),
      abilities: abilitiesOf,
      address: (file) => this.addressOf(file, webview),
      act: async (action, id) => vscode.commands.executeCommand(commands[action], id),
      compare: async (ids) => vscode.commands.executeCommand(commands.compareResults, undefined, ids),
      openModel: async () => vscode.commands.executeCommand(commands.openModel),
      post: (message) => void webview.postMessage(message),
    };
  }

  private addressOf(file: string, webview: vscode.Webview): string | undefined {
    const folders = openFolders();
    // With no folder open, where results were saved is what may be loaded.
    const isOurs =
      folders.length === 0 || [...folders, this.staged.toString()].some((folder) => isInside(file, folder));
    return isOurs ? webview.asWebviewUri(vscode.Uri.parse(file, true)).toString() : undefined;
  }

  /** What the gallery may load: its own script and style, and what lies in the project. */
  private options(): vscode.WebviewOptions {
    const roots = this.roots().map((root) => vscode.Uri.parse(root, true));
    return { enableScripts: true, localResourceRoots: [this.built(), this.staged, ...roots] };
  }

  /** The open folders; with none open, those this editor's results were saved into. URIs. */
  private roots(): readonly string[] {
    const folders = openFolders();
    if (folders.length > 0) return folders;
    const files = this.library.entries.flatMap((entry) => (isOfProject(entry, []) && entry.file ? [entry.file] : []));
    return [...new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))].sort();
  }

  private built(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview', ...path);
  }

  private media(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'media', name);
  }

  /** A webview that may load something else than before starts anew, and is told everything then. */
  private follow(): void {
    if (this.panel) this.panel.webview.options = this.options();
    this.conversation?.refresh();
  }
}

function openFolders(): readonly string[] {
  return vscode.workspace.workspaceFolders?.map(({ uri }) => uri.toString()) ?? [];
}
