import * as vscode from 'vscode';
import { commands, originViewType } from '../../editor/ids';
import { modelNames } from '../models/model/modelNames';
import { OriginConversation, readKeptOrigin } from './model/originConversation';
import { originText } from './model/originText';
import { originView } from './model/originView';
import { remedyOf } from '../../editor/userError';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import { oneLine } from '../../base/plain';
import { fileNameOf } from '../../files/fileName';
import type { OriginAction, OriginView } from './page/originMessages';
import { englishOriginStrings } from './page/originStrings';
import type { LibraryEntry } from '../../renders/library';
import type { Foundation } from '../../foundation';
import { showProblem } from '../../editor/commands';
import { fileOf } from '../../editor/fileOfItem';
import { fileOrigin, type FileOrigin } from '../rendering/fileOrigin';
import { relativePath } from '../../editor/readUpTo';
import { unreadWords } from '../../editor/unreadWords';
import { folderOf, watchFiles } from '../../editor/watchFiles';
import { PageFiles } from '../../editor/pageFiles';
import { shownFile } from '../../editor/shownFile';
import { translated } from '../rendering/translated';
import { sentenceOf } from '../../editor/words';
import { openFileInForm, openProvenInForm } from './originActions';
import { originWords } from './originWords';
import type { OpenForm } from '../../compose/openForm';

/** What webviews can show as an image. */
const pictureEnding = /\.(png|jpe?g|gif|webp|avif|svg|bmp)$/i;

interface OriginPanel {
  readonly file: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  readonly conversation: OriginConversation;
}

interface Seen {
  readonly origin: FileOrigin;
  readonly entry: LibraryEntry | undefined;
}

/** The window's pages about how files were made, at most one for each file. */
export class OriginPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly pages = new Map<string, OriginPanel>();
  private readonly files: PageFiles;

  constructor(
    private readonly foundation: Foundation,
    private readonly openForm: OpenForm,
  ) {
    this.files = new PageFiles(foundation.context.extensionUri, 'origin');
  }

  /**
   * Opens the page about a file, or reveals it with what is known now; with `inForm`, the form with what it was made
   * from, if that's certain.
   */
  async open(item: unknown, inForm?: unknown): Promise<void> {
    const file = fileOf(item);
    if (inForm === true && (await openProvenInForm(file, await this.foundation.renders.get(), this.openForm))) return;
    const page = this.pages.get(file.toString());
    page?.panel.reveal();
    page?.conversation.refresh();
    if (page) return;
    const { Active } = vscode.ViewColumn;
    this.adopt(vscode.window.createWebviewPanel(originViewType, titleOf(file), Active, this.optionsOf(file)), file);
  }

  /** A panel of an earlier window; closes if it isn't known which file it was about. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readKeptOrigin(state);
    if (kept && !this.pages.has(kept.file)) this.adopt(panel, vscode.Uri.parse(kept.file, true));
    else panel.dispose();
    return Promise.resolve();
  }

  /** The panels stay: the editor restores them when the extension starts again. */
  dispose(): void {
    this.own.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, file: vscode.Uri): void {
    const { webview } = panel;
    const id = file.toString();
    const following = this.own.add(new Owned());
    const look = this.follow(file, following);
    const conversation = new OriginConversation({
      log: this.foundation.log,
      strings: translated(englishOriginStrings),
      locale: vscode.env.language,
      look: () => this.view(file, webview, look),
      act: (action) => this.act(action, file, look),
      post: (message) => void webview.postMessage(message),
    });
    this.pages.set(id, { file, panel, conversation });
    following.add(watchFiles([id], () => conversation.refresh()));
    webview.options = this.optionsOf(file);
    panel.title = titleOf(file);
    panel.iconPath = this.files.icon;
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    panel.onDidDispose(() => {
      following.dispose();
      this.pages.delete(id);
    });
    webview.html = this.files.html(webview, panel.title);
  }

  /** Looks at the file when called; from then on, the page is refreshed when the file's render changes. */
  private follow(file: vscode.Uri, following: Owned): () => Promise<Seen> {
    let key: string | undefined;
    let seen: LibraryEntry | undefined;
    let isFollowing = false;
    return async () => {
      const renders = await this.foundation.renders.get();
      const { library, resultFolders } = renders;
      const origin = await fileOrigin(file, renders);
      key = origin.record?.key;
      seen = key === undefined ? undefined : library.ofRecord(key);
      // A folder with one result may hold more from colleagues.
      if (origin.record ?? origin.told) resultFolders.add([file.toString()]);
      if (!isFollowing)
        following.add(
          library.onDidChange(() => {
            if (key !== undefined && library.ofRecord(key) !== seen)
              this.pages.get(file.toString())?.conversation.refresh();
          }),
        );
      isFollowing = true;
      return { origin, entry: seen };
    };
  }

  private async view(
    file: vscode.Uri,
    webview: vscode.Webview,
    look: () => Promise<Seen>,
  ): Promise<OriginView | string> {
    try {
      const [{ origin, entry }, modelName] = await Promise.all([look(), modelNames(this.foundation.session)]);
      const picture = pictureEnding.test(file.path) ? { address: (await shownFile(file, webview)).address } : undefined;
      const path = (uri: string) => relativePath(vscode.Uri.parse(uri));
      const words = { ...originWords(unreadWords(file, origin.unread)), modelName, path };
      return originView(file.toString(), picture, origin, entry, words);
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      return sentenceOf(error);
    }
  }

  /** Never rejects: failures are reported. */
  private async act(action: OriginAction, file: vscode.Uri, look: () => Promise<Seen>): Promise<void> {
    try {
      await this.carryOut(action, file, look);
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  private async carryOut(action: OriginAction, file: vscode.Uri, look: () => Promise<Seen>): Promise<void> {
    switch (action) {
      case 'renderAgain':
        return vscode.commands.executeCommand(commands.renderFileAgain, file);
      case 'copyPrompt':
        return vscode.commands.executeCommand(commands.copyFilePrompt, file);
      case 'openInForm':
        return openFileInForm(file, await this.foundation.renders.get(), this.openForm);
      case 'openFile':
        return vscode.commands.executeCommand('vscode.open', file);
      case 'copyAsText': {
        const { origin, entry } = await look();
        const words = originWords(unreadWords(file, origin.unread));
        return vscode.env.clipboard.writeText(originText(file.toString(), origin, entry, words));
      }
    }
  }

  /** The resources the page may load: its own script and style, and the file's folder. */
  private optionsOf(file: vscode.Uri): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.files.folder, folderOf(file.toString())] };
  }
}

function titleOf(file: vscode.Uri): string {
  return vscode.l10n.t('{0} (how it was made)', oneLine(fileNameOf(file.toString()), 60));
}
