import type { Clock } from '../base/clock';
import type { RenderClient } from './connected';
import type { RenderRecord } from './record';

/**
 * How long a key is trusted to be remembered: it is not stated, so automatic repeats end here (rules of money 4). ms
 */
export const repeatWindowMs = 10 * 60_000;

/** How often one decision is sent in all. */
const mostTries = 6;

/**
 * The age of a record's first attempt in ms: by the service's clock where both ends of it are known, else by the
 * machine's. Infinite when a clock that was set back makes it impossible to tell.
 */
export function ageOf(record: RenderRecord, client: RenderClient | undefined, clock: Clock): number {
  if (record.firstSentAt === undefined) return 0;
  const serviceTime = client?.serviceTime();
  const age =
    record.firstSentServiceTime !== undefined && serviceTime !== undefined
      ? serviceTime - record.firstSentServiceTime
      : clock.now() - record.firstSentAt;
  // The Date header counts whole seconds.
  return age < -2000 ? Infinity : age;
}

/** True while the same bytes may be sent again by themselves. */
export function mayRepeat(record: RenderRecord, client: RenderClient | undefined, clock: Clock): boolean {
  return ageOf(record, client, clock) < repeatWindowMs;
}

/** True when the same bytes were sent as often as they may be. */
export function isTriedOut({ attempt, tries = attempt }: RenderRecord): boolean {
  return tries >= mostTries;
}

/**
 * The pause before what was sent is sent again, ms: few repeats have to reach over most of the ten minutes. Spread by
 * chance.
 */
export function pauseBeforeRepeat({ attempt, tries = attempt }: RenderRecord, unit: number): number {
  return 1000 * 4 ** (tries - 1) * (0.75 + unit / 2);
}

/** The pause before the attempt that follows `attempt`, ms: doubling from one second to thirty, spread by chance. */
export function pauseAfter(attempt: number, unit: number): number {
  return Math.min(30_000, 1000 * 2 ** (attempt - 1)) * (0.75 + unit / 2);
}
