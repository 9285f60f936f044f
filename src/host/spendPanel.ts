import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { Owned, type Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { systemRandom } from '../base/random';
import type { Session } from '../catalog/session';
import { englishSpendStrings } from '../form/spendStrings';
import { dayOf } from '../renders/days';
import { showProblem } from './commands';
import { spendViewType } from './ids';
import { plain } from './plain';
import { connectedOf, type Renders } from './renders';
import { SpendConversation, type SpendWorld } from './spendConversation';
import { translated } from './translated';
import { webviewHtml } from './webviewHtml';
import { sentenceOf } from './words';

/** The one page of this window that tells what was spent. */
export class SpendPanel implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly title = vscode.l10n.t('Spend');
  private panel: vscode.WebviewPanel | undefined;
  private conversation: SpendConversation | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly renders: Pick<Renders, 'library' | 'ledger'>,
    private readonly session: Session,
    private readonly log: Log,
  ) {
    this.own.add(session.onDidChange(() => this.conversation?.refresh()));
  }

  /** Opens the page, or shows it where it is open; where an account is in use its balance is asked for anew. */
  open(): void {
    void this.session.refreshBalance();
    if (this.panel) this.panel.reveal();
    else {
      const { Active } = vscode.ViewColumn;
      this.adopt(vscode.window.createWebviewPanel(spendViewType, this.title, Active, this.options()));
    }
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
    const conversation = new SpendConversation(this.worldOf(panel));
    this.panel = panel;
    this.conversation = conversation;
    webview.options = this.options();
    panel.title = this.title;
    panel.iconPath = { light: this.media('spend-light.svg'), dark: this.media('spend-dark.svg') };
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    panel.onDidDispose(() => {
      conversation.dispose();
      this.panel = undefined;
      this.conversation = undefined;
    });
    webview.html = this.html(webview);
  }

  private html(webview: vscode.Webview): string {
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.built(), name)).toString();
    return webviewHtml({
      cspSource: webview.cspSource,
      nonce: systemRandom.uuid(),
      script: address('spend.js'),
      style: address('spend.css'),
      language: vscode.env.language,
      title: this.title,
    });
  }

  private worldOf(panel: vscode.WebviewPanel): SpendWorld {
    const { library, ledger } = this.renders;
    return {
      library,
      ledger,
      clock: systemClock,
      log: this.log,
      strings: translated(englishSpendStrings),
      locale: vscode.env.language,
      connection: () => connectedOf(this.session),
      save: (table) => this.save(table),
      isShown: () => panel.visible,
      post: (message) => void panel.webview.postMessage(message),
    };
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.built()] };
  }

  private built(): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview');
  }

  private media(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'media', name);
  }

  /** Asks where to, writes the table there and tells of it. Never rejects. */
  private async save(table: string): Promise<void> {
    try {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const uri = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export Spend'),
        defaultUri: folder && vscode.Uri.joinPath(folder, `spend-${dayOf(Date.now())}.csv`),
        filters: { CSV: ['csv'] },
      });
      if (!uri) return;
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(table));
      const open = vscode.l10n.t('Open');
      const saved = vscode.l10n.t('Saved {0}.', plain(vscode.workspace.asRelativePath(uri)));
      if ((await vscode.window.showInformationMessage(saved, open)) === open)
        await vscode.commands.executeCommand('vscode.open', uri);
    } catch (error) {
      this.log.error(`Export of spend: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error));
    }
  }
}
