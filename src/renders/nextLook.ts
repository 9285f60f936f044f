import { addAt, at } from '../base/numbers';
import type { LikelyEnds } from './likelyEnds';

/** A render with its likely ends, and its age when it was last known to be in progress, ms. */
export interface Expected {
  readonly ends: LikelyEnds;
  readonly ageMs: number;
  /** 0 before the first poll. */
  readonly pendingAtMs: number;
}

const slots = 240;
/** The waiting time that a poll must save, ms for one render: requests cost the service too. */
const worthMs = 50;
/** How long after its last planned poll a render that didn't end by then is expected to be found, ms. */
const lateMs = 2500;

/** False once the render takes longer than all known durations. */
export function isExpected({ ends, ageMs, pendingAtMs }: Expected): boolean {
  return ageMs < lastEnd(ends) && massAfter(ends, pendingAtMs) > 0.001;
}

/**
 * How long to wait for the poll that, with those after it, minimizes the total delay until the ends of all these
 * renders are noticed, ms. At least `soonestMs`, with polls at least `apartMs` apart. One response covers all renders.
 */
export function nextLook(expected: readonly Expected[], soonestMs: number, apartMs: number): number {
  const horizon = Math.max(...expected.map(({ ends, ageMs }) => lastEnd(ends) - ageMs), 0);
  const slotMs = Math.max(soonestMs + apartMs, horizon) / slots;
  const { shares, waits } = sumsOf(expected, slotMs);
  // The delays of all renders that end between one poll and the next.
  const between = (one: number, next: number) =>
    next * slotMs * (at(shares, next) - at(shares, one)) - (at(waits, next) - at(waits, one));
  const first = Math.min(slots, Math.max(1, Math.ceil(soonestMs / slotMs)));
  const apart = Math.max(1, Math.ceil(apartMs / slotMs));
  // Backward: the least total delay from a poll in each slot, and the poll that follows.
  const rest = new Float64Array(slots + 1);
  for (let slot = slots; slot >= first; slot--) {
    let least = lateMs * (at(shares, slots) - at(shares, slot));
    for (let next = slot + apart; next <= slots; next++)
      least = Math.min(least, worthMs + between(slot, next) + at(rest, next));
    rest[slot] = least;
  }
  let best = first;
  for (let slot = first; slot <= slots; slot++)
    if (between(0, slot) + at(rest, slot) < between(0, best) + at(rest, best)) best = slot;
  return best * slotMs;
}

/**
 * For each slot from now on, how many renders are expected to have ended by its end, and the sum of their end times.
 * Ends that were due before now count as now.
 */
function sumsOf(expected: readonly Expected[], slotMs: number): { shares: Float64Array; waits: Float64Array } {
  const shares = new Float64Array(slots + 1);
  const waits = new Float64Array(slots + 1);
  for (const { ends, ageMs, pendingAtMs } of expected) {
    const left = massAfter(ends, pendingAtMs);
    ends.shares.forEach((share, cell) => {
      const age = (cell + 0.5) * ends.cellMs;
      if (share === 0 || age < pendingAtMs) return;
      const slot = Math.min(slots, Math.max(1, Math.ceil((age - ageMs) / slotMs)));
      addAt(shares, slot, share / left);
      addAt(waits, slot, (share / left) * (age - ageMs));
    });
  }
  for (let slot = 1; slot <= slots; slot++) {
    addAt(shares, slot, at(shares, slot - 1));
    addAt(waits, slot, at(waits, slot - 1));
  }
  return { shares, waits };
}

/** The highest age at which it may end, ms. */
function lastEnd({ shares, cellMs }: LikelyEnds): number {
  return (shares.findLastIndex((share) => share > 0) + 1) * cellMs;
}

function massAfter({ shares, cellMs }: LikelyEnds, ms: number): number {
  return shares.reduce((mass, share, cell) => ((cell + 0.5) * cellMs < ms ? mass : mass + share), 0);
}
