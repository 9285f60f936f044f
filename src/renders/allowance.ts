import { Emitter } from '../base/event';
import { countedCents } from './charge';
import type { Order, RenderRecord } from './record';

/**
 * The renders that passed without confirmation in this window, and what they count for. Kept in memory only: it ends
 * with the window.
 */
export class Unconfirmed {
  /** Euro cents, by intent. */
  private readonly counted = new Map<string, number>();
  private hasExceeded = false;

  /** Euro cents. */
  get cents(): number {
    return [...this.counted.values()].reduce((sum, cents) => sum + cents, 0);
  }

  /** One was charged more than its quoted price: no price says any longer what the next one costs. */
  get isExceeded(): boolean {
    return this.hasExceeded;
  }

  /** Counts an order before it's placed, so that concurrent orders can't exceed a limit together. */
  take({ intent, shownCents }: Pick<Order, 'intent' | 'shownCents'>): void {
    this.counted.set(intent, shownCents ?? 0);
  }

  /** The order wasn't placed after all. False if it wasn't counted. */
  giveBack({ intent }: Pick<Order, 'intent'>): boolean {
    return this.counted.delete(intent);
  }

  /** Updates what a counted render counts for. False if nothing changed. */
  follow(record: RenderRecord): boolean {
    const { key, state, costCents = 0, shownCents = 0 } = record;
    const before = this.counted.get(key);
    // A planned render is about to be sent.
    if (before === undefined || state === 'planned') return false;
    const cents = countedCents(record);
    this.counted.set(key, cents);
    this.hasExceeded ||= costCents > shownCents;
    return before !== cents;
  }

  clear(): void {
    this.counted.clear();
    this.hasExceeded = false;
  }
}

/** The amount that agents may spend in this window without confirmation. It ends with the window. */
export class Allowance {
  private granted: number | undefined;
  private readonly taken = new Unconfirmed();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** Euro cents; undefined while nothing is granted, and once a charge has ended it. */
  get left(): number | undefined {
    if (this.granted === undefined || this.isExceeded) return undefined;
    return Math.max(0, this.granted - this.taken.cents);
  }

  /** A charge above its quoted price has ended it. */
  get isExceeded(): boolean {
    return this.taken.isExceeded;
  }

  /** Lets agents spend this many euro cents from now on, whatever was granted before. */
  grant(cents: number): void {
    this.set(cents);
  }

  /** Withdraws what was granted. */
  revoke(): void {
    this.set(undefined);
  }

  /** Whether the rest pays this price. A price that isn't stated is never covered, and none is once it's overdrawn. */
  covers(cents: number | undefined): boolean {
    if (cents === undefined || this.granted === undefined || this.isExceeded) return false;
    return this.taken.cents + cents <= this.granted;
  }

  /** As `Unconfirmed.take`. */
  take(order: Pick<Order, 'intent' | 'shownCents'>): void {
    this.taken.take(order);
    this.changed.fire();
  }

  /** The order wasn't placed after all. */
  giveBack(order: Pick<Order, 'intent'>): void {
    if (this.taken.giveBack(order)) this.changed.fire();
  }

  /** As `Unconfirmed.follow`. */
  follow(record: RenderRecord): void {
    if (this.taken.follow(record)) this.changed.fire();
  }

  private set(granted: number | undefined): void {
    this.taken.clear();
    this.granted = granted;
    this.changed.fire();
  }
}
