import type { Charge } from './charge';

/** What some renders cost. All amounts in euro cents, by the service's own word. */
export interface Sums {
  readonly renders: number;
  /** Charged and not refunded. */
  readonly spentCents: number;
  readonly refundedCents: number;
  readonly refunds: number;
  /** Renders whose charge nobody stated and which are over: they are in no amount. */
  readonly unknown: number;
  /** The prices that were shown for those, as far as any was. */
  readonly unknownShownCents: number;
  /** Renders that are being sent or rendered and whose charge is not stated yet: they are in no amount either. */
  readonly underWay: number;
}

/** Some renders that belong together, by a name of ours. */
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

/** The sums of all of them. */
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

/** The sums of those that `keyOf` gives the same name, what cost most first. */
export function groupsOf(charges: readonly Charge[], keyOf: (charge: Charge) => string): SpendGroup[] {
  return grouped(charges, keyOf).sort(
    (a, b) => b.sums.spentCents - a.sums.spentCents || b.sums.renders - a.sums.renders || (a.key < b.key ? -1 : 1),
  );
}

/** One group for each of `keys`, in their order, also where there is nothing in it. */
export function groupsIn(
  keys: readonly string[],
  charges: readonly Charge[],
  keyOf: (charge: Charge) => string,
): SpendGroup[] {
  const found = new Map(grouped(charges, keyOf).map((group) => [group.key, group]));
  return keys.map((key) => found.get(key) ?? { key, sums: nothing });
}

/** The first `most` of them, and the sums of all others together. */
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
