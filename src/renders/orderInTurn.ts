import type { LibraryEntry } from './library';
import type { Order, RenderRecord } from './record';

/** How to place an order and follow it. */
export interface OrderDoors<T = Order> {
  /**
   * Records it and begins to send it. Undefined when the person declined; rejects when it wasn't recorded, so not sent.
   */
  place(order: T): Promise<RenderRecord | undefined>;
  /** The record once sending is over; as `Renderer.send`. */
  sent(key: string): Promise<RenderRecord>;
  /** Resolves when nothing further happens to it automatically. */
  ended(key: string): Promise<LibraryEntry>;
}

/** Why the rest wasn't placed: the person, the outcome of an earlier one, or an error. */
export type Stopped = { readonly by: 'person' | 'service' } | { readonly by: 'error'; readonly error: unknown };

/** The orders that were placed; the others were neither recorded nor sent. */
export interface PlacedOrders {
  readonly count: number;
  readonly stopped?: Stopped;
}

/** Orders being placed. Neither promise rejects. */
export interface Turn {
  /** Resolves when no more will be placed. */
  readonly placed: Promise<PlacedOrders>;
  /**
   * The placed orders in order, once all have ended. After a cancel only those that have; the others continue on their
   * own.
   */
  readonly ended: Promise<readonly LibraryEntry[]>;
}

/** The most orders in progress at once. */
const mostInProgress = 5;

/**
 * Places orders that were confirmed together, in order: each after the previous one got its response, a few in progress
 * at a time, and none after the signal is aborted. `onEnd` reports how many have ended, of how many.
 *
 * The next order waits for the response however long it takes: until then, nobody knows whether it would be rejected
 * for the same reason, or be charged without a response too. The renderer repeats for ten minutes; with no response by
 * then, none can be expected for the others, whose price was confirmed long ago. A person who doesn't want to wait can
 * cancel: orders that aren't placed cost nothing.
 */
export function orderInTurn<T>(
  orders: readonly T[],
  doors: OrderDoors<T>,
  signal: AbortSignal,
  onEnd: (ended: number, of: number) => void,
): Turn {
  const line = new Line(doors, signal, onEnd);
  const placed = line.place(orders);
  return { placed, ended: placed.then((all) => line.end(all)) };
}

class Line<T> {
  private readonly aborted: Promise<void>;
  private readonly underWay = new Set<Promise<void>>();
  /** Placed orders in order; each gets its entry once it has ended. */
  private readonly placed: { entry?: LibraryEntry }[] = [];
  /** How many are expected to end. */
  private goal = 0;

  constructor(
    private readonly doors: OrderDoors<T>,
    private readonly signal: AbortSignal,
    private readonly onEnd: (ended: number, of: number) => void,
  ) {
    this.aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  async place(orders: readonly T[]): Promise<PlacedOrders> {
    this.goal = orders.length;
    for (const order of orders) {
      const stopped = await this.next(order);
      if (stopped) return { count: this.placed.length, stopped };
    }
    return { count: this.placed.length };
  }

  async end({ count }: PlacedOrders): Promise<readonly LibraryEntry[]> {
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
      const record = await doors.place(order);
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
    this.placed.push(one);
    const end = this.doors.ended(key).then((entry) => {
      one.entry = entry;
      this.underWay.delete(end);
      this.tell();
    });
    this.underWay.add(end);
    this.tell();
  }

  private ended(): readonly LibraryEntry[] {
    return this.placed.flatMap(({ entry }) => entry ?? []);
  }

  private tell(): void {
    this.onEnd(this.ended().length, this.goal);
  }
}

/** Whether the next may be placed: this one got its response, and wasn't rejected for a reason that others share. */
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
