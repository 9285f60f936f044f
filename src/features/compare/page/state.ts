import {
  type CompareDecision,
  type CompareMode,
  compareModes,
  type CompareStrings,
  type ComparisonView,
  type KeptCompare,
  keptCompareVersion,
  type ToCompare,
} from './compareMessages';

/** Of a pane in px, of an image in its own pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The state of a comparison; immutable. */
export interface CompareState {
  /** Nothing is shown before they arrive. */
  readonly texts?: { readonly strings: CompareStrings; readonly locale: string };
  readonly comparison?: ComparisonView;
  /** The chosen mode; images that can't be overlaid are shown side by side in any case. */
  readonly mode: CompareMode;
  readonly zoom: Zoom;
  /** The position of the divider, from the left edge (0) to the right edge (1). */
  readonly divider: number;
  /** The opacity of the second image over the first, from 0 to 1. */
  readonly opacity: number;
  /** The images that were loaded, by URL; undefined for one that failed. */
  readonly sizes: ReadonlyMap<string, Size | undefined>;
  /** The images to keep, by their index. */
  readonly selected: ReadonlySet<number>;
  /** The earlier state, until it's known whether it belongs to this comparison. */
  readonly kept?: KeptCompare;
}

export type Action =
  | { readonly type: 'received'; readonly message: ToCompare }
  | { readonly type: 'chosen'; readonly mode: CompareMode }
  | { readonly type: 'zoomed'; readonly factor: number; readonly at?: Point }
  | { readonly type: 'panned'; readonly by: Point }
  | { readonly type: 'fitted' }
  /** The divider's position or the opacity, depending on the mode. */
  | { readonly type: 'slid'; readonly to: number }
  | { readonly type: 'loaded'; readonly address: string; readonly size: Size | undefined }
  /** Whether to keep this image. */
  | { readonly type: 'toggled'; readonly index: number }
  /** Handled by the host; changes nothing here. */
  | { readonly type: 'decided'; readonly decision: CompareDecision }
  /** The same: what should change in this image. */
  | { readonly type: 'edited'; readonly index: number };

/** The initial state, with what was kept from before. */
export function initialComparison(before: KeptCompare | undefined): CompareState {
  const kept = before?.version === keptCompareVersion ? before : undefined;
  return { mode: 'sideBySide', zoom: fitted, divider: 0.5, opacity: 0.5, sizes: new Map(), selected: new Set(), kept };
}

/** The state that survives hiding and reloading; undefined before there is any. */
export function keptComparisonOf({ comparison, selected, ...state }: CompareState): KeptCompare | undefined {
  const { mode, zoom, divider, opacity } = state;
  return (
    comparison && {
      version: keptCompareVersion,
      id: comparison.id,
      mode,
      zoom,
      divider,
      opacity,
      selected: [...selected],
    }
  );
}

/** True when the images can be overlaid: there are two, and neither is known to be unloadable. */
export function canOverlay({ comparison, sizes }: CompareState): boolean {
  const { images = [] } = comparison ?? {};
  const isSeen = (address = '') => address !== '' && (!sizes.has(address) || sizes.get(address) !== undefined);
  return images.length === 2 && images.every(({ address }) => isSeen(address));
}

/** The effective mode. */
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

/** True when the page decides which images to keep. */
export function choosesKept({ comparison }: CompareState): boolean {
  return comparison?.decisions.includes('keepSelected') === true;
}

/** True when a press on the decision's button decides: what is kept must be some of the images, and not all. */
export function canDecide({ comparison, selected }: CompareState, decision: CompareDecision): boolean {
  return decision !== 'keepSelected' || (selected.size > 0 && selected.size < (comparison?.images.length ?? 0));
}

/** True when the loaded images differ in size. */
export function sizesDiffer({ comparison, sizes }: CompareState): boolean {
  const known = (comparison?.images ?? []).flatMap(({ address }) => (address && sizes.get(address)) || []);
  return new Set(known.map(({ width, height }) => `${width} ${height}`)).size > 1;
}

/** The next state; the same object when nothing changes. */
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
    case 'toggled':
      return { ...state, selected: toggled(state.selected, action.index) };
    case 'decided':
    case 'edited':
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
  const before = kept?.id === message.id ? { ...kept, selected: new Set(kept.selected) } : { mode: message.mode };
  return { ...rest, ...before, comparison: message };
}

function toggled(selected: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(selected);
  if (!next.delete(index)) next.add(index);
  return next;
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

/** The effect of one key press: panning in parts of the pane, and the zoom factor. */
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

/**
 * The view of all images in a comparison: `scale` 1 fits each into its pane; `x` and `y` offset it from the center, in
 * widths and heights of the pane, so that panes of any size show the same part.
 */
interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A point or vector in a pane: from the center, in widths and heights of the pane. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The whole image, centered. */
export const fitted: Zoom = { scale: 1, x: 0, y: 0 };

const closest = 32;

/**
 * How large an image is shown, in percent: 100 is one pixel of the file for each of the page. Undefined while it fits
 * into its pane, or its size or the pane's isn't known.
 */
export function percentOf({ scale }: Zoom, image: Size | undefined, pane: Size): number | undefined {
  if (scale === 1 || !image || pane.width === 0) return undefined;
  return Math.round(100 * scale * Math.min(pane.width / image.width, pane.height / image.height));
}

/** Zooms by a factor around the point, between the whole image and 32 times that. */
export function zoomed(zoom: Zoom, factor: number, at: Point = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(closest, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return within({ scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio });
}

/** Pans the image, no further than its edge. */
export function panned(zoom: Zoom, by: Point): Zoom {
  return within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y });
}

function within({ scale, x, y }: Zoom): Zoom {
  const most = (scale - 1) / 2;
  return { scale, x: clamped(x, most), y: clamped(y, most) };
}

function clamped(value: number, most: number): number {
  // Adding 0 makes the -0 of an empty range a plain 0.
  return Math.min(most, Math.max(-most, value)) + 0;
}
