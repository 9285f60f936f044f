import type { NamedBudget } from './budgets';

/** A setting of money holds no amount, so that nobody knows what may be spent: nothing was sent or charged. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  constructor(
    /** Its ID. */
    readonly setting: string,
    /** The workspace folder (URI) that the render was for. */
    readonly root: string | undefined,
  ) {
    super(`The setting ${setting} is no amount, so nothing was sent`);
  }
}

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
