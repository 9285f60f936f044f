/** The unit of a figure. */
export type Unit = 'ms' | 'KB' | 'MB' | 'MB/s' | 'requests' | '×';

/** The goal for a row: for our median, for its ratio to the yardstick's, or for how much it exceeds that. */
export type Aim =
  | { readonly of: 'value' | 'ratio' | 'over'; readonly atMost: number }
  | { readonly of: 'ratio'; readonly atLeast: number };

/** One line of the table. Figures are in `unit`, one per run. */
export interface Row {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  /** What ours is compared with, measured in the same run. */
  readonly yardstick?: { readonly what: string; readonly figures: readonly number[] };
  /** A row without one is for information. */
  readonly aim?: Aim;
}

/** The middle one, or the mean of the middle two for an even count. NaN for none. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** The ratio of our median to the yardstick's; undefined without a yardstick. */
export function ratioOf({ ours, yardstick }: Row): number | undefined {
  return yardstick && median(ours) / median(yardstick.figures);
}

/** Undefined without a goal. */
export function isMet(row: Row): boolean | undefined {
  const { aim, ours, yardstick } = row;
  if (!aim) return undefined;
  const value = {
    value: median(ours),
    ratio: ratioOf(row) ?? NaN,
    over: median(ours) - median(yardstick?.figures ?? []),
  }[aim.of];
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast;
}
