import * as vscode from 'vscode';
import { startOfToday } from '../../base/format';
import { type Disposable, Disposables } from '../../base/disposable';
import type { Session } from '../../catalog/session';
import type { Library } from '../../renders/library';
import type { Countdown } from './model/keyNotice';
import { commands } from '../../editor/ids';
import type { Settings } from '../../editor/settings';
import { accountFace, accountTooltip, type AccountView } from './accountView';
import type { Connection } from './connection';

/** Account and balance in the Status Bar; a click opens the account menu. */
export class StatusBar implements Disposable {
  private readonly own = new Disposables();
  private readonly item = this.own.add(
    vscode.window.createStatusBarItem('modelCatalog.balance', vscode.StatusBarAlignment.Left, 10),
  );
  private figures: Library | undefined;

  /** It's shown once `registered` resolves. */
  constructor(
    registered: Promise<void>,
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
    void registered.then(() => {
      this.update();
      this.item.show();
    });
  }

  /** From now on also shows renders in progress and today's spending. */
  follow(figures: Library): void {
    this.figures = figures;
    this.own.add(figures.onDidChange(() => this.update()));
    this.update();
  }

  /** The data shown, so that the account menu agrees. */
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

/** For all open folders together; undefined with none open, and while unknown. */
function spentOnProject(figures: Library): number | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return folders.length === 0 ? undefined : figures.spentFor(folders);
}
