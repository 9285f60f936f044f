import { exceeded, type Budget } from './budgets';

/** A limit that several renders may share, identified by its `id`. */
export interface SharedBudget extends Budget {
  readonly id: string;
}

/** A render at its price, euro cents, and the limits that apply to it. */
export interface PricedShare<T extends SharedBudget> {
  readonly cents: number;
  readonly limits: readonly T[];
}

/** How many of the renders, in order, fit within all limits, and the limit that the next one would exceed. */
export function covered<T extends SharedBudget>(renders: readonly PricedShare<T>[]): { count: number; over?: T } {
  const added = new Map<string, number>();
  for (const [count, { cents, limits }] of renders.entries()) {
    const used = limits.map((limit) => ({ ...limit, committed: limit.committed + (added.get(limit.id) ?? 0) }));
    const over = exceeded(cents, used);
    if (over) return { count, over: limits.find(({ id }) => id === over.id) };
    for (const { id } of limits) added.set(id, (added.get(id) ?? 0) + cents);
  }
  return { count: renders.length };
}
