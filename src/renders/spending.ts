/** Who asks for a render: a gesture in our own UI, or something that acts for the person (a command with arguments, an agent). */
export type Gesture = 'ours' | 'unattended';

export interface SpendingLimits {
  /** Above this a gesture of ours is asked once more. Euro cents. */
  readonly confirmAbove: number;
  /** What may be spent unattended in one window. Euro cents. */
  readonly unattendedBudget: number;
  /** What was spent unattended in this window. Euro cents. */
  readonly unattendedSpent: number;
}

/** True when a person must say yes to the price first (rules of money 6). An unknown price is always asked about. */
export function mustAsk(costCents: number | undefined, gesture: Gesture, limits: SpendingLimits): boolean {
  if (costCents === undefined) return true;
  if (gesture === 'ours') return costCents > limits.confirmAbove;
  return limits.unattendedSpent + costCents > limits.unattendedBudget;
}

/** One limit of a person, and how far it is used. Euro cents. */
export interface Budget {
  readonly limit: number | undefined;
  readonly committed: number;
}

/** The first budget that a render of this price would exceed; an unknown price exceeds what is used up. */
export function exceeded<T extends Budget>(costCents: number | undefined, budgets: readonly T[]): T | undefined {
  return budgets.find(({ limit, committed }) => limit !== undefined && committed + (costCents ?? 1) > limit);
}
