/** The renders that a limit is about: all of a day, or those of one workspace folder. */
export type BudgetName = 'perDay' | 'perProject';

export interface NamedBudget extends SharedBudget {
  readonly name: BudgetName;
}

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

/** A render that exceeds one of the user's limits: it wasn't sent, and nothing was charged. */
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

/** One of the user's limits and how much of it is used. Euro cents. */
interface Budget {
  readonly limit: number | undefined;
  readonly committed: number;
}

/** A limit that several renders may share, such as those of one day, or of one workspace folder. */
export interface SharedBudget extends Budget {
  /** The same for all of them. */
  readonly id: string;
}

/** A render at its price, euro cents, and the limits that apply to it. */
export interface PricedShare<T extends SharedBudget> {
  readonly cents: number | undefined;
  readonly limits: readonly T[];
}

/**
 * How many of the renders, in order, fit within all limits, and the limit that the next one would exceed. An unknown
 * price exceeds a limit that is used up.
 */
export function covered<T extends SharedBudget>(renders: readonly PricedShare<T>[]): { count: number; over?: T } {
  const added = new Map<string, number>();
  for (const [count, { cents, limits }] of renders.entries()) {
    const isOver = ({ id, limit, committed }: T) =>
      limit !== undefined && committed + (added.get(id) ?? 0) + (cents ?? 1) > limit;
    const over = limits.find(isOver);
    if (over) return { count, over };
    for (const { id } of limits) added.set(id, (added.get(id) ?? 0) + (cents ?? 0));
  }
  return { count: renders.length };
}
