import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TileSize, TileView } from './galleryMessages';
import { useGalleryTexts } from './galleryTexts';
import { gap, layoutOf, leftOf, topOf, type Layout } from './layout';
import { moved } from './movement';
import { isComparable, mainAction, type Action, type GalleryState } from './state';
import { Tile, type Box } from './tile';
import { TileTools } from './tileTools';
import { usePlace } from './usePlace';
import { useRows } from './useRows';
import { useFirstFocus } from '../../../editor/page/useFirstFocus';

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
    const to = tiles[moved(current, event.key, { count: tiles.length, columns, pageRows }) ?? -1];
    if (to) {
      dispatch({ type: 'focused', id: to.id });
      focus.take(to.id);
    } else if (event.key === 'Enter') {
      if (!event.repeat) act(tile);
    } else if (event.key === ' ') dispatch({ type: 'toggled', id: tile.id });
    else if (event.key === 'Delete') dispatch({ type: 'asked', action: 'deleteGeneration', id: tile.id });
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
