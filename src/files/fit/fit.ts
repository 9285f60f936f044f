/** `cover` fills the size and crops what sticks out; `contain` shows the complete image, with bars next to it. */
export type FitMode = 'cover' | 'contain';

/** The formats that images can be written in. */
export type FitFormat = 'png' | 'jpeg' | 'webp';

/** The size that a link or an entry states for an image. */
export interface Fit {
  /** Pixels; undefined if it follows from the height, or isn't stated. */
  readonly width?: number;
  /** Pixels; undefined if it follows from the width, or isn't stated. */
  readonly height?: number;
  readonly mode: FitMode;
}

/** The same for a file, whose name decides the format; undefined if it keeps its own. */
export interface FileFit extends Fit {
  readonly format?: FitFormat;
}

/** The longest side of a WebP, pixels. */
export const longestSide = 16_383;
/** The most pixels of an image before and after: it's in memory several times. */
export const mostPixels = 40_000_000;

const formats: ReadonlyMap<string, FitFormat> = new Map([
  ['png', 'png'],
  ['jpg', 'jpeg'],
  ['jpeg', 'jpeg'],
  ['webp', 'webp'],
]);

/**
 * The fit of a file with this extension (without dot; undefined if it gets that of its result). Undefined if images
 * can't be written in its format, or not that large.
 */
export function fitOfFile({ width, height, mode }: Fit, ending: string | undefined): FileFit | undefined {
  const format = ending === undefined ? undefined : formats.get(ending.toLowerCase());
  const isPossible = [width, height].every((side) => side === undefined || isSide(side));
  if (!isPossible || (width ?? 1) * (height ?? 1) > mostPixels) return undefined;
  return ending === undefined || format ? { width, height, mode, format } : undefined;
}

/** True for a length in pixels that an image can have. */
export function isSide(side: number): boolean {
  return Number.isSafeInteger(side) && side >= 1 && side <= longestSide;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** How an image is fitted: a part of it is cut out and scaled, and then put on a canvas. Pixels. */
export interface FitPlan {
  readonly part: Size & Corner;
  readonly scaled: Size;
  readonly canvas: Size;
  /** The place of the scaled part on the canvas. */
  readonly at: Corner;
}

/** How an image of this size is fitted; undefined if it would become too large. */
export function fitPlan(image: Size, fit: Fit): FitPlan | undefined {
  const canvas = canvasOf(image, fit);
  if (![canvas.width, canvas.height].every(isSide) || canvas.width * canvas.height > mostPixels) return undefined;
  const whole = { ...image, x: 0, y: 0 };
  if (fit.mode === 'contain') {
    const scaled = within(image, canvas);
    return { part: whole, scaled, canvas, at: centered(scaled, canvas) };
  }
  const part = within(canvas, image);
  return { part: { ...part, ...centered(part, image) }, scaled: canvas, canvas, at: { x: 0, y: 0 } };
}

/** A side that isn't stated follows from the other one. */
function canvasOf(image: Size, { width, height }: Fit): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: atLeastOne((image.height * width) / image.width) };
  if (height !== undefined) return { width: atLeastOne((image.width * height) / image.height), height };
  return image;
}

/** The largest size of this shape inside another. */
function within(shape: Size, { width, height }: Size): Size {
  const scale = Math.min(width / shape.width, height / shape.height);
  return {
    width: Math.min(width, atLeastOne(shape.width * scale)),
    height: Math.min(height, atLeastOne(shape.height * scale)),
  };
}

function centered(inner: Size, outer: Size): Corner {
  return { x: (outer.width - inner.width) >> 1, y: (outer.height - inner.height) >> 1 };
}

function atLeastOne(length: number): number {
  return Math.max(1, Math.round(length));
}
