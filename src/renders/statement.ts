import type { SeenBalance } from './ledger';
import type { Outline } from './outline';

/** How a balance changed, euro cents: `from − ours − outside + added` is `to`. */
export interface Statement {
  readonly from: SeenBalance;
  readonly to: SeenBalance;
  /** Charges for renders of this editor, less their refunds. */
  readonly oursCents: number;
  /** Other spending, at least: money added between two looks may conceal more. */
  readonly outsideCents: number;
  /** Money added, at least. */
  readonly addedCents: number;
  /** Renders without a stated charge or refund: part of `outside` or `added` may be theirs. */
  readonly uncertain: number;
}

/** A change of the balance by one of our renders, between two times on our clock. */
interface Move {
  readonly after: number;
  readonly before: number;
  /** As the service stated it, euro cents; negative for a charge. */
  readonly cents: number;
  /** There may be more to it than was stated. */
  readonly isUncertain: boolean;
}

/** A service that hasn't stated a render's charge by then won't state it later, ms. */
const patienceMs = 24 * 3_600_000;

/**
 * Compares the course of an account's balance, in chronological order, with the account's renders. Uses only moments
 * when none of our renders was in progress: then both agree. Undefined without two of them.
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

/** Moves that were over before the first look are in none of the amounts. */
function movesSince(first: number, records: readonly Outline[]): Move[] {
  const moves: Move[] = [];
  for (const record of records) {
    const move = moveOf(record);
    if (move && move.before > first) moves.push(move);
  }
  return moves;
}

/** The balances seen while no move was in progress. Goes through both in chronological order. */
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

/** Undefined for a render that moved nothing, and for one adopted from elsewhere: that counts as outside. */
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
