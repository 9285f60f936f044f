import type { Yielder } from '../base/concurrency';
import type { Charge } from './charge';
import type { SeenBalance } from './ledger';
import type { Outline } from './outline';
import type { OrderedBy, RenderRecord } from './record';

/** The cost of some renders, as the service stated it. All amounts in euro cents. */
export interface Sums {
  readonly renders: number;
  /** Charged and not refunded. */
  readonly spentCents: number;
  readonly refundedCents: number;
  readonly refunds: number;
  /** Renders that ended without a stated charge: not included in any amount. */
  readonly unknown: number;
  /** The quoted prices of those, where there were any. */
  readonly unknownShownCents: number;
  /** Renders in progress whose charge isn't stated yet: not included in any amount either. */
  readonly underWay: number;
}

/** A group of renders, by a name that we give it. */
export interface SpendGroup {
  readonly key: string;
  readonly sums: Sums;
}

const nothing: Sums = {
  renders: 0,
  spentCents: 0,
  refundedCents: 0,
  refunds: 0,
  unknown: 0,
  unknownShownCents: 0,
  underWay: 0,
};

/** Sums over all of them. */
export function sumsOf(charges: readonly Charge[]): Sums {
  const sums = { ...nothing };
  for (const charge of charges) count(sums, charge);
  return sums;
}

/** The sums of those that `keyOf` gives the same name, in no order. */
export async function groupsOf(
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
  turns: Pick<Yielder, 'next'>,
): Promise<SpendGroup[]> {
  const groups = new Groups(keyOf);
  for (let from = 0; from < charges.length; from += sliceSize) {
    groups.count(charges.slice(from, from + sliceSize));
    await turns.next();
  }
  return groups.all();
}

/** One group for each of `keys`, in order, including empty ones. */
export function groupsIn(
  keys: readonly string[],
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
): SpendGroup[] {
  const groups = new Groups(keyOf);
  groups.count(charges);
  const found = new Map(groups.all().map((group) => [group.key, group]));
  return keys.map((key) => found.get(key) ?? { key, sums: nothing });
}

/** The first `most` groups, and the sums of all others together. */
export function largestGroups(
  groups: readonly SpendGroup[],
  most: number,
): { readonly groups: readonly SpendGroup[]; readonly others?: { readonly count: number; readonly sums: Sums } } {
  const first: SpendGroup[] = [];
  for (const group of groups) {
    const last = first[most - 1];
    if (last && costliest(last, group) < 0) continue;
    const place = first.findIndex((one) => costliest(group, one) < 0);
    first.splice(place < 0 ? first.length : place, 0, group);
    first.length = Math.min(first.length, most);
  }
  const isFirst = new Set(first);
  const others = groups.filter((group) => !isFirst.has(group));
  if (others.length < 2) return { groups: [...first, ...others] };
  return {
    groups: first,
    others: { count: others.length, sums: sumOf(others) },
  };
}

/** How many are counted in one piece, which takes some ms. */
const sliceSize = 5_000;

class Groups {
  private readonly groups = new Map<string, { readonly key: string; readonly sums: Counting }>();

  constructor(private readonly keyOf: (charge: Charge) => string) {}

  count(charges: readonly Charge[]): void {
    for (const charge of charges) {
      const key = this.keyOf(charge);
      let group = this.groups.get(key);
      if (!group) this.groups.set(key, (group = { key, sums: { ...nothing } }));
      count(group.sums, charge);
    }
  }

  all(): SpendGroup[] {
    return [...this.groups.values()];
  }
}

function costliest(a: SpendGroup, b: SpendGroup): number {
  return b.sums.spentCents - a.sums.spentCents || b.sums.renders - a.sums.renders || (a.key < b.key ? -1 : 1);
}

type Counting = { -readonly [Figure in keyof Sums]: Sums[Figure] };

function count(sums: Counting, { cents, isRefunded, isUnderWay, record }: Charge): void {
  sums.renders += 1;
  if (isRefunded) {
    sums.refunds += 1;
    sums.refundedCents += cents ?? 0;
  } else if (cents !== undefined) sums.spentCents += cents;
  else if (isUnderWay) sums.underWay += 1;
  else {
    sums.unknown += 1;
    sums.unknownShownCents += record.shownCents ?? 0;
  }
}

function sumOf(groups: readonly SpendGroup[]): Sums {
  const total: Counting = { ...nothing };
  const figures = Object.keys(nothing) as (keyof Sums)[];
  for (const { sums } of groups) for (const figure of figures) total[figure] += sums[figure];
  return total;
}

/** The day of a time (ms since 1970) in the local calendar: `2026-03-29`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${monthOf(time)}-${twoDigits(date.getDate())}`;
}

/** The month of a time (ms since 1970) in the local calendar: `2026-03`. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`;
}

/** Every day from that of `from` to that of `to` (ms since 1970), inclusive. */
export function daysBetween(from: number, to: number): string[] {
  return stepped(from, to, dayOf, (date) => date.setDate(date.getDate() + 1));
}

/** Every month from that of `from` to that of `to` (ms since 1970), inclusive. */
export function monthsBetween(from: number, to: number): string[] {
  return stepped(from, to, monthOf, (date) => date.setMonth(date.getMonth() + 1, 1));
}

const quarterMs = 15 * 60_000;

/** The same names with less work for many moments: every day of every calendar begins on a quarter of an hour. */
export function byQuarters(name: (time: number) => string): (time: number) => string {
  const names = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / quarterMs);
    let known = names.get(quarter);
    if (known === undefined) names.set(quarter, (known = name(time)));
    return known;
  };
}

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function stepped(from: number, to: number, name: (time: number) => string, step: (date: Date) => unknown): string[] {
  const names: string[] = [];
  // Noon exists exactly once on every day.
  for (const date = new Date(new Date(from).setHours(12, 0, 0, 0)); ; step(date)) {
    const next = name(date.getTime());
    if (next > name(to)) return names;
    names.push(next);
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

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

/** Who ordered a render, as far as recorded. */
export type Orderer = OrderedBy | 'elsewhere' | 'notRecorded';

/** A render adopted from the service's list was ordered by someone else. */
export function ordererOf({ by, attempt, acceptedAt }: Pick<RenderRecord, 'by' | 'attempt' | 'acceptedAt'>): Orderer {
  if (by !== undefined) return by;
  return attempt === 0 && acceptedAt !== undefined ? 'elsewhere' : 'notRecorded';
}
