import type { Turns } from '../base/turns';
import type { Charge } from './charge';

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
  turns: Pick<Turns, 'next'>,
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
export function largest(
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
