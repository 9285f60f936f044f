import type { Clock } from '../base/clock';
import type { RenderClient } from './connected';
import type { RenderRecord } from './record';

/**
 * How long a key is trusted to be remembered: the service doesn't say, so automatic repeats end here (rules of money
 * 4). ms
 */
export const repeatWindowMs = 10 * 60_000;

/** The most attempts per decision. */
const mostTries = 6;

/**
 * The age of a record's first attempt, ms: by the service's clock where both times are known, and by the machine's
 * where neither is. Infinite when it's unknowable: a clock was set back, or the service states its time only now, and
 * the machine may have been paused since.
 */
export function ageOf(record: RenderRecord, client: RenderClient | undefined, clock: Clock): number {
  if (record.firstSentAt === undefined) return 0;
  const serviceTime = client?.serviceTime();
  if (record.firstSentServiceTime === undefined && serviceTime !== undefined) return Infinity;
  const age =
    record.firstSentServiceTime !== undefined && serviceTime !== undefined
      ? serviceTime - record.firstSentServiceTime
      : clock.now() - record.firstSentAt;
  // The Date header counts whole seconds.
  return age < -2000 ? Infinity : age;
}

/** True while the same bytes may be sent again automatically. */
export function mayRepeat(record: RenderRecord, client: RenderClient | undefined, clock: Clock): boolean {
  return ageOf(record, client, clock) < repeatWindowMs;
}

/** True when all allowed attempts were made. */
export function isTriedOut({ attempt, tries = attempt }: RenderRecord): boolean {
  return tries >= mostTries;
}

/** The pause before a sent record is repeated, ms: few repeats have to cover most of the ten minutes. Randomized. */
export function pauseBeforeRepeat({ attempt, tries = attempt }: RenderRecord, unit: number): number {
  return 1000 * 4 ** (tries - 1) * (0.75 + unit / 2);
}

/** The pause before the attempt that follows `attempt`, ms: doubles from one second to the longest. Randomized. */
export function pauseAfter(attempt: number, unit: number, longestMs = 30_000): number {
  return Math.min(longestMs, 1000 * 2 ** (attempt - 1)) * (0.75 + unit / 2);
}
