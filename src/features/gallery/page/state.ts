import { mostCompared } from '../../../compose/varying';
import type { PageTexts } from '../../../editor/page/controls';
import {
  type Filter,
  type GalleryStrings,
  type KeptGallery,
  keptGalleryVersion,
  type TileSize,
  type TileView,
  type ToGallery,
} from './galleryMessages';

/** The state of the gallery; immutable. */
export interface GalleryState {
  /** Nothing is shown before they arrive. */
  readonly texts?: PageTexts<GalleryStrings>;
  /** Newest first. */
  readonly tiles: readonly TileView[];
  /** Every result has been received. */
  readonly loaded: boolean;
  /** How many older results weren't received. */
  readonly older: number;
  /** How many are hidden since they came from other services, in words; '' for none. */
  readonly elsewhere: string;
  readonly filter: Filter;
  readonly size: TileSize;
  /** The result that is focused when the grid has the focus. */
  readonly current?: string;
  /** In the order they were selected. */
  readonly selected: readonly string[];
  /** Results whose image couldn't be loaded. */
  readonly missing: ReadonlySet<string>;
  /** Shown once, until the next action. */
  readonly hint?: 'onlyImages' | 'selectTwo';
  readonly place?: KeptGallery['place'];
}

export type Action =
  | { readonly type: 'received'; readonly message: ToGallery }
  | { readonly type: 'filtered'; readonly filter: Filter }
  | { readonly type: 'sized'; readonly size: TileSize }
  | { readonly type: 'focused'; readonly id: string }
  | { readonly type: 'toggled'; readonly id: string }
  | { readonly type: 'unselected' }
  /** Handled by the host if enough are selected. */
  | { readonly type: 'compared' }
  /** Their rows and files are to go to the trash. Handled by the host; changes nothing here. */
  | { readonly type: 'removed'; readonly ids: readonly string[] }
  /** The image couldn't be loaded. The host sends the file itself if that was a thumbnail. */
  | { readonly type: 'missed'; readonly id: string }
  /** Its image was loaded, and is much larger than its tile. Handled by the host; changes nothing here. */
  | { readonly type: 'shownLarge'; readonly id: string }
  | { readonly type: 'scrolled'; readonly place: KeptGallery['place'] }
  /** Handled by the host; changes nothing here. */
  | { readonly type: 'asked'; readonly action: string; readonly id: string }
  | { readonly type: 'askedForOlder' }
  | { readonly type: 'askedForAll' }
  | { readonly type: 'askedForModel' };

/** The initial state, with what was kept from before. */
export function initialGallery(before: KeptGallery | undefined): GalleryState {
  const kept = before?.version === keptGalleryVersion ? before : undefined;
  return {
    tiles: [],
    loaded: false,
    older: 0,
    elsewhere: '',
    filter: kept?.filter ?? noFilter,
    size: kept?.size ?? 'usual',
    current: kept?.current,
    selected: kept?.selected ?? [],
    missing: new Set(),
    place: kept?.place,
  };
}

/** The part of the state that survives hiding and reloading. */
export function keptGalleryOf({ filter, size, current, selected, place }: GalleryState): KeptGallery {
  return { version: keptGalleryVersion, filter, size, current, selected: [...selected], place };
}

/** The next state; the same object when nothing changes. */
export function reduce(state: GalleryState, action: Action): GalleryState {
  switch (action.type) {
    case 'received':
      return received(state, action.message);
    case 'filtered':
      return { ...state, filter: action.filter, hint: undefined, place: undefined };
    case 'sized':
      return { ...state, size: action.size };
    case 'focused':
      return state.current === action.id ? state : { ...state, current: action.id, hint: undefined };
    case 'toggled':
      return toggled(state, action.id);
    case 'unselected':
      return { ...state, selected: [], hint: undefined };
    case 'compared':
      return { ...state, hint: comparedIds(state) ? undefined : 'selectTwo' };
    case 'missed':
      return { ...state, missing: new Set(state.missing).add(action.id) };
    case 'scrolled':
      return { ...state, place: action.place };
    case 'removed':
    case 'shownLarge':
    case 'asked':
    case 'askedForOlder':
    case 'askedForAll':
    case 'askedForModel':
      return state;
  }
}

function received(state: GalleryState, message: ToGallery): GalleryState {
  if (message.type === 'strings') {
    return { ...state, texts: message };
  }
  if (message.type === 'missing') return { ...state, missing: new Set([...state.missing, ...message.ids]) };
  const { tiles, gone, more, older, elsewhere } = message;
  const known = new Map(state.tiles.map((tile) => [tile.id, tile]));
  for (const id of gone) known.delete(id);
  for (const tile of tiles) known.set(tile.id, tile);
  // A result that changed may exist again, so its image is loaded again.
  const missing = new Set(state.missing);
  for (const { id } of tiles) missing.delete(id);
  const sorted = [...known.values()].sort(newestFirst);
  return { ...state, tiles: sorted, missing, loaded: state.loaded || !more, older, elsewhere };
}

