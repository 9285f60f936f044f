import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { Session } from '../../catalog/session';
import { englishSpendStrings } from '../../form/spendStrings';
import { dayOf } from '../../renders/days';
import { showProblem } from '../commands';
import { spendViewType } from '../ids';
import { OnePage } from '../onePage';
import { PageFiles } from '../pageFiles';
import { plain } from '../plain';
import { connectedOf, type Renders } from '../renders/renders';
import { translated } from '../translated';
import { sentenceOf } from '../words';
import { SpendConversation, type SpendWorld } from './spendConversation';

/** The one page of this window that tells what was spent. */
export class SpendPanel implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly page: OnePage<SpendConversation>;

  constructor(
    extensionUri: vscode.Uri,
    private readonly renders: Pick<Renders, 'library' | 'ledger'>,
    private readonly session: Session,
    private readonly log: Log,
  ) {
    const files = new PageFiles(extensionUri, 'spend');
    this.page = this.own.add(
      new OnePage({
        viewType: spendViewType,
        title: vscode.l10n.t('Spend'),
        files,
        // Its own script and style.
        options: () => ({ enableScripts: true, localResourceRoots: [files.folder] }),
        converse: (panel) => new SpendConversation(this.worldOf(panel)),
      }),
    );
    this.own.add(session.onDidChange(() => this.page.conversation?.refresh()));
  }

  /** Opens the page, or shows it where it is open; where an account is in use its balance is asked for anew. */
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
