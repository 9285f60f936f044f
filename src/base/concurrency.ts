import type { Clock } from './clock';

/** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = () => {
      timer.dispose();
      reject(signal?.reason as Error);
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Runs the work for each in order, at most `atOnce` concurrently. Starts no more once `goesOn` returns false; resolves
 * when the running ones have ended. Rejects with the first failure.
 */
export async function forEachLimit<T>(
  things: Iterable<T>,
  atOnce: number,
  act: (thing: T) => Promise<unknown>,
  goesOn: () => boolean = () => true,
): Promise<void> {
  const left = things[Symbol.iterator]();
  const work = async () => {
    while (goesOn()) {
      const next = left.next();
      if (next.done === true) return;
      await act(next.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Something that couldn't be done, and why. */
export interface Failure<T> {
  readonly thing: T;
  readonly error: unknown;
}

/** Does it for each in turn. A failure doesn't stop the rest; resolves with all of them. */
export async function toEach<T>(things: readonly T[], act: (thing: T) => Promise<unknown>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = [];
  for (const thing of things) {
    try {
      await act(thing);
    } catch (error) {
      failures.push({ thing, error });
    }
  }
  return failures;
}

/** How long work may block the thread, which all extensions share, before it yields, ms. */
const turnMs = 10;

/** Splits work into pieces that yield to other work; work done at the same time shares one turn. */
export class Yielder {
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
