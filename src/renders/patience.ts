import type { Clock } from '../base/clock';

/** So many noes in a row end it. */
const mostNoes = 2;

/** For how long, ms. */
const restMs = 60_000;

/** A person's patience with agents: after two noes in a row they aren't asked for a minute. */
export class Patience {
  private noes = 0;
  private endedAt: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** True while agents are refused without a question. */
  get isOver(): boolean {
    return this.endedAt !== undefined && this.clock.ticks() - this.endedAt < restMs;
  }

  /** The person answered an agent's question. */
  hear(yes: boolean): void {
    this.noes = yes ? 0 : this.noes + 1;
    if (this.noes < mostNoes) return;
    this.noes = 0;
    this.endedAt = this.clock.ticks();
  }
}
