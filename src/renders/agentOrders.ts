import type { Clock } from '../base/clock';
import type { Agreement } from './agreement';
import { LedgerError } from './ledgerError';
import { cutShort } from './ledgerRow';
import type { Library } from './library';
import type { Budgets } from './limits';
import { OrderError } from './orderError';
import { type Draft, type Order, type PricedOrder, type RenderRecord, type Target, isUncharged } from './record';
import { sameInputs } from './proof';

/** The outcome of an agent's order. */
export type AgentOrdered =
  | { readonly is: 'placed'; readonly record: RenderRecord; readonly order: PricedOrder }
  | { readonly is: 'joined'; readonly record: RenderRecord }
  /** Nothing was placed: the person declined, or the agent stopped waiting, or the person stopped agents. */
  | { readonly is: 'refused' | 'canceled' };

/** Optional parts of an agent's order. */
export interface AgentRequest {
  /** True when the agent wants a second render of the same order on purpose. */
  readonly again?: boolean;
  /** Aborted when the agent no longer wants it. */
  readonly signal?: AbortSignal;
}

/** Why an order was given up: the user stopped agents. */
export class AgentsStopped extends Error {}

/** An order that isn't placed yet. */
interface Coming {
  /** Of everyone who wants it. */
  readonly signals: (AbortSignal | undefined)[];
  readonly ordered: Promise<AgentOrdered>;
}

/** An order that no other is the same as, and whether anyone still wants it. */
interface Fresh<T> {
  readonly draft: T;
  readonly signals: Coming['signals'];
  readonly isWanted: () => boolean;
}

/** Identical orders of an agent within this time count as one, ms. */
const duplicateMs = 10 * 60_000;

/**
 * Orders by agents. Each is priced when it arrives, whatever price the agent saw before, and passes `Consent`. Those of
 * one call are recorded together, and then sent in turn. An agent that repeats an order, in whatever window, gets the
 * existing render.
 */
export class AgentOrders {
  /** Orders that aren't placed yet, by draft. */
  private readonly coming = new Map<Draft, Coming>();
  private stopping = new AbortController();

  constructor(
    private readonly agreement: Agreement,
    private readonly budgets: Pick<Budgets, 'placeTogether'>,
    private readonly library: Pick<Library, 'catchUp' | 'entries' | 'inputsOf'>,
    private readonly clock: Clock,
    /** Adds the target to the order, within the limits. Undefined when the user canceled. */
    private readonly aim: (order: PricedOrder) => Promise<PricedOrder | undefined>,
  ) {}

  /**
   * Aborted with AgentsStopped when the user stops agents, for what they want now. What they want later has a signal
   * of its own.
   */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** How many orders aren't placed yet. */
  get unplaced(): number {
    return this.coming.size;
  }

  /** The user stops agents: what isn't placed yet is given up, and nobody joins it any longer. */
  stop(): void {
    this.coming.clear();
    this.stopping.abort(new AgentsStopped());
    this.stopping = new AbortController();
  }

  /**
   * Places the orders of one call; what is placed is to be sent in turn. Rejects for each of them when one can't be
   * priced, confirmed, or recorded: then none was.
   */
  render(drafts: readonly Draft[], wish: AgentRequest = {}): readonly Promise<AgentOrdered>[] {
    const price = async (draft: Draft) => this.aim(await this.agreement.price(draft));
    return this.once(drafts, wish, price, (order, isWanted) => this.agreement.to(order, 'agent', isWanted));
  }

  /** The same for orders whose prices the user has just confirmed in our own question. */
  renderAgreed(orders: readonly PricedOrder[], wish: AgentRequest = {}): readonly Promise<AgentOrdered>[] {
    return this.once(orders, wish, this.aim, (order) => this.agreement.agreed(order));
  }

  /**
   * The identical order that an agent has placed or is about to place, if there is one. From now on it's wanted until
   * the signal is aborted too. Rejects with LedgerError when that can't be told: then nothing may be ordered.
   */
  duplicateOf(draft: Draft, { signal }: AgentRequest = {}): Promise<AgentOrdered> | undefined {
    for (const [one, { signals, ordered }] of this.coming) {
      if (!isSameDraft(one, draft)) continue;
      signals.push(signal);
      return ordered.then(joinedOrder);
    }
    try {
      this.library.catchUp();
      const record = this.recorded(draft);
      return record && Promise.resolve({ is: 'joined', record });
    } catch (error) {
      return Promise.reject(error instanceof LedgerError ? error : new OrderError('notRecorded', error));
    }
  }

