import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import type { Session } from '../../catalog/session';
import { englishSpendStrings } from './page/spendMessages';
import { showProblem } from '../../editor/commands';
import { commands, spendViewType } from '../../editor/ids';
import { OnePage, PageFiles } from '../../editor/pages';
import { plain } from '../../base/plain';
import { modelNames } from '../models/model/modelNames';
import { connectedOf } from '../rendering/renders';
import type { Library } from '../../renders/library';
import { translated } from '../rendering/translated';
import { remedyOf, sentenceOf } from '../../editor/words';
import { SpendConversation, type SpendingDeps } from './model/spendConversation';
import { dayOf } from '../../renders/spendSums';

/** The window's spending page. */
export class SpendPanel implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly page: OnePage<SpendConversation>;

  constructor(
    extensionUri: vscode.Uri,
    private readonly library: Library,
    private readonly session: Session,
    private readonly log: Log,
  ) {
    const files = new PageFiles(extensionUri, 'spend');
    this.page = this.own.add(
      new OnePage({
        viewType: spendViewType,
        title: vscode.l10n.t('Spending'),
        files,
        // Only its own script and style.
        options: () => ({ enableScripts: true, localResourceRoots: [] }),
        converse: (panel) => new SpendConversation(this.depsOf(panel)),
      }),
    );
    this.own.add(session.onDidChange(() => this.page.conversation?.refresh()));
  }

  /** Opens the page, or reveals it, and refreshes the balance of the account in use. */
  open(): void {
    void this.session.refreshBalance();
    this.page.open();
  }

  /** As `OnePage`. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    return this.page.deserializeWebviewPanel(panel);
  }

  dispose(): void {
    this.own.dispose();
  }

  private depsOf(panel: vscode.WebviewPanel): SpendingDeps {
    const { library } = this;
    return {
      library,
      clock: systemClock,
      log: this.log,
      strings: translated(englishSpendStrings),
      locale: vscode.env.language,
      modelNames: () => modelNames(this.session).catch(() => (id) => id),
      connection: () => connectedOf(this.session),
      save: (table) => this.save(table),
      openModel: () => void vscode.commands.executeCommand(commands.openModel),
      isShown: () => panel.visible,
      post: (message) => void panel.webview.postMessage(message),
    };
  }

  /** Asks where to save, writes the table there, and reports it. Never rejects. */
  private async save(table: () => Promise<string>): Promise<void> {
    try {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const uri = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export Spending'),
        defaultUri: folder && vscode.Uri.joinPath(folder, `spend-${dayOf(Date.now())}.csv`),
        filters: { CSV: ['csv'] },
      });
      if (!uri) return;
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await table()));
      const open = vscode.l10n.t('Open');
      const saved = vscode.l10n.t('Saved {0}.', plain(vscode.workspace.asRelativePath(uri)));
      if ((await vscode.window.showInformationMessage(saved, open)) === open)
        await vscode.commands.executeCommand('vscode.open', uri);
    } catch (error) {
      this.log.error(`Couldn’t export spending: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }
}
