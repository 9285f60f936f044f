import * as vscode from 'vscode';
import { startOfToday } from '../../base/day';
import { Owned, type Disposable } from '../../base/disposable';
import type { Session } from '../../catalog/session';
import type { Library } from '../../renders/library';
import type { Countdown } from '../../app/account/countdown';
import { commands } from '../../app/ids';
import type { Settings } from '../settings';
import { accountFace, accountTooltip, type AccountView } from './accountView';
import type { Connection } from './connection';

/** What the status bar shows of renders. */
type RenderFigures = Pick<Library, 'onDidChange' | 'activeCount' | 'spentSince' | 'capReachedSince'>;

/** Account and balance in the status bar; a click opens the account menu. */
export class StatusBar implements Disposable {
  private readonly own = new Owned();
  private readonly item = this.own.add(
    vscode.window.createStatusBarItem('modelCatalog.balance', vscode.StatusBarAlignment.Left, 10),
  );
  private figures: RenderFigures | undefined;

  constructor(
    private readonly session: Session,
    private readonly connection: Connection,
    private readonly settings: Settings,
    private readonly countdown: Countdown,
  ) {
    this.item.name = vscode.l10n.t('Model Catalog: Account and Balance');
    this.item.command = commands.accountMenu;
    this.own.add(session.onDidChange(() => this.update()));
    this.own.add(settings.onDidChange(() => this.update()));
    this.own.add(countdown.onDidChange(() => this.update()));
    this.update();
    this.item.show();
  }

  /** Shows active renders and today's spend from now on. */
  follow(figures: RenderFigures): void {
    this.figures = figures;
    this.own.add(figures.onDidChange(() => this.update()));
    this.update();
  }

  /** What is shown, for the account menu to say the same. */
  get view(): AccountView {
    return {
      state: this.session.state,
      sandbox: this.connection.isSandbox,
      lowBalance: this.settings.lowBalance,
      active: this.figures?.activeCount ?? 0,
      spentTodayCents: this.figures?.spentSince(startOfToday()),
      spentProjectCents: this.figures && spentOnProject(this.figures),
      capReachedAt: this.figures?.capReachedSince(startOfToday()),
      waitSeconds: this.countdown.seconds,
    };
  }

  dispose(): void {
    this.own.dispose();
  }

  private update(): void {
    const view = this.view;
    const face = accountFace(view);
    this.item.text = `$(${view.active > 0 ? 'loading~spin' : face.icon}) ${face.text}`;
    this.item.tooltip = accountTooltip(view);
    this.item.accessibilityInformation = { label: face.spoken };
  }
}

/** For all folders of the window together; undefined when none is open, and while it is not known. */
function spentOnProject(figures: RenderFigures): number | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return undefined;
  const spent = folders.map(({ uri }) => figures.spentSince(0, uri.toString()));
  return spent.every((cents) => cents !== undefined) ? spent.reduce((sum, cents) => sum + cents, 0) : undefined;
}
