import { Emitter } from '../base/event';
import type { Order, RenderRecord } from './record';
import { isUncharged } from './uncharged';

/** What a person lets agents spend in this window without a question. In memory alone: it ends with the window. */
export class Allowance {
  private granted: number | undefined;
  /** What each render takes up of it, euro cents, by its intent. */
  private readonly taken = new Map<string, number>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** Euro cents; undefined while none is granted. */
  get left(): number | undefined {
    if (this.granted === undefined) return undefined;
    return Math.max(
      0,
      [...this.taken.values()].reduce((left, cents) => left - cents, this.granted),
    );
  }

  /** From now on agents may spend so many euro cents, whatever was granted before. */
  grant(cents: number): void {
    this.taken.clear();
    this.granted = cents;
    this.changed.fire();
  }

  /** From now on nothing is granted. */
  revoke(): void {
    this.taken.clear();
    this.granted = undefined;
    this.changed.fire();
  }

  /** Whether what is left pays this price. A price that isn't stated is never covered. */
  covers(cents: number | undefined): boolean {
    return cents !== undefined && this.left !== undefined && cents <= this.left;
  }

  /** Counts an order, before it is placed: many at the same time can't pass it together. */
  take({ intent, shownCents }: Pick<Order, 'intent' | 'shownCents'>): void {
    this.taken.set(intent, shownCents ?? 0);
    this.changed.fire();
  }

  /** The order wasn't placed after all. */
  giveBack({ intent }: Pick<Order, 'intent'>): void {
    if (this.taken.delete(intent)) this.changed.fire();
  }

  /**
   * What a render that was counted takes up as it is now: nothing once it's proven that nothing was charged, what the
   * service says it charged, and until then its price.
   */
  follow({
    key,
    state,
    costCents,
    shownCents,
  }: Pick<RenderRecord, 'key' | 'state' | 'costCents' | 'shownCents'>): void {
    const before = this.taken.get(key);
    const cents = isUncharged(state) ? 0 : (costCents ?? shownCents ?? 0);
    // A planned one is about to be sent.
    if (before === undefined || state === 'planned' || before === cents) return;
    this.taken.set(key, cents);
    this.changed.fire();
  }
}
