import { Canvas, type Path } from './canvas';
import type { Color } from './color';
import type { Cutout } from './composition';

/** How many cells a statue's longer side has. */
const cells = 36;
/** The share of the island's row that it takes up. */
const share = 0.95;

interface Cell {
  /** Counted from the statue's left end. */
  readonly along: number;
  /** Counted from the ground. */
  readonly up: number;
  readonly color: Color;
}

/** A flat drawing built of small blocks: upright, along one row of an island. */
export class Statue {
  /** The cells on each column of the island, from the ground up and from left to right. */
  private readonly byColumn = new Map<number, Cell[]>();

  private constructor(
    found: readonly Cell[],
    /** Where it begins in the row, in columns. */
    readonly left: number,
    /** The row it stands on. */
    readonly row: number,
    /** Its length, in columns. */
    readonly long: number,
    /** The side of one of its blocks along the row, in columns. */
    readonly side: number,
    /** The height of one of its blocks, in steps of the island. */
    readonly tall: number,
  ) {
    for (const cell of found) {
      const column = Math.floor(left + (cell.along + 0.5) * side);
      const others = this.byColumn.get(column);
      if (others) others.push(cell);
      else this.byColumn.set(column, [cell]);
    }
  }

  /**
   * A statue of these pieces, on an island of `columns` columns whose steps are `step` half columns high. Undefined if
   * the pieces show nothing.
   */
  static of(pieces: readonly Cutout[], columns: number, step: number): Statue | undefined {
    const points = pieces.flatMap(({ path }) => path.flat());
    if (points.length === 0) return undefined;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
    const size = Math.max(width, height * 1.15) / cells;
    const found = cellsOf(pieces, left, top, size, Math.ceil(width / size), Math.ceil(height / size));
    const side = (columns * share) / cells;
    const long = (width / size) * side;
    // A block's edges are equally long in all three directions: half a column up for each column to the side.
    return new Statue(
      found,
      (columns - long) / 2,
      Math.round(columns * 0.62),
      long,
      side,
      (side * Math.hypot(1, 0.5)) / step,
    );
  }

  get thick(): number {
    return Math.min(1, this.side * 3);
  }

  /** Whether the column is kept free, so that nothing hides the statue. */
  covers(i: number, j: number): boolean {
    const isBeside = i >= Math.floor(this.left) - 1 && i <= this.left + this.long + 1;
    return isBeside && j >= this.row - 1;
  }

  cellsOn(column: number): readonly Cell[] {
    return this.byColumn.get(column) ?? [];
  }
}

/** The color that fills most of each cell, from the nearest piece there. */
function cellsOf(
  pieces: readonly Cutout[],
  left: number,
  top: number,
  size: number,
  wide: number,
  high: number,
): Cell[] {
  const colors = new Map<number, Color>();
  const canvas = new Canvas(wide, high);
  for (const { path, color } of pieces) {
    const scaled: Path = path.map((outline) => outline.map(([x, y]) => [(x - left) / size, (y - top) / size] as const));
    const mask = canvas.mask(scaled);
    mask.cover.forEach((cover, k) => {
      const [x, y] = [mask.left + (k % mask.width), mask.top + Math.floor(k / mask.width)];
      if (cover > 0.42) colors.set(y * wide + x, color);
    });
  }
  return [...colors]
    .map(([k, color]) => ({ along: k % wide, up: high - 1 - Math.floor(k / wide), color }))
    .sort((one, other) => one.up - other.up || one.along - other.along);
}
