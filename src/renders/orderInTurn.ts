import type { LibraryEntry } from './library';
import type { Order, RenderRecord } from './record';

/** The ways of an order, and what becomes of it. */
export interface OrderDoors<T = Order> {
  /**
   * Records it and begins to send it. Undefined when the person said no; rejects when it was not recorded, so not sent.
   */
  place(order: T): Promise<RenderRecord | undefined>;
  /** Where the record stands once nothing more is sent of it; as `Renderer.send`. */
  sent(key: string): Promise<RenderRecord>;
  /** Resolves when nothing more is to come of it by itself. */
  ended(key: string): Promise<LibraryEntry>;
}

/** Why the rest was not placed: the person's word, what became of the one before, or an error. */
export type Stopped = { readonly by: 'person' | 'service' } | { readonly by: 'error'; readonly error: unknown };

/** What was placed; the others were neither recorded nor sent. */
export interface PlacedOrders {
  readonly count: number;
  readonly stopped?: Stopped;
}

/** Orders that are being placed. Neither rejects. */
export interface Turn {
  /** Resolves when no more will be placed. */
  readonly placed: Promise<PlacedOrders>;
  /**
   * Those placed, in their order, when all of them have ended; once cancelled those that have, as the others go on by
   * themselves.
   */
  readonly ended: Promise<readonly LibraryEntry[]>;
}

/** How many are under way at once. */
const mostUnderWay = 5;

/**
 * Places orders that one yes was said to, in their order: each once the one before is answered, a few of them under way
 * at a time, and none after the signal is aborted. `onEnd` tells how many have ended, of how many.
 *
 * However long an answer takes, the next waits for it: nobody knows until then whether it would meet the same refusal,
 * or be charged for as well without an answer. The renderer repeats for ten minutes; when there is no answer by then,
 * there is none to expect for the others, whose price was agreed to long ago. A person who does not want to wait can
 * cancel: what is not placed costs nothing.
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
  /** What was placed, in its order; each has its entry once it has ended. */
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
    while (underWay.size >= mostUnderWay && !signal.aborted) await Promise.race([...underWay, aborted]);
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

/** Whether the next may be placed: this one was answered, and not refused for what others have in common with it. */
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
