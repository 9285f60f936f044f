import type { CompareMode, ComparisonView, CompareDecision, KeptCompare, ToCompare } from '../../pages/compareMessages';
import { compareModes } from '../../pages/compareMessages';
import type { CompareStrings } from '../../pages/compareStrings';
import { fitted, panned, zoomed, type Point, type Zoom } from './zoom';

/** Of a pane in px, of a picture in its own pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** All a comparison knows and shows; a value, replaced whole. */
export interface CompareState {
  /** Nothing is shown before they have come. */
  readonly texts?: { readonly strings: CompareStrings; readonly locale: string };
  readonly comparison?: ComparisonView;
  /** How two pictures are compared; those that cannot lie over each other stand side by side whatever it is. */
  readonly mode: CompareMode;
  readonly zoom: Zoom;
  /** The position of the divider, from the left edge (0) to the right edge (1). */
  readonly divider: number;
  /** How much of the second picture is seen over the first, from 0 to 1. */
  readonly opacity: number;
  /** The pictures that were loaded, by their addresses; undefined for one that could not be. */
  readonly sizes: ReadonlyMap<string, Size | undefined>;
  /** The earlier state, until it's known whether it belongs to this comparison. */
  readonly kept?: KeptCompare;
}

export type Action =
  | { readonly type: 'received'; readonly message: ToCompare }
  | { readonly type: 'chosen'; readonly mode: CompareMode }
  | { readonly type: 'zoomed'; readonly factor: number; readonly at?: Point }
  | { readonly type: 'panned'; readonly by: Point }
  | { readonly type: 'fitted' }
  /** To this place, or this opacity: whichever the mode has. */
  | { readonly type: 'slid'; readonly to: number }
  | { readonly type: 'loaded'; readonly address: string; readonly size: Size | undefined }
  /** To be done by the host; changes nothing here. */
  | { readonly type: 'decided'; readonly decision: CompareDecision };

/** The comparison before anything is known, with what it kept from before. */
export function beginning(kept: KeptCompare | undefined): CompareState {
  return { mode: 'sideBySide', zoom: fitted, divider: 0.5, opacity: 0.5, sizes: new Map(), kept };
}

/** The state that survives hiding and reloading; undefined before there is any. */
export function keptOf({ comparison, mode, zoom, divider, opacity }: CompareState): KeptCompare | undefined {
  return comparison && { id: comparison.id, mode, zoom, divider, opacity };
}

/** True when one picture can lie over the other: there are two, and neither is known to be one that cannot be seen. */
export function canOverlay({ comparison, sizes }: CompareState): boolean {
  const { pictures = [] } = comparison ?? {};
  const isSeen = (address = '') => address !== '' && (!sizes.has(address) || sizes.get(address) !== undefined);
  return pictures.length === 2 && pictures.every(({ address }) => isSeen(address));
}

/** How the pictures are compared. */
export function modeOf(state: CompareState): CompareMode {
  return canOverlay(state) ? state.mode : 'sideBySide';
}

/** The value of the mode's slider; undefined if it has none. */
export function slidOf(state: CompareState): number | undefined {
  switch (modeOf(state)) {
    case 'slider':
      return state.divider;
    case 'onionSkin':
      return state.opacity;
    default:
      return undefined;
  }
}

/** True when not all pictures that were loaded have the same number of pixels. */
export function sizesDiffer({ comparison, sizes }: CompareState): boolean {
  const known = (comparison?.pictures ?? []).flatMap(({ address }) => (address && sizes.get(address)) || []);
  return new Set(known.map(({ width, height }) => `${width} ${height}`)).size > 1;
}

/** The state after the action; the same one when it changes nothing. */
export function reduce(state: CompareState, action: Action): CompareState {
  switch (action.type) {
    case 'received':
      return received(state, action.message);
    case 'chosen':
      return { ...state, mode: action.mode };
    case 'zoomed':
      return { ...state, zoom: zoomed(state.zoom, action.factor, action.at) };
    case 'panned':
      return { ...state, zoom: panned(state.zoom, action.by) };
    case 'fitted':
      return { ...state, zoom: fitted };
    case 'slid':
      return slid(state, Math.min(1, Math.max(0, action.to)));
    case 'loaded':
      return { ...state, sizes: new Map(state.sizes).set(action.address, action.size) };
    case 'decided':
      return state;
  }
}

function received(state: CompareState, message: ToCompare): CompareState {
  if (message.type === 'strings') {
    const { strings, locale } = message;
    return { ...state, texts: { strings, locale } };
  }
  const { kept, ...rest } = state;
  if (state.comparison) return { ...rest, comparison: message };
  const before = kept?.id === message.id ? kept : { mode: message.mode };
  return { ...rest, ...before, comparison: message };
}

function slid(state: CompareState, to: number): CompareState {
  switch (modeOf(state)) {
    case 'slider':
      return { ...state, divider: to };
    case 'onionSkin':
      return { ...state, opacity: to };
    default:
      return state;
  }
}

/** A step of the keys: how far the pictures move, in parts of the pane, and how much nearer they come. */
const step = { pan: 0.08, zoom: 1.25, slide: 0.02 };

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: step.pan, y: 0 },
  ArrowRight: { x: -step.pan, y: 0 },
  ArrowUp: { x: 0, y: step.pan },
  ArrowDown: { x: 0, y: -step.pan },
};

/** The action of a key, with or without Shift; undefined if the comparison doesn't use it. */
export function keyAction(key: string, shift: boolean, state: CompareState): Action | undefined {
  const way = ways[key];
  const slid = slidOf(state);
  if (way && shift && slid !== undefined) return { type: 'slid', to: slid - Math.sign(way.x - way.y) * step.slide };
  if (way) return { type: 'panned', by: way };
  if (key === '+' || key === '=') return { type: 'zoomed', factor: step.zoom };
  if (key === '-') return { type: 'zoomed', factor: 1 / step.zoom };
  if (key === '0') return { type: 'fitted' };
  const mode = canOverlay(state) ? compareModes[Number(key) - 1] : undefined;
  return mode && { type: 'chosen', mode };
}
