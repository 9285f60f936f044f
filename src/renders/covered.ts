import { BudgetError } from './budgetError';
import { exceeded, type Budget, type NamedBudget } from './budgets';
import type { Order } from './record';

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

/**
 * Throws BudgetError when the renders would together exceed a limit: those of a workspace folder its own, all of them
 * that of the day. An unknown price counts as none.
 */
export function checkTogether(
  orders: readonly Pick<Order, 'shownCents' | 'target'>[],
  limitsOf: (target: Order['target']) => readonly NamedBudget[],
): void {
  const byRoot = new Map<string | undefined, readonly NamedBudget[]>();
  for (const { target } of orders) if (!byRoot.has(target.root)) byRoot.set(target.root, limitsOf(target));
  const shares = orders.map(({ shownCents = 0, target: { root } }) => ({
    cents: shownCents,
    limits: byRoot.get(root) ?? [],
  }));
  const { count, over } = covered(shares);
  if (over) throw new BudgetError(over, orders[count]?.target.root);
}
