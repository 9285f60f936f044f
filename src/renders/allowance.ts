import { Emitter } from '../base/event';
import type { Order, RenderRecord } from './record';
import { isUncharged } from './uncharged';

/**
 * The amount that agents may spend in this window without confirmation. Kept in memory only: it ends with the window.
 */
export class Allowance {
  private granted: number | undefined;
  /** The part of it that each render uses, euro cents, by intent. */
  private readonly taken = new Map<string, number>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** Euro cents; undefined while nothing is granted. */
  get left(): number | undefined {
    if (this.granted === undefined) return undefined;
    return Math.max(
      0,
      [...this.taken.values()].reduce((left, cents) => left - cents, this.granted),
    );
  }

  /** Lets agents spend this many euro cents from now on, whatever was granted before. */
  grant(cents: number): void {
    this.taken.clear();
    this.granted = cents;
    this.changed.fire();
  }

  /** Withdraws what was granted. */
  revoke(): void {
    this.taken.clear();
    this.granted = undefined;
    this.changed.fire();
  }

  /** Whether the rest pays this price. A price that isn't stated is never covered. */
  covers(cents: number | undefined): boolean {
    return cents !== undefined && this.left !== undefined && cents <= this.left;
  }

  /** Counts an order before it's placed, so that concurrent orders can't exceed it together. */
  take({ intent, shownCents }: Pick<Order, 'intent' | 'shownCents'>): void {
    this.taken.set(intent, shownCents ?? 0);
    this.changed.fire();
  }

  /** The order wasn't placed after all. */
  giveBack({ intent }: Pick<Order, 'intent'>): void {
    if (this.taken.delete(intent)) this.changed.fire();
  }

  /**
   * Updates what a counted render uses: nothing once it's proven that nothing was charged, else what the service says
   * it charged, else its price.
   */
  follow({
    key,
    state,
    costCents,
    shownCents,
  }: Pick<RenderRecord, 'key' | 'state' | 'costCents' | 'shownCents'>): void {
    const before = this.taken.get(key);
    const cents = isUncharged(state) ? 0 : (costCents ?? shownCents ?? 0);
    // A planned render is about to be sent.
    if (before === undefined || state === 'planned' || before === cents) return;
    this.taken.set(key, cents);
    this.changed.fire();
  }
}
