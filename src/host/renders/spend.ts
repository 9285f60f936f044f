import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import { formatCents } from '../../base/money';
import type { Session } from '../../catalog/session';
import { Consent } from '../../renders/consent';
import { LedgerError } from '../../renders/ledgerError';
import type { Library } from '../../renders/library';
import { OrderError } from '../../renders/orderError';
import type { Order, OrderedBy, RenderRecord, Target } from '../../renders/record';
import type { Renderer } from '../../renders/renderer';
import { covers, exceeded, type Budget } from '../../renders/spending';
import { settingIds, type SettingId } from '../ids';
import type { Settings } from '../settings';
import { startOfToday } from '../today';
import { UserError, type Remedy } from '../userError';
import { ledgerSentence } from '../words';
import type { LedgerState } from './ledgerState';
import { openLimit } from './openLimit';
import { spender } from './spender';
import type { Targets } from './targets';

/** A limit of the person's, and the setting it is set by. */
export type SetBudget = Budget & { readonly id: SettingId };

/** An order before its price is known. */
export type Draft = Omit<Order, 'shownCents' | 'by'>;

/** Orders renders for the doors of the editor: shows the price where it must be said yes to, then hands the order on. */
export class Spend {
  private readonly consent: Consent;

  constructor(
    private readonly renderer: Renderer,
    private readonly library: Library,
    session: Session,
    private readonly settings: Settings,
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
  checkBudgets({ shownCents, target }: Pick<Order, 'shownCents' | 'target'>): void {
    const over = exceeded(shownCents, this.budgets(target));
    if (over) throw overBudget(over, target.root);
  }

  /** The limits the person has set for renders that go there, and how far each is used. */
  budgets({ root }: Pick<Target, 'root'>): SetBudget[] {
    const budgetPerDay = this.settings.budgetPerDay(root);
    const budgetPerProject = this.settings.budgetPerProject(root);
    if (budgetPerDay === undefined && budgetPerProject === undefined) return [];
    this.library.catchUp();
    const isSending = (key: string) => this.renderer.isSending(key);
    const day = {
      id: settingIds.budgetPerDay,
      limit: budgetPerDay,
      committed: this.library.committed({ from: startOfToday(), isSending }),
    };
    const project = {
      id: settingIds.budgetPerProject,
      limit: root === undefined ? undefined : budgetPerProject,
      committed: this.library.committed({ root, isSending }),
    };
    return [day, project];
  }

  /** Looks at the limits once more: other renders may have been ordered while this one was asked about. */
  private place(order: Order, by: OrderedBy): RenderRecord {
    // The same order a second time is the render there is.
    if (!this.library.ofRecord(order.intent)) this.checkBudgets(order);
    const record = this.record({ ...order, by });
    this.takeBackOverBudget(record);
    return record;
  }

  private record(order: Order): RenderRecord {
    try {
      return this.renderer.order(order);
    } catch (error) {
      if (error instanceof OrderError || error instanceof LedgerError) {
        throw new UserError(orderSentence(error), { cause: error });
      }
      throw error;
    }
  }

  /**
   * Two windows may order in the same moment, each seeing room for its own. With both on record one of them sees the other's at least, and
   * takes back its own, of which no byte has left before this returns.
   */
  private takeBackOverBudget({ key, target }: RenderRecord): void {
    const over = exceeded(0, this.budgets(target));
    if (over && this.renderer.discard(key)) throw overBudget(over, target.root);
  }
}

function overBudget(over: SetBudget, root: string | undefined): UserError {
  return new UserError(budgetSentence(over), { remedy: changeOf(over.id, root) });
}

function budgetSentence({ id, limit = 0, committed }: SetBudget): string {
  const language = vscode.env.language;
  return vscode.l10n.t(
    'Not sent, nothing charged: the render would exceed the limit of {0} in the setting modelCatalog.{1}; {2} of it is used. Raise the limit to go on.',
    formatCents(limit, language),
    id,
    formatCents(committed, language),
  );
}

function changeOf(id: SettingId, root: string | undefined): Remedy {
  return { title: vscode.l10n.t('Change the Limit'), run: () => openLimit(id, root) };
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
