import type { Charge } from './charge';

/** What some renders cost, as the service stated it. All amounts in euro cents. */
export interface Sums {
  readonly renders: number;
  /** Charged and not refunded. */
  readonly spentCents: number;
  readonly refundedCents: number;
  readonly refunds: number;
  /** Renders that are over without a stated charge: not included in any amount. */
  readonly unknown: number;
  /** The quoted prices of those, where there were any. */
  readonly unknownShownCents: number;
  /** Renders in progress whose charge isn't stated yet: not included in any amount either. */
  readonly underWay: number;
}

/** A group of renders, by a name of ours. */
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
  for (const { cents, isRefunded, isUnderWay, record } of charges) {
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
  return sums;
}

/** Sums by the name that `keyOf` gives, the most expensive first. */
export function groupsOf(charges: readonly Charge[], keyOf: (charge: Charge) => string): SpendGroup[] {
  return grouped(charges, keyOf).sort(
    (a, b) => b.sums.spentCents - a.sums.spentCents || b.sums.renders - a.sums.renders || (a.key < b.key ? -1 : 1),
  );
}

/** One group for each of `keys`, in order, including empty ones. */
export function groupsIn(
  keys: readonly string[],
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
): SpendGroup[] {
  const found = new Map(grouped(charges, keyOf).map((group) => [group.key, group]));
  return keys.map((key) => found.get(key) ?? { key, sums: nothing });
}

/** The first `most` groups, and the sums of all others together. */
export function largest(
  groups: readonly SpendGroup[],
  most: number,
): { readonly groups: readonly SpendGroup[]; readonly others?: { readonly count: number; readonly sums: Sums } } {
  const others = groups.slice(most);
  if (others.length < 2) return { groups };
  return {
    groups: groups.slice(0, most),
    others: { count: others.length, sums: others.map(({ sums }) => sums).reduce(plus) },
  };
}

function grouped(charges: readonly Charge[], keyOf: (charge: Charge) => string): SpendGroup[] {
  const members = new Map<string, Charge[]>();
  for (const charge of charges) {
    const key = keyOf(charge);
    const list = members.get(key);
    if (list) list.push(charge);
    else members.set(key, [charge]);
  }
  return [...members].map(([key, list]) => ({ key, sums: sumsOf(list) }));
}

function plus(a: Sums, b: Sums): Sums {
  const keys = Object.keys(nothing) as (keyof Sums)[];
  return Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) as unknown as Sums;
}
