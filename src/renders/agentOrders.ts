import type { Clock } from '../base/clock';
import type { Agreement } from './agreement';
import type { Budgets } from './budgets';
import { LedgerError } from './ledgerError';
import { cutShort } from './ledgerRow';
import type { Library } from './library';
import { sameInputs } from './proof';
import type { Draft, PricedOrder } from './priced';
import type { RenderRecord } from './record';
import { isSameOrder } from './sameOrder';
import { isUncharged } from './uncharged';

/** The outcome of an agent's order. */
export type AgentOrdered =
  | { readonly is: 'placed' | 'joined'; readonly record: RenderRecord }
  /** Nothing was placed: the person declined, or the agent stopped waiting, or the person stopped agents. */
  | { readonly is: 'refused' | 'canceled' };

/** Optional parts of an agent's order. */
export interface AgentWish {
  /** True when the agent wants a second render of the same order on purpose. */
  readonly again?: boolean;
  /** Aborted when the agent no longer wants it. */
  readonly signal?: AbortSignal;
}

/** Why an order was given up: the person stopped agents. */
export class AgentsStopped extends Error {}

/** An order that isn't placed yet. */
interface Coming {
  /** Of everyone who wants it. */
  readonly signals: (AbortSignal | undefined)[];
  readonly ordered: Promise<AgentOrdered>;
}

/** Identical orders of an agent within this time count as one, ms. */
const twinMs = 10 * 60_000;

/**
 * Orders by agents. Each is priced when it arrives, whatever price the agent saw before, and passes `Consent`. An agent
 * that repeats an order gets the existing render.
 */
export class AgentOrders {
  /** Orders that aren't placed yet, by draft. */
  private readonly coming = new Map<Draft, Coming>();
  private stopping = new AbortController();

  constructor(
    private readonly agreement: Agreement,
    private readonly budgets: Pick<Budgets, 'place'>,
    private readonly library: Pick<Library, 'entries' | 'inputsOf'>,
    private readonly clock: Pick<Clock, 'now'>,
    /** Adds the target to the order, within the limits. Undefined when the person canceled. */
    private readonly aim: (order: PricedOrder) => Promise<PricedOrder | undefined>,
  ) {}

  /**
   * Aborted with AgentsStopped when the person stops agents, for what they want now. What they want later has a signal
   * of its own.
   */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** The person stops agents: what isn't placed yet is given up, and nobody joins it any longer. */
  stop(): void {
    this.coming.clear();
    this.stopping.abort(new AgentsStopped());
    this.stopping = new AbortController();
  }

  /** Rejects when the order can't be priced, confirmed, or placed: then nothing was sent. */
  render(draft: Draft, wish: AgentWish = {}): Promise<AgentOrdered> {
    return this.once(draft, wish, (isWanted) => this.order(draft, isWanted));
  }

  /** The same for an order whose price the person has just confirmed in our own question. */
  renderAgreed(order: PricedOrder, wish: AgentWish = {}): Promise<AgentOrdered> {
    return this.once(order, wish, (isWanted) => this.orderAgreed(order, isWanted));
  }

  /**
   * The identical order that an agent has placed or is about to place, if there is one. From now on it's wanted until
   * the signal is aborted too. Rejects with LedgerError when that can't be told: then nothing may be ordered.
   */
  twinOf(draft: Draft, { signal }: Pick<AgentWish, 'signal'> = {}): Promise<AgentOrdered> | undefined {
    for (const [one, { signals, ordered }] of this.coming) {
      if (!isSame(one, draft)) continue;
      signals.push(signal);
      return ordered.then(joined);
    }
    try {
      const record = this.library.entries.map(({ record }) => record).find((one) => one && this.isTwin(one, draft));
      return record && Promise.resolve({ is: 'joined', record });
    } catch (error) {
      if (error instanceof LedgerError) return Promise.reject(error);
      throw error;
    }
  }

  private once(
    draft: Draft,
    { again, signal }: AgentWish,
    order: (isWanted: () => boolean) => Promise<AgentOrdered>,
  ): Promise<AgentOrdered> {
    const twin = again ? undefined : this.twinOf(draft, { signal });
    if (twin) return twin;
    const signals = [signal];
    const { stopped } = this;
    const isWanted = () => !stopped.aborted && signals.some((one) => !one?.aborted);
    const ordered = order(isWanted).finally(() => this.coming.delete(draft));
    this.coming.set(draft, { signals, ordered });
    return ordered;
  }

  private async orderAgreed(order: PricedOrder, isWanted: () => boolean): Promise<AgentOrdered> {
    const aimed = await this.aim(order);
    return this.place(aimed && (await this.agreement.agreed(aimed)), isWanted);
  }

  private async order(draft: Draft, isWanted: () => boolean): Promise<AgentOrdered> {
    const order = await this.aim(await this.agreement.price(draft));
    return this.place(order && (await this.agreement.to(order, 'agent', isWanted)), isWanted);
  }

  private place(order: PricedOrder | undefined, isWanted: () => boolean): AgentOrdered {
    // Nobody declined what was given up.
    if (!order) return { is: isWanted() ? 'refused' : 'canceled' };
    try {
      if (isWanted()) return { is: 'placed', record: this.budgets.place({ ...order, by: 'agent' }) };
    } catch (error) {
      this.agreement.takeBack(order);
      throw error;
    }
    this.agreement.takeBack(order);
    return { is: 'canceled' };
  }

  private isTwin(record: RenderRecord, draft: Draft): boolean {
    if (record.by !== 'agent') return false;
    const { state, plannedAt } = record;
    const isOpen = state === 'planned' || state === 'sent' || state === 'accepted' || state === 'succeeded';
    const isYoung = this.clock.now() - plannedAt < twinMs;
    return (isOpen || (isYoung && !isUncharged(state))) && isSame(record, draft) && this.hasInputs(record, draft);
  }

  /** A record has only the beginnings of large inputs. Throws LedgerError when the full ones are lost. */
  private hasInputs(record: RenderRecord, { inputs }: Draft): boolean {
    return !record.isApart || sameInputs(this.library.inputsOf({ record, inputs: record.inputs }), inputs);
  }
}

function joined(ordered: AgentOrdered): AgentOrdered {
  return 'record' in ordered ? { ...ordered, is: 'joined' } : ordered;
}

/** Whether both are the same order. A record holds only the beginnings of large inputs. */
function isSame(one: Pick<RenderRecord, 'modelId' | 'inputs' | 'target' | 'isApart'>, other: Draft): boolean {
  return isSameOrder(one, one.isApart ? { ...other, inputs: cutShort(other.inputs) } : other);
}
