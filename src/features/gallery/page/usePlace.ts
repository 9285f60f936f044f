import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TileView } from './galleryMessages';
import { rowAt, topOf, type Layout } from './layout';
import type { GalleryState } from './state';

type ScrollPlace = GalleryState['place'];

/**
 * Keeps the visible results in place while others are added and removed above them and the view changes its width; at
 * the very top, new results come into view. A new filter starts at the top.
 */
export function usePlace(
  scroller: RefObject<HTMLElement | null>,
  tiles: readonly TileView[],
  layout: Layout,
  state: Pick<GalleryState, 'filter' | 'place'>,
): { readonly scrolled: () => void; readonly place: () => ScrollPlace } {
  const place = useRef<ScrollPlace>(state.place);
  const filter = useRef(state.filter);
  /** What the scroller shows, and its scroll offset when its place was last known. */
  const shown = useRef({ tiles, layout, offset: 0 });
  const look = () => {
    const element = scroller.current;
    // A hidden view has no offset.
    if (!element || element.clientHeight === 0 || element.scrollTop === shown.current.offset) return;
    shown.current.offset = element.scrollTop;
    place.current = placeAt(element.scrollTop, shown.current.tiles, shown.current.layout);
  };
  // The event of what was just scrolled comes only with the next frame: results that come earlier mustn't undo it.
  look();
  const { columns, tileWidth } = layout;
  useLayoutEffect(() => {
    shown.current = { ...shown.current, tiles, layout };
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || tileWidth === 0) return;
    if (filter.current !== state.filter) {
      filter.current = state.filter;
      place.current = undefined;
      element.scrollTop = 0;
    }
    const kept = place.current;
    const index = kept ? tiles.findIndex(({ id }) => id === kept.id) : -1;
    if (kept && index >= 0) element.scrollTop = topOf(Math.floor(index / columns), layout) + kept.offset;
    shown.current.offset = element.scrollTop;
  }, [tiles, columns, tileWidth, state.filter]);
  return { scrolled: look, place: () => place.current };
}

/** The first visible result at a scroll offset of `offset` px; undefined at the very top. */
function placeAt(offset: number, tiles: readonly TileView[], layout: Layout): ScrollPlace {
  const row = rowAt(offset, layout);
  const tile = tiles[row * layout.columns];
  return offset > 0 && tile ? { id: tile.id, offset: offset - topOf(row, layout) } : undefined;
}
