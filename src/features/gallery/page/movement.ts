/** The grid's dimensions for keyboard navigation. */
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

  /** Below an incomplete last row, the last tile is meant. */
  function below(index: number, rows: number): number {
    const lastRow = Math.floor((count - 1) / columns);
    const row = Math.min(lastRow, Math.floor(index / columns) + rows);
    return Math.min(count - 1, row * columns + (index % columns));
  }
}