function newestFirst(a: TileView, b: TileView): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1);
}

/** Beyond the limit, the first one is deselected. */
function toggled(state: GalleryState, id: string): GalleryState {
  if (state.selected.includes(id))
    return { ...state, selected: state.selected.filter((other) => other !== id), hint: undefined };
  const tile = state.tiles.find((other) => other.id === id);
  if (!tile || !isComparable(tile, state.missing)) return { ...state, hint: 'onlyImages' };
  const before = selectedTiles(state).map((other) => other.id);
  return { ...state, selected: [...before.slice(1 - mostCompared), id], hint: undefined };
}

/** True for saved images that can be seen. */
export function isComparable({ id, image, fileName }: TileView, missing: ReadonlySet<string>): boolean {
  return image !== undefined && fileName !== undefined && !missing.has(id);
}

/** The results to compare; undefined if too few are selected. */
export function comparedIds(state: GalleryState): string[] | undefined {
  const ids = selectedTiles(state).map(({ id }) => id);
  return ids.length < 2 ? undefined : ids;
}

/** What goes with a tile: the whole selection if it's a part of it. */
export function removedBy({ id }: TileView, state: GalleryState): string[] {
  const ids = selectedTiles(state).map((tile) => tile.id);
  return ids.includes(id) ? ids : [id];
}

/** The selected images that still exist. */
export function selectedTiles({ tiles, selected, missing }: GalleryState): readonly TileView[] {
  if (selected.length === 0) return [];
  const found = new Map(tiles.map((tile) => [tile.id, tile]));
  return selected.flatMap((id) => {
    const tile = found.get(id);
    return tile && isComparable(tile, missing) ? [tile] : [];
  });
}

/** The message in place of the grid. */
export function emptiness(state: GalleryState, shown: number): 'loading' | 'nothingYet' | 'nothingMatches' | undefined {
  const { place, tiles, loaded } = state;
  const canShowPlace = loaded || !place || tiles.some(({ id }) => id === place.id);
  if (shown > 0 && canShowPlace) return undefined;
  if (!loaded) return 'loading';
  return state.tiles.length > 0 && isNarrow(state.filter) ? 'nothingMatches' : 'nothingYet';
}

/** The action of Enter and a double click: open the result, or download it again. Never one that spends. */
export function mainAction(tile: TileView, missing: ReadonlySet<string>): string | undefined {
  const wanted = missing.has(tile.id)
    ? ['downloadAgain', 'openResult']
    : ['reviewStaged', 'openResult', 'saveAs', 'downloadAgain'];
  return wanted.find((action) => tile.actions.includes(action));
}

/** Narrows nothing down. */
export const noFilter: Filter = { text: '', modelId: '', agent: '', kind: 'all', period: 'all' };

/** True when results may be filtered out. */
export function isNarrow(filter: Filter): boolean {
  const { text, modelId, agent, kind, period } = filter;
  return text.trim() !== '' || modelId !== '' || agent !== '' || kind !== 'all' || period !== 'all';
}

/**
 * The matching tiles, in the given order; `now` is ms since 1970. Every word of the text must be in prompt, model, or
 * file name.
 */
export function narrowed(tiles: readonly TileView[], filter: Filter, now: number): readonly TileView[] {
  if (!isNarrow(filter)) return tiles;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const since = startOf(filter.period, now);
  return tiles.filter(
    (tile) =>
      tile.at >= since &&
      (filter.kind === 'all' || tile.kind === filter.kind) &&
      (filter.modelId === '' || tile.modelId === filter.modelId) &&
      (filter.agent === '' || tile.agent === filter.agent) &&
      holds(tile, words),
  );
}

function holds({ prompt, modelId, model, fileName = '', agent = '' }: TileView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${prompt}\n${modelId}\n${model}\n${fileName}\n${agent}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The start of the period: `today` begins with this day, the others that many days of 24 hours ago. ms since 1970. */
function startOf(period: Filter['period'], now: number): number {
  const day = 24 * 60 * 60 * 1000;
  switch (period) {
    case 'all':
      return -Infinity;
    case 'today':
      return new Date(now).setHours(0, 0, 0, 0);
    case 'week':
      return now - 7 * day;
    case 'month':
      return now - 30 * day;
  }
}

/** The models of the tiles by name, or by full id where names collide; sorted by name. */
export function modelsOf(tiles: readonly TileView[]): readonly { readonly id: string; readonly label: string }[] {
  const named = new Map(tiles.filter(({ modelId }) => modelId !== '').map(({ modelId, model }) => [modelId, model]));
  const names = [...named.values()];
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  return [...named]
    .map(([id, name]) => ({ id, label: isShared(name) ? id : name }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** What the agents of the tiles call themselves, in the order of their names. */
export function agentsOfTiles(tiles: readonly TileView[]): readonly string[] {
  const names = new Set(tiles.flatMap(({ agent = '' }) => (agent === '' ? [] : [agent])));
  return [...names].sort((a, b) => a.localeCompare(b));
}
