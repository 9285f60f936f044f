import type { Clock } from '../base/clock';

/** Noes in a row after which agents have to wait. */
const mostNoes = 2;

/** How long they wait, ms. */
const restMs = 60_000;

/** Limits agents' questions: after two noes in a row they can't ask for a minute. */
export class Patience {
  private noes = 0;
  private endedAt: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** True while agents are declined without a question. */
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
