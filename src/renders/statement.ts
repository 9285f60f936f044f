import type { SeenBalance } from './ledger';
import type { Outline } from './outline';

/** How a balance went from one amount to another, euro cents: `from − ours − outside + added` is `to`. */
export interface Statement {
  readonly from: SeenBalance;
  readonly to: SeenBalance;
  /** What renders of this editor were charged, less what was refunded of them. */
  readonly oursCents: number;
  /** What else went off, at least: between two looks it may have been made up for by money that came. */
  readonly outsideCents: number;
  /** What came, at least. */
  readonly addedCents: number;
  /** Renders whose charge or refund nobody stated: some of what is outside or added may be theirs. */
  readonly uncertain: number;
}

/**
 * A change of the balance by a render of ours, which came about at the service at some moment between two of our own
 * times.
 */
interface Move {
  readonly after: number;
  readonly before: number;
  /** What the service stated, euro cents; less than nothing went off. */
  readonly cents: number;
  /** There may be more to it than was stated. */
  readonly isUncertain: boolean;
}

/** What the service has not said of a render by then it will not say by itself, ms. */
const patienceMs = 24 * 3_600_000;

/**
 * Holds the course of an account's balance (in the order it was seen) against the account's renders. Only looks at
 * moments when no render of ours was on its way: there both are known to say the same. Undefined while there are no two
 * of them.
 */
export function statementOf(seen: readonly SeenBalance[], records: readonly Outline[]): Statement | undefined {
  if (seen.length < 2) return undefined;
  const moves = movesSince(seen[0]?.askedAt ?? 0, records).sort((a, b) => a.before - b.before);
  const calm = calmOnes(seen, moves);
  const [from] = calm;
  const to = calm.at(-1);
  if (!from || !to || from === to) return undefined;
  const later = moves.filter(({ before }) => before > from.askedAt);
  const sums = { oursCents: 0, outsideCents: 0, addedCents: 0, uncertain: 0 };
  let taken = 0;
  for (const [index, now] of calm.slice(1).entries()) {
    const first = taken;
    while ((later[taken]?.before ?? Infinity) <= now.askedAt) taken += 1;
    const between = later.slice(first, taken);
    const ours = between.reduce((sum, { cents }) => sum + cents, 0);
    const other = now.cents - (calm[index]?.cents ?? 0) - ours;
    sums.oursCents -= ours;
    sums.uncertain += between.filter(({ isUncertain }) => isUncertain).length;
    sums.outsideCents += Math.max(0, -other);
    sums.addedCents += Math.max(0, other);
  }
  return { from, to, ...sums };
}

/** What was over before the first look is in none of the amounts. */
function movesSince(first: number, records: readonly Outline[]): Move[] {
  const moves: Move[] = [];
  for (const record of records) {
    const move = moveOf(record);
    if (move && move.before > first) moves.push(move);
  }
  return moves;
}

/** The balances that were seen while no move was going on: a walk over both in the order of time. */
function calmOnes(seen: readonly SeenBalance[], moves: readonly Move[]): SeenBalance[] {
  const begun = [...moves].sort((a, b) => a.after - b.after);
  let next = 0;
  let busyUntil = -Infinity;
  return seen.filter(({ askedAt, at }) => {
    for (let move = begun[next]; move && move.after < at; move = begun[(next += 1)])
      busyUntil = Math.max(busyUntil, move.before);
    return busyUntil <= askedAt;
  });
}

/**
 * Undefined for what moved nothing, and for what was started elsewhere and taken up here: that moved it from outside.
 */
function moveOf(record: Outline): Move | undefined {
  const { state, attempt, plannedAt, firstSentAt: after = plannedAt, acceptedAt, endedAt } = record;
  if (attempt === 0 || state === 'planned' || state === 'refused' || state === 'discarded') return undefined;
  const cents = 0 - (record.costCents ?? 0);
  const late = (acceptedAt ?? after) + patienceMs;
  if (state === 'refunded') return { after, before: endedAt ?? late, cents: 0, isUncertain: false };
  if (acceptedAt === undefined) return { after, before: endedAt ?? late, cents, isUncertain: true };
  if (state === 'succeeded' || state === 'saved')
    return { after, before: acceptedAt, cents, isUncertain: record.costCents === undefined };
  return { after, before: late, cents, isUncertain: true };
}
