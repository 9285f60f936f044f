import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import { formatCents } from '../../base/money';
import type { Session } from '../../catalog/session';
import { BudgetError } from '../../renders/budgetError';
import type { Budgets, NamedBudget } from '../../renders/budgets';
import { Consent } from '../../renders/consent';
import { LedgerError } from '../../renders/ledgerError';
import { OrderError } from '../../renders/orderError';
import type { Order, OrderedBy, RenderRecord } from '../../renders/record';
import { covers } from '../../renders/spending';
import type { Settings } from '../settings';
import { UserError, type Remedy } from '../userError';
import { ledgerSentence } from '../words';
import type { LedgerState } from './ledgerState';
import { limitSettings, openLimit } from './openLimit';
import { spender } from './spender';
import type { Targets } from './targets';

/** An order before its price is known. */
export type Draft = Omit<Order, 'shownCents' | 'by'>;

/** Orders renders for the doors of the editor: shows the price where it must be said yes to, then hands the order on. */
export class Spend {
  private readonly consent: Consent;

  constructor(
    private readonly budgets: Budgets,
    session: Session,
    settings: Settings,
    private readonly targets: Targets,
    private readonly ledgerState: LedgerState,
    clock: Clock,
  ) {
    this.consent = new Consent(spender(session), () => settings, clock);
  }

  /**
   * Renders an order whose price stands on the screen, made by a gesture of ours. Undefined when the person said no. Rejects with UserError
   * when it was not recorded, so not sent.
   */
  async render(order: Order): Promise<RenderRecord | undefined> {
    const aimed = await this.aimed(order);
    return aimed && (await this.consent.to(aimed, 'ours')) !== 'refused' ? this.place(aimed, 'person') : undefined;
  }

  /**
   * Renders for something that acts for the person, at the price that `price` asks for. What many ask for at once is one question. Otherwise as
   * `render`.
   */
  async renderUnattended(draft: Draft, price: () => Promise<number | undefined>): Promise<RenderRecord | undefined> {
    const made = async () => this.aimed({ ...draft, shownCents: await price() });
    const asked = await this.consent.unattended(made);
    if (!asked || asked.answer === 'refused') return undefined;
    const { order, answer } = asked;
    // The question may have stood there for long: the yes was one to this price, and to none above it.
    if (answer === 'unasked' || covers(order.shownCents, await price())) return this.place(order, 'agent');
    return this.renderUnattended(order, price);
  }

  /** Renders an order whose price the person has just said yes to. Otherwise as `render`. */
  async renderAgreed(order: Order): Promise<RenderRecord | undefined> {
    // Without a price there was nothing to say yes to.
    if (order.shownCents === undefined) return this.render(order);
    this.consent.agreed();
    const aimed = await this.aimed(order);
    return aimed && this.place(aimed, 'person');
  }

  /** The order with the folder it goes to, within the limits. Undefined when the person named no folder, or does not go on with a new list. */
  private async aimed(order: Order): Promise<Order | undefined> {
    if (!(await this.ledgerState.settled())) return undefined;
    this.targets.check(order.target);
    const target = await this.targets.decide(order.target);
    if (!target) return undefined;
    const aimed = { ...order, target };
    this.checkBudgets(aimed);
    return aimed;
  }

  /** Throws UserError when the render would exceed a limit the person has set. */
  checkBudgets(order: Pick<Order, 'shownCents' | 'target'>): void {
    worded(() => this.budgets.check(order));
  }

  /** Sends a render that waits for the person, who agreed to its price when it was ordered. Rejects with UserError when it would exceed a limit by now. */
  async sendPlanned(record: RenderRecord): Promise<RenderRecord> {
    return worded(() => this.budgets.send(record));
  }

  /** Looks at the limits once more: other renders may have been ordered while this one was asked about. */
  private place(order: Order, by: OrderedBy): RenderRecord {
    return worded(() => this.budgets.place({ ...order, by }));
  }
}

/** What keeps an order from being sent, in words for a person. */
function worded<T>(order: () => T): T {
  try {
    return order();
  } catch (error) {
    if (error instanceof BudgetError)
      throw new UserError(budgetSentence(error.budget), { cause: error, remedy: changeOf(error) });
    if (error instanceof OrderError || error instanceof LedgerError)
      throw new UserError(orderSentence(error), { cause: error });
    throw error;
  }
}

function budgetSentence({ name, limit = 0, committed }: NamedBudget): string {
  const language = vscode.env.language;
  return vscode.l10n.t(
    'Not sent, nothing charged: the render would exceed the limit of {0} in the setting modelCatalog.{1}; {2} of it is used. Raise the limit to go on.',
    formatCents(limit, language),
    limitSettings[name],
    formatCents(committed, language),
  );
}

function changeOf({ budget, root }: BudgetError): Remedy {
  return { title: vscode.l10n.t('Change the Limit'), run: () => openLimit(budget.name, root) };
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
