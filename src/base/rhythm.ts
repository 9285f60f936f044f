import type { Clock } from './clock';

/** A longer pause is no part of typing, ms. */
const mostGapMs = 1500;
/** How many of the usual gaps make a rest. */
const restGaps = 3;
const leastRestMs = 300;
const mostRestMs = 900;

/** How fast somebody types, and so how long a pause is before it means that they have stopped. */
export class Rhythm {
  private last: number | undefined;
  /** A running average, ms. */
  private gap = leastRestMs / restGaps;

  constructor(private readonly clock: Clock) {}

  /** A key was pressed. */
  beat(): void {
    const now = this.clock.ticks();
    const gap = now - (this.last ?? -Infinity);
    this.last = now;
    if (gap <= mostGapMs) this.gap += (gap - this.gap) / 5;
  }

  /** How long a rest is, ms: short for who types fast. */
  get restMs(): number {
    return Math.min(mostRestMs, Math.max(leastRestMs, this.gap * restGaps));
  }
}
