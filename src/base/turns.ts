import { wait, type Clock } from './clock';

/** How long work may block the thread, which all extensions share, before it yields, ms. */
const turnMs = 10;

/** Splits work into pieces that yield to other work; work done at the same time shares one turn. */
export class Turns {
  private since: number;
  private pause: Promise<void> | undefined;

  constructor(private readonly clock: Clock) {
    this.since = clock.ticks();
  }

  /** Whether others have waited long enough. */
  get isOver(): boolean {
    return this.clock.ticks() - this.since >= turnMs;
  }

  /** Resolves at once while the turn lasts, otherwise after a pause for other work. */
  async next(): Promise<void> {
    if (!this.isOver) return;
    // If each paused on its own, many would run without a break: give each a turn, one after another.
    this.pause ??= wait(this.clock, 0).then(() => {
      this.since = this.clock.ticks();
      this.pause = undefined;
    });
    return this.pause;
  }
}
