import { wait, type Clock } from '../base/clock';
import { Emitter } from '../base/event';
import type { Log } from '../base/log';
import type { Random } from '../base/random';
import { ServiceError } from './errors';

const firstPauseMs = 500;
const longestPauseMs = 15_000;
/** After a 429 requests go out this far apart, then twice as far with each further one. */
const firstGapMs = 3000;
const longestGapMs = 30_000;
/** Who would have to wait longer is told so instead. */
const patienceMs = 60_000;

/** Repeats what may be repeated, after pauses spread by chance, and slows everybody down when the service asks for it. */
export class Retry {
  /** Nobody sends before this, in the clock's ticks. */
  private free = -Infinity;
  private gapMs = 0;
  private readonly slowed = new Emitter<number>();
  /** Fires when the service asks for patience, with how long nobody sends from now on, ms. */
  readonly onDidSlowDown = this.slowed.event;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
  ) {}

  /** The answer of the first of at most `times` attempts that gets one, or the error of the last. */
  async run<T>(times: number, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      await this.turn(signal);
      try {
        const answer = await attempt();
        this.gapMs = this.gapMs > firstGapMs / 2 ? this.gapMs / 2 : 0;
        return answer;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const pause = Math.max(this.pauseAfter(count), error.retryAfterMs ?? 0);
        if (error.kind === 'tooManyRequests') this.slowDown(pause);
        if (count >= times || !isPassing(error) || pause > patienceMs) throw error;
        this.log.debug(`Attempt ${count} of ${times}: ${error.message}; the next in ${Math.round(pause)} ms`);
        await this.pause(pause, signal);
      }
    }
  }

  /** Resolves when a request may go out. Rejects with `tooManyRequests` when that takes too long. */
  private async turn(signal: AbortSignal | undefined): Promise<void> {
    const since = this.clock.ticks();
    for (let ms = this.free - since; ms > 0; ms = this.free - this.clock.ticks()) {
      if (this.clock.ticks() + ms - since > patienceMs) {
        throw new ServiceError('tooManyRequests', 'The service asked to be left alone', { retryAfterMs: ms });
      }
      await this.pause(ms, signal);
    }
    this.free = this.clock.ticks() + this.gapMs;
  }

  private slowDown(pauseMs: number): void {
    this.gapMs = Math.min(longestGapMs, Math.max(firstGapMs, this.gapMs * 2));
    this.free = Math.max(this.free, this.clock.ticks() + Math.max(pauseMs, this.gapMs));
    this.slowed.announce(this.free - this.clock.ticks(), this.log);
  }

  private pauseAfter(count: number): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1)) * (0.5 + this.random.unit() / 2);
  }

  private async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(this.clock, ms, signal);
    } catch (cause) {
      throw new ServiceError('cancelled', 'Cancelled', { cause });
    }
  }
}

/** True for what may be gone the next time. */
function isPassing({ kind, status = 0 }: ServiceError): boolean {
  return kind === 'noAnswer' || kind === 'tooManyRequests' || (kind === 'status' && (status === 408 || status >= 500));
}
