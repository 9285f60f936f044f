import { wait, type Clock } from './clock';

/** How long one piece of work has the thread, which all extensions share, before others get their turn, ms. */
const turnMs = 20;

/** Work in pieces, between which others have their turn. */
export class Turns {
  private since: number;

  constructor(private readonly clock: Clock) {
    this.since = clock.ticks();
  }

  /** Resolves at once while the turn lasts, else when others had theirs. */
  async next(): Promise<void> {
    if (this.clock.ticks() - this.since < turnMs) return;
    await wait(this.clock, 0);
    this.since = this.clock.ticks();
  }
}
