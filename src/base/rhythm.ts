import type { Clock } from './clock';

/** A longer pause isn't part of typing, ms. */
const mostGapMs = 1500;
/** How many usual gaps make a pause. */
const restGaps = 3;
const leastRestMs = 300;
const mostRestMs = 350;
/** After a pause of this many gaps that turned out to be part of typing, we wait longer … */
const patientGaps = 4;
const mostPatienceMs = 900;
/** … for this many keys. */
const patientKeys = 30;

/** Measures how fast someone types, and so after which pause they have stopped. */
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

  /** The pause that means typing has stopped, ms: short, except for people who were just seen to pause longer. */
  get restMs(): number {
    return this.keysOfPatience > 0
      ? Math.min(mostPatienceMs, Math.max(mostRestMs, this.gap * patientGaps))
      : Math.min(mostRestMs, Math.max(leastRestMs, this.gap * restGaps));
  }
}
