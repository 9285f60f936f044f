import type { Clock } from '../base/clock';

/**
 * The origin of a request to render: a gesture in our own UI, something that acts for the person (a command with
 * arguments), or an agent through a tool.
 */
export type Gesture = 'ours' | 'unattended' | 'agent';

export interface SpendingLimits {
  /** Gestures in our UI above this price need confirmation. Euro cents. */
  readonly confirmAbove: number;
  /** The unattended spending that's allowed in one window. Euro cents. */
  readonly unattendedBudget: number;
  /** The unattended spending in this window. Euro cents; Infinity once it's over. */
  readonly unattendedSpent: number;
}

/** True when a person must confirm the price first (rules of money 6). An unknown price always needs confirmation. */
export function mustAsk(
  costCents: number | undefined,
  gesture: Exclude<Gesture, 'agent'>,
  limits: SpendingLimits,
): boolean {
  if (costCents === undefined) return true;
  if (gesture === 'ours') return costCents > limits.confirmAbove;
  return limits.unattendedSpent + costCents > limits.unattendedBudget;
}

/**
 * True when the confirmed price (euro cents) covers the current one. A higher price, or one no longer stated, needs a
 * new decision.
 */
export function covers(agreed: number | undefined, now: number | undefined): boolean {
  return agreed === undefined || now === undefined ? agreed === now : now <= agreed;
}

/** Limits on renders without a new confirmation; 0 turns a limit off. */
export interface PaceLimits {
  /** Renders in a minute. */
  readonly renders: number;
  /** Euro cents since the last confirmation. */
  readonly cents: number;
}

const minuteMs = 60_000;

/** The renders since a person last confirmed a price in one of our questions. */
export class Pace {
  private times: number[] = [];
  private renders = 0;
  private cents = 0;

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** The number of renders, and their cost in euro cents as far as prices were stated. */
  get since(): { readonly renders: number; readonly cents: number } {
    const { renders, cents } = this;
    return { renders, cents };
  }

  /** True when more renders at this total price, by default one, would exceed a limit. */
  exceeds(costCents: number | undefined, limits: PaceLimits, renders = 1): boolean {
    const minute = this.times.filter((time) => time > this.clock.ticks() - minuteMs);
    if (limits.renders > 0 && minute.length + renders > limits.renders) return true;
    return limits.cents > 0 && this.cents + (costCents ?? 0) > limits.cents;
  }

  /** Counts a render that needed no confirmation. */
  add(costCents: number | undefined): void {
    const now = this.clock.ticks();
    this.times = [...this.times.filter((time) => time > now - minuteMs), now];
    this.renders += 1;
    this.cents += costCents ?? 0;
  }

  /** The person confirmed: starts counting again. */
  agreed(): void {
    this.times = [];
    this.renders = 0;
    this.cents = 0;
  }
}
