import type { NamedBudget } from './budgets';

/** A render that a limit of the person's leaves no room for: it was not sent, and nothing was charged. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  constructor(
    readonly budget: NamedBudget,
    /** The workspace folder (URI) the limit was looked up for. */
    readonly root: string | undefined,
  ) {
    super(`The render would exceed the limit ${budget.name}, so it was not sent`);
  }
}
