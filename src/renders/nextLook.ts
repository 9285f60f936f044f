import { addAt, at } from '../base/numbers';
import type { LikelyEnds } from './likelyEnds';

/** A render that is expected to end, and how old it was when it was last known to go on, in ms. */
export interface Expected {
  readonly ends: LikelyEnds;
  readonly ageMs: number;
  /** 0 while nobody has looked. */
  readonly pendingAtMs: number;
}

const slots = 240;
/** What a look must save, ms of one render’s wait: a request costs the service too. */
const worthMs = 50;
/** How much later than the last look that was laid a render is found that has not ended by then, ms. */
const lateMs = 2500;

/** True while the render may still end when others did: later than that, nothing is known of it. */
export function isExpected({ ends, ageMs, pendingAtMs }: Expected): boolean {
  return ageMs < lastEnd(ends) && massAfter(ends, pendingAtMs) > 0.001;
}

/**
 * How long from now to the look that, with those after it, makes the waits after the ends of all these renders
 * shortest, ms. No look is sooner than `soonestMs`, and none is less than `apartMs` after another. One answer tells of
 * all renders.
 */
export function nextLook(expected: readonly Expected[], soonestMs: number, apartMs: number): number {
  const horizon = Math.max(...expected.map(({ ends, ageMs }) => lastEnd(ends) - ageMs), 0);
  const slotMs = Math.max(soonestMs + apartMs, horizon) / slots;
  const { shares, waits } = sumsOf(expected, slotMs);
  // The waits of all that end in the slots after one look, up to the next.
  const between = (one: number, next: number) =>
    next * slotMs * (at(shares, next) - at(shares, one)) - (at(waits, next) - at(waits, one));
  const first = Math.min(slots, Math.max(1, Math.ceil(soonestMs / slotMs)));
  const apart = Math.max(1, Math.ceil(apartMs / slotMs));
  // Backwards: the least of the waits after a look in each slot, and the look that follows it.
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
 * For each slot from now on, how many renders are expected to have ended by its end, and the sum of when. What should
 * have ended before now ends now.
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

/** The latest age, ms, at which it may end. */
function lastEnd({ shares, cellMs }: LikelyEnds): number {
  return (shares.findLastIndex((share) => share > 0) + 1) * cellMs;
}

function massAfter({ shares, cellMs }: LikelyEnds, ms: number): number {
  return shares.reduce((mass, share, cell) => ((cell + 0.5) * cellMs < ms ? mass : mass + share), 0);
}
