import { wait, type Clock } from './clock';

/** How long work may block the thread, which all extensions share, before it yields, ms. */
const turnMs = 20;

/** Splits work into pieces that yield to other work. */
export class Turns {
  private since: number;

  constructor(private readonly clock: Clock) {
    this.since = clock.ticks();
  }

  /** Resolves at once while the turn lasts, otherwise after a pause for other work. */
  async next(): Promise<void> {
    if (this.clock.ticks() - this.since < turnMs) return;
    await wait(this.clock, 0);
    this.since = this.clock.ticks();
  }
}
