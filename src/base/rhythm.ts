import type { Clock } from './clock';

/** A longer pause is no part of typing, ms. */
const mostGapMs = 1500;
/** How many of the usual gaps make a rest. */
const restGaps = 3;
const leastRestMs = 300;
const mostRestMs = 350;
/** Whoever went on typing after such a rest is waited for longer … */
const patientGaps = 4;
const mostPatienceMs = 900;
/** … for so many keys. */
const patientKeys = 30;

/** How fast somebody types, and so how long a pause is before it means that they have stopped. */
export class Rhythm {
  private last: number | undefined;
  /** A running average, ms. */
  private gap = leastRestMs / restGaps;
  private keysOfPatience = 0;

  constructor(private readonly clock: Clock) {}

  /** A key was pressed. */
  beat(): void {
    const now = this.clock.ticks();
    const gap = now - (this.last ?? -Infinity);
    this.last = now;
    this.keysOfPatience -= 1;
    if (gap > mostGapMs) return;
    if (gap > this.restMs) this.keysOfPatience = patientKeys;
    this.gap += (gap - this.gap) / 5;
  }

  /** How long a rest is, ms: short, but for those who were just seen to pause longer while they type. */
  get restMs(): number {
    return this.keysOfPatience > 0
      ? Math.min(mostPatienceMs, Math.max(mostRestMs, this.gap * patientGaps))
      : Math.min(mostRestMs, Math.max(leastRestMs, this.gap * restGaps));
  }
}
