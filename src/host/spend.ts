import * as vscode from 'vscode';
import { formatCents } from '../base/money';
import type { Session } from '../catalog/session';
import { LedgerError } from '../renders/ledgerError';
import type { Library } from '../renders/library';
import { OrderError } from '../renders/orderError';
import type { Order, RenderRecord } from '../renders/record';
import type { Renderer } from '../renders/renderer';
import { exceeded, mustAsk, type Budget, type Gesture } from '../renders/spending';
import { settingIds, type SettingId } from './ids';
import { plain } from './plain';
import type { Settings } from './settings';
import type { Targets } from './targets';
import { startOfToday } from './today';
import { UserError } from './userError';
import { ledgerSentence } from './words';

/** Orders renders for the doors of the editor: shows the price where it must be said yes to, then hands the order on. */
export class Spend {
  private unattendedSpent = 0;

  constructor(
    private readonly renderer: Renderer,
    private readonly library: Library,
    private readonly session: Session,
    private readonly settings: Settings,
    private readonly targets: Targets,
  ) {}

  /**
   * Renders an order. Undefined when the person said no. Rejects with UserError when it was not recorded, so not sent.
   * `ours` is a gesture on a price that stands on the screen; `unattended` acts for the person.
   */
  async render(order: Order, gesture: Gesture): Promise<RenderRecord | undefined> {
    const aimed = await this.aimed(order);
    if (!aimed) return undefined;
    const { confirmAbove, unattendedBudget } = this.settings;
    const limits = { confirmAbove, unattendedBudget, unattendedSpent: this.unattendedSpent };
    const asked = mustAsk(order.shownCents, gesture, limits);
    if (asked && !(await this.confirm(order))) return undefined;
    // Counted before the answer, so that many at once cannot pass the budget together.
    if (!asked && gesture === 'unattended') this.unattendedSpent += order.shownCents ?? 0;
    return this.place(aimed);
  }

  /** Renders an order whose price the person has just said yes to. Otherwise as `render`. */
  async renderAgreed(order: Order): Promise<RenderRecord | undefined> {
    const aimed = await this.aimed(order);
    if (!aimed || (order.shownCents === undefined && !(await this.confirm(order)))) return undefined;
    return this.place(aimed);
  }

  /** The order with the folder it goes to, within the limits. Undefined when the person named no folder. */
  private async aimed(order: Order): Promise<Order | undefined> {
    this.targets.check(order.target);
    const target = await this.targets.decide(order.target);
    if (!target) return undefined;
    const aimed = { ...order, target };
    this.checkBudgets(aimed);
    return aimed;
  }

  /** Throws UserError when the render would exceed a limit the person has set. */
  checkBudgets({ shownCents, target }: Pick<Order, 'shownCents' | 'target'>): void {
    const { budgetPerDay, budgetPerProject } = this.settings;
    const day = {
      id: settingIds.budgetPerDay,
      limit: budgetPerDay,
      committed: this.library.committed({ from: startOfToday() }),
    };
    const project = {
      id: settingIds.budgetPerProject,
      limit: target.root === undefined ? undefined : budgetPerProject,
      committed: this.library.committed({ root: target.root }),
    };
    const over = exceeded(shownCents, [day, project]);
    if (over) throw new UserError(budgetSentence(over));
  }

  /** Looks at the limits once more: other renders may have been ordered while this one was asked about. */
  private place(order: Order): RenderRecord {
    this.checkBudgets(order);
    try {
      return this.renderer.order(order);
    } catch (error) {
      if (error instanceof OrderError || error instanceof LedgerError) {
        throw new UserError(orderSentence(error), { cause: error });
      }
      throw error;
    }
  }

  private async confirm({ modelId, shownCents }: Order): Promise<boolean> {
    const language = vscode.env.language;
    const balance = this.session.state.balance?.cents;
    const price = shownCents === undefined ? undefined : formatCents(shownCents, language);
    const render = price === undefined ? vscode.l10n.t('Render Anyway') : vscode.l10n.t('Render for {0}', price);
    const question =
      price === undefined
        ? vscode.l10n.t('The service does not state a price for this render.')
        : vscode.l10n.t('Render with {0} for {1}?', plain(modelId), price);
    const detail = [
      price === undefined
        ? vscode.l10n.t('The service charges what it states afterwards; the amount is shown then.')
        : undefined,
      shownCents !== undefined && balance !== undefined
        ? vscode.l10n.t('Balance after it: {0}', formatCents(balance - shownCents, language))
        : undefined,
    ];
    const options = { modal: true, detail: detail.filter(Boolean).join('\n') };
    return (await vscode.window.showWarningMessage(question, options, render)) === render;
  }
}

function budgetSentence({ id, limit = 0, committed }: Budget & { readonly id: SettingId }): string {
  const language = vscode.env.language;
  return vscode.l10n.t(
    'Not sent, nothing charged: the render would exceed the limit of {0} in the setting modelCatalog.{1}; {2} of it is used. Raise the limit to go on.',
    formatCents(limit, language),
    id,
    formatCents(committed, language),
  );
}

/** Nothing was recorded, so nothing was sent: that much is proven. */
function orderSentence(error: OrderError | LedgerError): string {
  if (error instanceof LedgerError) return ledgerSentence(error);
  switch (error.code) {
    case 'notConnected':
      return vscode.l10n.t('Not sent, nothing charged: no account is connected. Connect, then render again.');
    case 'otherAccount':
      return vscode.l10n.t(
        'Not sent, nothing charged: the account changed since the price was shown. Look at the new price, then render again.',
      );
    case 'notRecorded':
      return error.cause instanceof LedgerError
        ? ledgerSentence(error.cause)
        : vscode.l10n.t(
            'Not sent, nothing charged: the render could not be recorded safely. Check the disk, then try again.',
          );
  }
}
