import type { TileSize } from './galleryMessages';

/** The layout of tiles in a view of some width; everything in px. */
export interface Layout {
  readonly columns: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** Between two tiles, and between a tile and the edge of the view, px. */
export const gap = 12;

/**
 * The minimum width of a tile, and the height of its caption: two lines, or one where two rows must fit into little
 * height.
 */
const sizes: Readonly<Record<TileSize | 'low', { readonly narrowest: number; readonly caption: number }>> = {
  low: { narrowest: 100, caption: 24 },
  small: { narrowest: 112, caption: 52 },
  usual: { narrowest: 172, caption: 52 },
  large: { narrowest: 300, caption: 52 },
};

/** As many columns as fit, of tiles with a square for the image: their boxes are known before the images load. */
export function layoutOf(width: number, size: TileSize | 'low'): Layout {
  const { narrowest, caption } = sizes[size];
  const inner = Math.max(0, width - 2 * gap);
  const columns = Math.max(1, Math.floor((inner + gap) / (narrowest + gap)));
  const tileWidth = Math.floor((inner - gap * (columns - 1)) / columns);
  return { columns, tileWidth, tileHeight: tileWidth + caption };
}

/** The left edge of a column, px. */
export function leftOf(column: number, { tileWidth }: Layout): number {
  return gap + column * (tileWidth + gap);
}

/** The top edge of a row, px from the top of all of them. */
export function topOf(row: number, { tileHeight }: Layout): number {
  return gap + row * (tileHeight + gap);
}

/** The first row that is at least partly visible at a scroll offset of `offset` px. */
export function rowAt(offset: number, { tileHeight }: Layout): number {
  return Math.max(0, Math.floor((offset - gap) / (tileHeight + gap)));
}
