import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import type { Log } from '../../base/log';
import { spokenCents } from '../../base/format';
import { englishGalleryStrings } from './page/galleryMessages';
import { stagedFolder } from '../../renders/placement';
import { thumbnailsFolder } from '../../renders/thumbnails';
import { type LibraryEntry, isOfProject } from '../../renders/library';
import { oneLine } from '../../base/plain';
import { sandboxName } from '../../catalog/session';
import { ours } from '../../editor/initiator';
import { commands, galleryViewType } from '../../editor/ids';
import { OnePage, PageFiles } from '../../editor/pages';
import { openFolders } from '../../editor/workspaceFiles';
import { lastSegment, shortModelNames } from '../models/model/modelNames';
import { priceOf, standing, story } from '../rendering/renderWords';
import { makeThumbnail, thumbnailOf } from '../rendering/thumbnailsOf';
import { translated, translatedActions } from '../rendering/translated';
import { GalleryConversation, type GalleryDeps } from './model/galleryConversation';
import type { Memory, Renders } from '../rendering/renders';
import { foldersOf } from '../../files/folder';
import { type GivenImages, imagesOf } from '../../files/givenImages';
import { isInside } from '../../files/sameFile';

/** The window's gallery: its project's renders, as images. */
export class GalleryPanel implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly files: PageFiles;
  /** Those that were sent. */
  private readonly images: GivenImages;
  private readonly page: OnePage<GalleryConversation>;
  private readonly staged: vscode.Uri;
  private readonly thumbnails: vscode.Uri;
  /** The folder that holds results until they are saved. */
  private readonly spool: vscode.Uri;
  private nameOf: (modelId: string) => string = lastSegment;
  /** When the list behind the names was read. */
  private namedAt: number | undefined;

  constructor(
    private readonly renders: Renders,
    memory: Memory,
    private readonly log: Log,
  ) {
    const { extensionUri, globalStorageUri: storage } = memory;
    this.files = new PageFiles(extensionUri, 'gallery');
    this.images = imagesOf(memory);
    this.page = this.own.add(
      new OnePage({
        viewType: galleryViewType,
        title: vscode.l10n.t('Gallery'),
        files: this.files,
        options: () => this.options(),
        converse: ({ webview }) => new GalleryConversation(this.depsOf(webview)),
      }),
    );
    const { library, viewers } = renders;
    const shows = ({ record }: LibraryEntry) => this.page.isVisible && isOfProject(record, openFolders());
    viewers.add(shows);
    this.own.add({ dispose: () => viewers.delete(shows) });
    this.staged = vscode.Uri.joinPath(storage, stagedFolder);
    this.thumbnails = vscode.Uri.joinPath(storage, thumbnailsFolder);
    this.spool = vscode.Uri.joinPath(storage, 'spool');
    void this.learnNames();
    this.own.add(library.onDidChange(() => void this.learnNames()));
    this.own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.follow()));
    this.own.add(library.onDidChange(() => openFolders().length === 0 && this.follow()));
    // The editor watches these anyway.
    const files = this.own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    files.onDidDelete((uri) => this.page.conversation?.lost(uri.toString()));
    files.onDidCreate((uri) => this.page.conversation?.found(uri.toString()));
  }

  /** Opens the gallery, or reveals it. */
  open(): void {
    this.page.open();
  }

  /** As `OnePage`. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    return this.page.deserializeWebviewPanel(panel);
  }

  dispose(): void {
    this.own.dispose();
  }

  private depsOf(webview: vscode.Webview): GalleryDeps {
    return {
      library: this.renders.library,
      clock: systemClock,
      log: this.log,
      strings: translated(englishGalleryStrings),
      locale: vscode.env.language,
      folders: openFolders,
      nameOf: (modelId) => this.nameOf(modelId),
      standing,
      story,
      price: (entry) => priceOf(entry),
      spokenPrice: (entry) => priceOf(entry, spokenCents),
      actions: translatedActions('gallery'),
      address: (file) => this.addressOf(file, webview),
      waiting: ({ record }) => this.waitingAddress(record?.spooled?.name, webview),
      thumbnail: (entry) => this.thumbnailAddress(entry, webview),
      given: (image) =>
        image.bytes <= largestShown && this.images.has(image)
          ? webview.asWebviewUri(vscode.Uri.file(this.images.pathOf(image))).toString()
          : undefined,
      sizeOf,
      makeThumbnail: (entry) => makeThumbnail(entry, this.renders.results.thumbnails, this.log),
      dropThumbnail: async ({ record }) => record && this.renders.results.thumbnails.forget(record.key),
      act: async (action, id) => vscode.commands.executeCommand(commands[action], ours({ id })),
      compare: async (ids) => vscode.commands.executeCommand(commands.compareResults, undefined, ids),
      remove: async (ids) => vscode.commands.executeCommand(commands.moveToTrash, undefined, ids),
      showOlder: async () => vscode.commands.executeCommand(commands.showOlder),
      more: moreWords,
      openModel: async () => vscode.commands.executeCommand(commands.openModel),
      post: (message) => void webview.postMessage(message),
    };
  }

  private addressOf(file: string, webview: vscode.Webview): string | undefined {
    const folders = openFolders();
    // With no folder open, only folders with saved results may be loaded.
    const isOurs =
      folders.length === 0 || [...folders, this.staged.toString()].some((folder) => isInside(file, folder));
    return isOurs ? webview.asWebviewUri(vscode.Uri.parse(file, true)).toString() : undefined;
  }

  private waitingAddress(name: string | undefined, webview: vscode.Webview): string | undefined {
    return name === undefined ? undefined : webview.asWebviewUri(vscode.Uri.joinPath(this.spool, name)).toString();
  }

  private thumbnailAddress(entry: LibraryEntry, webview: vscode.Webview): string | undefined {
    const uri = thumbnailOf(entry, this.renders.results.thumbnails);
    return uri && webview.asWebviewUri(uri).toString();
  }

  /** The resources the gallery may load: its own script and style, and files of the project. */
  private options(): vscode.WebviewOptions {
    const roots = this.roots().map((root) => vscode.Uri.parse(root, true));
    const given = vscode.Uri.file(this.images.folder);
    const ours = [this.staged, this.thumbnails, this.spool, given];
    return { enableScripts: true, localResourceRoots: [...ours, ...roots] };
  }

  /** The open folders; with none open, the folders that this editor's results were saved to. URIs. */
  private roots(): readonly string[] {
    const folders = openFolders();
    if (folders.length > 0) return folders;
    return foldersOf(this.renders.library.entries.flatMap(({ record }) => record?.file ?? []));
  }

  /** Models have display names once their list was read. Never rejects. */
  private async learnNames(): Promise<void> {
    const { modelsAt } = this.renders.session;
    if (modelsAt === undefined || modelsAt === this.namedAt) return;
    this.namedAt = modelsAt;
    this.nameOf = await shortModelNames(this.renders.session);
    this.page.conversation?.refresh();
  }

  private follow(): void {
    this.page.renewOptions();
    this.page.conversation?.refresh();
  }
}

/** Bytes of an image that is shown as small as an icon: a larger one would take long for that. */
const largestShown = 2_000_000;

/** More services than one aren't named. */
function moreWords(count: number, places: readonly string[]): string {
  const [place = ''] = places;
  if (places.length > 1) return vscode.l10n.t('{0} more, from other services', count);
  const service = place === sandboxName ? vscode.l10n.t('Sandbox') : oneLine(place, 60);
  return count === 1 ? vscode.l10n.t('1 more, from {0}', service) : vscode.l10n.t('{0} more, from {1}', count, service);
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(vscode.Uri.parse(file, true))).size;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
