/** Time and chance: what tests drive themselves. */

import type { Disposable } from './disposable';

/** Time for the core: the system's in the editor, driven by hand in tests. */
export interface Clock {
  /** Milliseconds since 1970 by the machine's clock; may jump. */
  now(): number;
  /** Monotonic milliseconds; their origin is arbitrary. */
  ticks(): number;
  /** Calls once after `ms`; disposing before that cancels. */
  after(ms: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** A moment by both clocks: ticks may stop while the machine sleeps, and the clock can be changed. */
export interface Moment {
  /** ms since 1970. */
  readonly now: number;
  /** In the clock's ticks. */
  readonly ticks: number;
}

/** This moment. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), ticks: clock.ticks() };
}

/** How long ago it was, ms, by whichever clock gives more. A clock set back counts by how far it was set. */
export function ageOf(moment: Moment, clock: Clock): number {
  return Math.max(clock.ticks() - moment.ticks, Math.abs(clock.now() - moment.now));
}

/** Numbers by chance. */
export interface Chance {
  /** At least 0, less than 1. */
  unit(): number;
}

/** Randomness for the core: the system's in the editor, seeded in tests. */
export interface Random extends Chance {
  /** A version 4 UUID. */
  uuid(): string;
}

export const systemRandom: Random = { uuid: () => crypto.randomUUID(), unit: () => Math.random() };
