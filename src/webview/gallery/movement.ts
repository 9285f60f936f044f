/** A grid as the keyboard sees it. */
export interface Extent {
  readonly count: number;
  readonly columns: number;
  /** How many rows are in view at once. */
  readonly pageRows: number;
}

/** The tile that a key moves to from `from`; undefined for other keys. Stops at the edges of the grid. */
export function moved(from: number, key: string, { count, columns, pageRows }: Extent): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(count - 1, from + 1);
    case 'ArrowUp':
      return from >= columns ? from - columns : from;
    case 'ArrowDown':
      return below(from, 1);
    case 'PageUp':
      return Math.max(from % columns, from - pageRows * columns);
    case 'PageDown':
      return below(from, pageRows);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }

  /** A last row that is not full has no tile below each of the row before: its last one is meant then. */
  function below(index: number, rows: number): number {
    const lastRow = Math.floor((count - 1) / columns);
    const row = Math.min(lastRow, Math.floor(index / columns) + rows);
    return Math.min(count - 1, row * columns + (index % columns));
  }
}
