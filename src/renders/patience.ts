import type { Clock } from '../base/clock';

/** Noes in a row after which whoever asks has to wait. */
const mostNoes = 2;

/** How long they wait, ms. */
const restMs = 60_000;

/**
 * Limits the questions of those who ask the person: after two noes in a row, whatever the questions were about, they
 * can't ask for a minute.
 */
export class Patience {
  private noes = 0;
  private endedAt: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** True while they're declined without a question. */
  get isOver(): boolean {
    return this.endedAt !== undefined && this.clock.ticks() - this.endedAt < restMs;
  }

  /** The person answered a question of theirs. True if they have to wait from now on. */
  hear(yes: boolean): boolean {
    this.noes = yes ? 0 : this.noes + 1;
    if (this.noes < mostNoes) return false;
    this.noes = 0;
    this.endedAt = this.clock.ticks();
    return true;
  }
}
