import { type Log, reasonOf } from '../base/log';
import type { Initiator } from './consent';
import type { Library, LibraryEntry } from './library';
import type { Orders } from './orders';
import type { Order, PricedOrder, RenderRecord } from './record';

/** How to send a recorded order and follow it. */
export interface BatchActions<T = Order> {
  /** Begins to send it. Undefined when the user declined; rejects when it can't be sent. */
  start(order: T): Promise<RenderRecord | undefined>;
  /** The record once sending is over; as `Renderer.send`. */
  sent(key: string): Promise<RenderRecord>;
  /** Resolves when nothing further happens to it automatically. */
  ended(key: string): Promise<LibraryEntry>;
  /** Gives up one that won't be sent. */
  discard(order: T): void;
}

/** Why the rest wasn't sent: the user, the outcome of an earlier one, or an error. */
export type Stopped = { readonly by: 'person' | 'service' } | { readonly by: 'error'; readonly error: unknown };

/** The orders that were started; the others were discarded. */
export interface StartedOrders {
  readonly count: number;
  readonly stopped?: Stopped;
}

/** Orders being sent. Neither promise rejects. */
export interface Turn {
  /** Resolves when no more will be started. */
  readonly started: Promise<StartedOrders>;
  /**
   * The started orders in order, once all have ended. After a cancel only those that have; the others continue on their
   * own.
   */
  readonly ended: Promise<readonly LibraryEntry[]>;
}

/** A batch of recorded orders, and who waits for it. */
export interface Batch {
  readonly initiator: Initiator;
  /** Aborted by a cancel: what isn't sent by then won't be. */
  readonly signal: AbortSignal;
  /** As in `OrderDoors`. */
  ended(key: string): Promise<LibraryEntry>;
  /** Gets each order as it's about to be sent, with the outcome of that. */
  starting?(order: PricedOrder, record: Promise<RenderRecord | undefined>): void;
  /** As in `orderInTurn`. */
  onEnd?(ended: number, of: number): void;
}

/** Sends recorded orders that were confirmed together through the one door that spends; otherwise as `orderInTurn`. */
export function sendInTurn(recorded: readonly PricedOrder[], orders: Orders, log: Log, batch: Batch): Turn {
  const { initiator, signal } = batch;
  const doors: BatchActions<PricedOrder> = {
    start: (order) => {
      const record = orders.start(order, initiator, () => !signal.aborted);
      batch.starting?.(order, record);
      return record;
    },
    sent: (key) => orders.send(key),
    ended: (key) => batch.ended(key),
    discard: ({ intent }) => {
      try {
        orders.discard(intent);
      } catch (error) {
        // It waits for the user.
        log.error(`Couldn’t discard render ${intent}: ${reasonOf(error)}`);
      }
    },
  };
  return orderInTurn(recorded, doors, signal, (count, of) => batch.onEnd?.(count, of));
}

/** The most orders in progress at once. */
const mostInProgress = 5;

/**
 * Sends recorded orders that were confirmed together, in order: each after the previous one got its response, a few in
 * progress at a time, and none after the signal is aborted. `onEnd` reports how many have ended, of how many.
 *
 * The next order waits for the response however long it takes: until then, nobody knows whether it would be rejected
 * for the same reason, or be charged without a response too. The renderer repeats for ten minutes; with no response by
 * then, none can be expected for the others, whose price was confirmed long ago. A user who doesn't want to wait can
 * cancel: the others are discarded, and cost nothing.
 */
export function orderInTurn<T>(
  orders: readonly T[],
  doors: BatchActions<T>,
  signal: AbortSignal,
  onEnd: (ended: number, of: number) => void,
): Turn {
  const line = new Line(doors, signal, onEnd);
  const started = line.start(orders);
  return { started, ended: started.then((all) => line.end(all)) };
}

class Line<T> {
  private readonly aborted: Promise<void>;
  private readonly underWay = new Set<Promise<void>>();
  /** Started orders in order; each gets its entry once it has ended. */
  private readonly started: { entry?: LibraryEntry }[] = [];
  /** How many are expected to end. */
  private goal = 0;

  constructor(
    private readonly doors: BatchActions<T>,
    private readonly signal: AbortSignal,
    private readonly onEnd: (ended: number, of: number) => void,
  ) {
    this.aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  async start(orders: readonly T[]): Promise<StartedOrders> {
    this.goal = orders.length;
    for (const order of orders) {
      const stopped = await this.next(order);
      if (!stopped) continue;
      for (const left of orders.slice(this.started.length)) this.doors.discard(left);
      return { count: this.started.length, stopped };
    }
    return { count: this.started.length };
  }

  async end({ count }: StartedOrders): Promise<readonly LibraryEntry[]> {
    this.goal = count;
    if (this.ended().length < count) this.tell();
    await Promise.race([Promise.all(this.underWay), this.aborted]);
    return this.ended();
  }

  private async next(order: T): Promise<Stopped | undefined> {
    const { doors, signal, aborted, underWay } = this;
    while (underWay.size >= mostInProgress && !signal.aborted) await Promise.race([...underWay, aborted]);
    if (signal.aborted) return { by: 'person' };
    try {
      const record = await doors.start(order);
      if (!record) return { by: 'person' };
      this.follow(record.key);
      const now = await Promise.race([doors.sent(record.key), aborted]);
      return now && !mayGoOn(now) ? { by: 'service' } : undefined;
    } catch (error) {
      return { by: 'error', error };
    }
  }

  private follow(key: string): void {
    const one: { entry?: LibraryEntry } = {};
    this.started.push(one);
    const end = this.doors.ended(key).then((entry) => {
      one.entry = entry;
      this.underWay.delete(end);
      this.tell();
    });
    this.underWay.add(end);
    this.tell();
  }

  private ended(): readonly LibraryEntry[] {
    return this.started.flatMap(({ entry }) => entry ?? []);
  }

  private tell(): void {
    this.onEnd(this.ended().length, this.goal);
  }
}

/** Resolves when nothing further happens to the render automatically. */
export function endedEntry(library: Library, key: string): Promise<LibraryEntry> {
  return new Promise((resolve) => {
    const look = () => {
      const entry = library.ofRecord(key);
      if (!entry || entry.group === 'active') return;
      listening.dispose();
      resolve(entry);
    };
    const listening = library.onDidChange(look);
    look();
  });
}

/** Whether the next may be started: this one got its response, and wasn't rejected for a reason that others share. */
function mayGoOn({ state, problem }: RenderRecord): boolean {
  switch (state) {
    case 'planned':
    case 'sent':
    case 'unknown':
      return false;
    case 'refused':
      return problem?.code === 'invalidInput';
    default:
      return true;
  }
}
