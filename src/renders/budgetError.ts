import type { NamedBudget } from './budgets';

/** A render that exceeds one of the person's limits: it wasn't sent, and nothing was charged. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  constructor(
    readonly budget: NamedBudget,
    /** The workspace folder (URI) whose limit it was. */
    readonly root: string | undefined,
  ) {
    super(`The render would exceed the limit ${budget.name}, so it wasn’t sent`);
  }
}
