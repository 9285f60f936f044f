import type { LibraryEntry } from '../renders/library';
import type { Order, RenderRecord } from '../renders/record';

/** The ways of an order, and what becomes of it. */
export interface OrderDoors {
  /** Undefined when the person said no; rejects when it was not recorded, so not sent. */
  order(order: Order): Promise<RenderRecord | undefined>;
  /** Resolves when the service has it, or will not have it now. */
  sent(key: string): Promise<RenderRecord>;
  /** Resolves when nothing more is to come of it by itself. */
  ended(key: string): Promise<LibraryEntry>;
}

/** How far several orders have come. */
export interface Course {
  /** How many the service has, or was asked to take. */
  readonly ordered: number;
  readonly ended: readonly LibraryEntry[];
}

/** Why the rest was not ordered: the person's word, an error, or a refusal that all of them would meet. */
export type Stopped = { readonly by: 'person' | 'refusal' } | { readonly by: 'error'; readonly error: unknown };

/** How many are under way at once. */
const mostUnderWay = 5;

/**
 * Orders one after another, a few of them under way at a time. Resolves when all have ended, or when one cannot be ordered and those before it
 * have ended, or when the signal is aborted: what was ordered then goes on by itself. Never rejects.
 */
export function orderAll(
  orders: readonly Order[],
  doors: OrderDoors,
  signal: AbortSignal,
  onCourse: (course: Course) => void,
): Promise<Course & { readonly stopped?: Stopped }> {
  return new Run(doors, signal, onCourse).all(orders);
}

class Run {
  private readonly aborted: Promise<void>;
  private readonly underWay = new Set<Promise<void>>();
  private readonly ended: LibraryEntry[] = [];
  private ordered = 0;

  constructor(
    private readonly doors: OrderDoors,
    private readonly signal: AbortSignal,
    private readonly onCourse: (course: Course) => void,
  ) {
    this.aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  async all(orders: readonly Order[]): Promise<Course & { readonly stopped?: Stopped }> {
    let stopped: Stopped | undefined;
    for (const order of orders) {
      stopped = await this.next(order);
      if (stopped) break;
    }
    await Promise.race([Promise.all(this.underWay), this.aborted]);
    const isLeft = this.signal.aborted && this.underWay.size > 0;
    return { ...this.course, stopped: stopped ?? (isLeft ? { by: 'person' } : undefined) };
  }

  private get course(): Course {
    return { ordered: this.ordered, ended: [...this.ended] };
  }

  private async next(order: Order): Promise<Stopped | undefined> {
    const { doors, signal, aborted, underWay } = this;
    while (underWay.size >= mostUnderWay && !signal.aborted) await Promise.race([...underWay, aborted]);
    if (signal.aborted) return { by: 'person' };
    try {
      const record = await doors.order(order);
      if (!record) return { by: 'person' };
      this.follow(record.key);
      const now = await Promise.race([doors.sent(record.key), aborted]);
      return now && !goesOn(now) ? { by: 'refusal' } : undefined;
    } catch (error) {
      return { by: 'error', error };
    }
  }

  private follow(key: string): void {
    const end = this.doors.ended(key).then((entry) => {
      this.ended.push(entry);
      this.underWay.delete(end);
      this.onCourse(this.course);
    });
    this.underWay.add(end);
    this.ordered += 1;
    this.onCourse(this.course);
  }
}

/** Whether the next may be tried: not when this one waits for the service, or was refused for what all have in common. */
function goesOn({ state, problem }: RenderRecord): boolean {
  if (state === 'planned' || state === 'unknown') return false;
  return state !== 'refused' || problem?.code === 'invalidInput';
}