  private once<T extends Draft>(
    drafts: readonly T[],
    { again, signal }: AgentRequest,
    price: (draft: T) => Promise<PricedOrder | undefined>,
    agree: (order: PricedOrder, isWanted: () => boolean) => Promise<PricedOrder | undefined>,
  ): readonly Promise<AgentOrdered>[] {
    const { stopped } = this;
    const wanted = drafts.map((draft): Promise<AgentOrdered> | Fresh<T> => {
      const duplicate = again ? undefined : this.duplicateOf(draft, { signal });
      if (duplicate) return duplicate;
      const signals = [signal];
      return { draft, signals, isWanted: () => !stopped.aborted && signals.some((one) => !one?.aborted) };
    });
    const all = this.order(
      wanted.flatMap((one) => (one instanceof Promise ? [] : [one])),
      price,
      agree,
      again,
    );
    return wanted.map((one) => {
      if (one instanceof Promise) return one;
      const { draft, signals } = one;
      const outcome = all.then((outcomes) => outcomes.get(one) ?? { is: 'canceled' as const });
      const ordered = outcome.finally(() => this.coming.delete(draft));
      this.coming.set(draft, { signals, ordered });
      return ordered;
    });
  }

  private async order<T>(
    fresh: readonly Fresh<T>[],
    price: (draft: T) => Promise<PricedOrder | undefined>,
    agree: (order: PricedOrder, isWanted: () => boolean) => Promise<PricedOrder | undefined>,
    again = false,
  ): Promise<ReadonlyMap<Fresh<T>, AgentOrdered>> {
    const priced = await Promise.all(fresh.map(({ draft }) => price(draft)));
    const agreed = new Map<Fresh<T>, PricedOrder>();
    try {
      for (const [at, one] of fresh.entries()) {
        const order = priced[at] && (await agree(priced[at], one.isWanted));
        // Who declines one isn't asked about the rest.
        if (!order && one.isWanted()) break;
        if (order) agreed.set(one, { ...order, by: 'agent' });
      }
      return this.place(fresh, agreed, again);
    } catch (error) {
      for (const order of agreed.values()) this.agreement.takeBack(order);
      throw error;
    }
  }

  private place<T>(
    fresh: readonly Fresh<T>[],
    agreed: ReadonlyMap<Fresh<T>, PricedOrder>,
    again: boolean,
  ): ReadonlyMap<Fresh<T>, AgentOrdered> {
    const wanted = [...agreed].flatMap(([{ isWanted }, order]) => (isWanted() ? [order] : []));
    const records = this.budgets.placeTogether(wanted, (order) => again || !this.recorded(order));
    const outcome = (one: Fresh<T>): AgentOrdered => {
      const order = agreed.get(one);
      // Nobody declined what was given up.
      if (!order) return { is: one.isWanted() ? 'refused' : 'canceled' };
      const record = records.find(({ key }) => key === order.intent);
      if (record) return { is: 'placed', record, order };
      this.agreement.takeBack(order);
      // Another window was faster.
      const duplicate = one.isWanted() && !again ? this.recorded(order) : undefined;
      return duplicate ? { is: 'joined', record: duplicate } : { is: 'canceled' };
    };
    return new Map(fresh.map((one) => [one, outcome(one)]));
  }

  /** The identical order of an agent that any window has recorded. Throws LedgerError. */
  private recorded(draft: Draft): RenderRecord | undefined {
    return this.library.entries.map(({ record }) => record).find((one) => one && this.isDuplicate(one, draft));
  }

  private isDuplicate(record: RenderRecord, draft: Draft): boolean {
    if (record.by !== 'agent') return false;
    const { state, plannedAt } = record;
    const isOpen = state === 'planned' || state === 'sent' || state === 'accepted' || state === 'succeeded';
    const isYoung = this.clock.now() - plannedAt < duplicateMs;
    return (isOpen || (isYoung && !isUncharged(state))) && isSameDraft(record, draft) && this.hasInputs(record, draft);
  }

  /** A record has only the beginnings of large inputs. Throws LedgerError when the full ones are lost. */
  private hasInputs(record: RenderRecord, { inputs }: Draft): boolean {
    return !record.isApart || sameInputs(this.library.inputsOf({ record, inputs: record.inputs }), inputs);
  }
}

/** The outcome for another one who wants the same. */
export function joinedOrder(ordered: AgentOrdered): AgentOrdered {
  return 'record' in ordered ? { is: 'joined', record: ordered.record } : ordered;
}

/** Whether both are the same order. A record holds only the beginnings of large inputs. */
function isSameDraft(one: Pick<RenderRecord, 'modelId' | 'inputs' | 'target' | 'isApart'>, other: Draft): boolean {
  return isSameOrder(one, one.isApart ? { ...other, inputs: cutShort(other.inputs) } : other);
}

type Ordered = Pick<Order, 'modelId' | 'inputs' | 'target'>;

/** Whether two orders make the same thing for the same target. */
export function isSameOrder(one: Ordered, other: Ordered): boolean {
  const hasSameInputs = sameInputs(one.inputs, other.inputs) && sameInputs(other.inputs, one.inputs);
  return one.modelId === other.modelId && isSamePlace(one.target, other.target) && hasSameInputs;
}

function isSamePlace(one: Target, other: Target): boolean {
  const isSameName = one.fileName === other.fileName && one.ending === other.ending;
  return one.root === other.root && one.folder === other.folder && isSameName;
}
