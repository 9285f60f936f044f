import type { Size } from './state';

/** The number of columns that shows this many images largest, while their shapes are unknown. */
export function columnsFor(count: number, { width, height }: Size): number {
  let best = 1;
  for (let columns = 2; columns <= count; columns++)
    if (edge(columns, count, width, height) > edge(best, count, width, height)) best = columns;
  return best;
}

/** The largest square that fits into each pane, px. */
function edge(columns: number, count: number, width: number, height: number): number {
  return Math.min(width / columns, height / Math.ceil(count / columns));
}
