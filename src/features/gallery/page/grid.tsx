import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { useFirstFocus } from '../../../editor/page/controls';
import type { TileSize, TileView } from './galleryMessages';
import { useGalleryTexts } from './galleryView';
import { type Action, type GalleryState, isComparable, mainAction, removedBy } from './state';
import { type Box, Tile, TileTools } from './tile';

/**
 * The results as tiles; only those in and near the view exist. All are in one keyed list with absolute positions: a new
 * one moves the others without re-creating them, so no image flickers and the focus stays.
 */
export function Grid(props: {
  readonly tiles: readonly TileView[];
  readonly size: TileSize | 'low';
  readonly state: GalleryState;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useGalleryTexts();
  const { tiles, state, dispatch } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<string>();
  const layout = layoutOf(useWidth(scroller), props.size);
  const { columns } = layout;
  const current = Math.max(
    0,
    tiles.findIndex(({ id }) => id === state.current),
  );
  const rowCount = Math.ceil(tiles.length / columns);
  const rows = useRows({
    scroller: () => scroller.current,
    count: rowCount,
    rowHeight: layout.tileHeight,
    keep: Math.floor(current / columns),
  });
  const follow = usePlace(scroller, tiles, layout, state);
  const focus = useFocus(scroller, tiles[current]?.id);

  const act = (tile: TileView) => {
    const action = mainAction(tile, state.missing);
    if (action) dispatch({ type: 'asked', action, id: tile.id });
  };
  const press = (event: KeyboardEvent) => {
    const tile = tiles[current];
    if (tile && event.key === 'Escape' && !optionAt(event)) return focus.take(tile.id);
    if (!tile || !optionAt(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / (layout.tileHeight + gap)));
    const to = tiles[movedTo(current, event.key, { count: tiles.length, columns, pageRows }) ?? -1];
    if (to) {
      dispatch({ type: 'focused', id: to.id });
      focus.take(to.id);
    } else if (event.key === 'Enter') {
      if (!event.repeat) act(tile);
    } else if (event.key === ' ') dispatch({ type: 'toggled', id: tile.id });
    else if (event.key === 'Delete') dispatch({ type: 'removed', ids: removedBy(tile, state) });
    else if (event.key === 'c' || event.key === 'C') dispatch({ type: 'compared' });
    else return;
    event.preventDefault();
  };

  const placed = rows.getVirtualItems().flatMap((row) => placedIn(row.index, tiles, layout));
  useFirstFocus(() => scroller.current?.querySelector<HTMLElement>('[role=option][tabindex="0"]'), placed.length > 0);
  const equipped = new Set([hovered, focus.isWithin ? tiles[current]?.id : undefined]);
  return (
    <div
      ref={scroller}
      class="scroller"
      onScroll={follow.scrolled}
      onScrollEnd={() => dispatch({ type: 'scrolled', place: follow.place() })}
      onKeyDown={press}
      onPointerOver={(event) => setHovered(idAt(event))}
      onPointerLeave={() => setHovered(undefined)}
      onFocusIn={(event) => {
        const id = idAt(event);
        if (id !== undefined) dispatch({ type: 'focused', id });
        focus.came();
      }}
      onFocusOut={focus.went}
      onClick={(event) => {
        const id = (event.ctrlKey || event.metaKey) && optionAt(event)?.dataset['id'];
        if (id) dispatch({ type: 'toggled', id });
      }}
      onDblClick={(event) => {
        const id = optionAt(event)?.dataset['id'];
        const tile = tiles.find((other) => other.id === id);
        if (tile && !event.ctrlKey && !event.metaKey) act(tile);
      }}
    >
      <div
        class="tiles"
        role="listbox"
        aria-label={texts.say('results')}
        aria-multiselectable
        style={{ height: `${topOf(rowCount, layout)}px` }}
      >
        {placed.map(({ tile, index, box }) => (
          <Tile
            key={tile.id}
            tile={tile}
            {...box}
            index={index}
            count={tiles.length}
            isCurrent={index === current}
            isSelected={state.selected.includes(tile.id)}
            isMissing={state.missing.has(tile.id)}
            dispatch={dispatch}
          />
        ))}
      </div>
      {placed
        .filter(({ tile }) => equipped.has(tile.id))
        .map(({ tile, box }) => (
          <TileTools
            key={tile.id}
            tile={tile}
            box={box}
            isMissing={state.missing.has(tile.id)}
            isSelected={isComparable(tile, state.missing) ? state.selected.includes(tile.id) : undefined}
            onToggle={() => dispatch({ type: 'toggled', id: tile.id })}
            onAction={(action) => dispatch({ type: 'asked', action, id: tile.id })}
          />
        ))}
    </div>
  );
}

interface Placed {
  readonly tile: TileView;
  readonly index: number;
  readonly box: Box;
}

/** The tiles of a row with their positions; none before the width of the view is known. */
function placedIn(row: number, tiles: readonly TileView[], layout: Layout): readonly Placed[] {
  const { columns, tileWidth: width, tileHeight: height } = layout;
  if (width === 0) return [];
  const top = topOf(row, layout);
  return tiles.slice(row * columns, (row + 1) * columns).map((tile, column) => ({
    tile,
    index: row * columns + column,
    box: { left: leftOf(column, layout), top, width, height },
  }));
}

/** The result of an event's target, in its tile or among its buttons. */
function idAt(event: Event): string | undefined {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]')?.dataset['id'] : undefined;
}

