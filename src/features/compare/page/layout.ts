import type { Size } from './state';

/**
 * The number of columns that shows this many images largest, while their shapes are unknown. Those of a group, such as
 * a pair, stay in one row.
 */
export function columnsFor(count: number, { width, height }: Size, group = 1): number {
  let best = group;
  for (let columns = 2 * group; columns <= count; columns += group)
    if (edge(columns, count, width, height) > edge(best, count, width, height)) best = columns;
  return best;
}

/** The largest square that fits into each pane, px. */
function edge(columns: number, count: number, width: number, height: number): number {
  return Math.min(width / columns, height / Math.ceil(count / columns));
}
