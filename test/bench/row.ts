/** What a figure counts. */
export type Unit = 'ms' | 'KB' | 'MB' | 'MB/s' | 'requests' | '×';

/** What we want of a row: of our median by itself, of its ratio to the yardstick's, or of how far it lies over it. */
export type Aim =
  | { readonly of: 'value' | 'ratio' | 'over'; readonly atMost: number }
  | { readonly of: 'ratio'; readonly atLeast: number };

/** One line of the table. Figures are in `unit`, one for each run. */
export interface Row {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  /** What ours is held against, measured in the same run. */
  readonly yardstick?: { readonly what: string; readonly figures: readonly number[] };
  /** Without one the row is there to be known. */
  readonly aim?: Aim;
}

/** The middle one; of an even count the mean of the middle two. NaN of none. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** Ours by the yardstick's, of medians; undefined without a yardstick. */
export function ratioOf({ ours, yardstick }: Row): number | undefined {
  return yardstick && median(ours) / median(yardstick.figures);
}

/** Undefined where nothing is aimed at. */
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