/** The tile of an event's target; undefined among its buttons. */
function optionAt(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
}

/** The inner width of an element, px, kept up to date; 0 before there is one. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The focus among the tiles. Moves to the current tile when the focused element is removed. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  current: string | undefined,
): {
  /** The focus is on a tile or its buttons. */
  readonly isWithin: boolean;
  /** Focuses the tile with this id, and scrolls it into view. */
  readonly take: (id: string) => void;
  readonly came: () => void;
  readonly went: (event: FocusEvent) => void;
} {
  const [isWithin, setWithin] = useState(false);
  const hadFocus = scroller.current?.contains(document.activeElement) === true;
  const take = (id: string) => {
    const tile = scroller.current?.querySelector<HTMLElement>(`[role=option][data-id="${CSS.escape(id)}"]`);
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    if (current !== undefined && hadFocus && document.activeElement === document.body) take(current);
  });
  const went = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && scroller.current?.contains(relatedTarget) === true)) setWithin(false);
  };
  return { isWithin, take, came: () => setWithin(true), went };
}

type ScrollPlace = GalleryState['place'];

/**
 * Keeps the visible results in place while others are added and removed above them and the view changes its width; at
 * the very top, new results come into view. A new filter starts at the top.
 */
function usePlace(
  scroller: RefObject<HTMLElement | null>,
  tiles: readonly TileView[],
  layout: Layout,
  state: GalleryState,
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

/**
 * The rows in or near the view, and the one to keep so that its focus isn't lost. All rows have the same height, px.
 */
function useRows(options: {
  readonly scroller: () => HTMLElement | null;
  readonly count: number;
  readonly rowHeight: number;
  readonly keep: number;
}): Virtualizer<HTMLElement, HTMLElement> {
  const [, showAgain] = useReducer((times: number) => times + 1, 0);
  const { count, rowHeight, keep } = options;
  const settings = {
    count,
    gap,
    paddingStart: gap,
    paddingEnd: gap,
    scrollPaddingStart: gap,
    scrollPaddingEnd: gap,
    overscan: 2,
    getScrollElement: options.scroller,
    estimateSize: () => rowHeight,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const rows = defaultRangeExtractor(range);
      return rows.includes(keep) || keep >= count ? rows : [...rows, keep].sort((a, b) => a - b);
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => showAgain(undefined),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings));
  rows.setOptions(settings);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  return rows;
}

/** The grid's dimensions for keyboard navigation. */
export interface Extent {
  readonly count: number;
  readonly columns: number;
  /** How many rows are in view at once. */
  readonly pageRows: number;
}

/** The tile that a key moves to from `from`; undefined for other keys. Stops at the edges of the grid. */
export function movedTo(from: number, key: string, { count, columns, pageRows }: Extent): number | undefined {
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

/** The layout of tiles in a view of some width; everything in px. */
interface Layout {
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
