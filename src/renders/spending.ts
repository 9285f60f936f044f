import type { Clock } from '../base/clock';

/**
 * Who asks for a render: a gesture in our own UI, something that acts for the person (a command with arguments), or an
 * agent through a tool.
 */
export type Gesture = 'ours' | 'unattended' | 'agent';

export interface SpendingLimits {
  /** Above this a gesture of ours is asked once more. Euro cents. */
  readonly confirmAbove: number;
  /** What may be spent unattended in one window. Euro cents. */
  readonly unattendedBudget: number;
  /** What was spent unattended in this window. Euro cents. */
  readonly unattendedSpent: number;
}

/** True when a person must say yes to the price first (rules of money 6). An unknown price is always asked about. */
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
 * True when a yes to one price (euro cents) is one to the price of now: a higher one is decided anew, and so is one
 * that is no longer stated.
 */
export function covers(agreed: number | undefined, now: number | undefined): boolean {
  return agreed === undefined || now === undefined ? agreed === now : now <= agreed;
}

/** What may go by before a person is asked whether to go on; 0 turns that one off. */
export interface PaceLimits {
  /** Renders in a minute. */
  readonly renders: number;
  /** Euro cents since the person last said yes. */
  readonly cents: number;
}

const minuteMs = 60_000;

/** What was rendered since a person last said yes to a price in a question of the editor. */
export class Pace {
  private times: number[] = [];
  private renders = 0;
  private cents = 0;

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** How many renders, and for how many euro cents, as far as their prices were stated. */
  get since(): { readonly renders: number; readonly cents: number } {
    const { renders, cents } = this;
    return { renders, cents };
  }

  /** True when one more render of this price would be more than may go by. */
  exceeds(costCents: number | undefined, limits: PaceLimits): boolean {
    const minute = this.times.filter((time) => time > this.clock.ticks() - minuteMs);
    if (limits.renders > 0 && minute.length + 1 > limits.renders) return true;
    return limits.cents > 0 && this.cents + (costCents ?? 0) > limits.cents;
  }

  /** Counts a render that nobody was asked about. */
  add(costCents: number | undefined): void {
    const now = this.clock.ticks();
    this.times = [...this.times.filter((time) => time > now - minuteMs), now];
    this.renders += 1;
    this.cents += costCents ?? 0;
  }

  /** The person said yes: counts anew from here. */
  agreed(): void {
    this.times = [];
    this.renders = 0;
    this.cents = 0;
  }
}
