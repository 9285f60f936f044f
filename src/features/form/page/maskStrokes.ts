import type { MaskColor } from '../../../catalog/fields';

/** A place on the image that a mask is for, pixels from its upper left corner. */
export type Point = readonly [x: number, y: number];

/** One step of painting: a line of the brush or the eraser, in pixels of the image, or one for all of it. */
export type MaskStep =
  | { readonly type: 'line'; readonly erases: boolean; readonly width: number; readonly points: readonly Point[] }
  | { readonly type: 'cleared' | 'inverted' };

/** What was painted, and what was undone of it and can be done again. */
export interface Strokes {
  readonly done: readonly MaskStep[];
  readonly undone: readonly MaskStep[];
}

/** What is painted, and not yet used as the mask. */
export interface Painting {
  readonly field: string;
  /** The image, and the mask that it started from. */
  readonly of: string;
  readonly strokes: Strokes;
}

/** The strokes with one more; what was undone is gone. */
export function withStep({ done }: Strokes, step: MaskStep): Strokes {
  return { done: [...done, step], undone: [] };
}

/** The strokes without the last one, or as they are if there is none. */
export function undo({ done, undone }: Strokes): Strokes {
  return { done: done.slice(0, -1), undone: [...done.slice(-1), ...undone] };
}

/** The strokes with the one that was undone last, or as they are if there is none. */
export function redo({ done, undone }: Strokes): Strokes {
  return { done: [...done, ...undone.slice(0, 1)], undone: undone.slice(1) };
}

/** Adds steps to what is painted on a canvas, whose sides are `scale` of the image's: opaque where the mask marks. */
export function paint(context: CanvasRenderingContext2D, steps: readonly MaskStep[], scale: number): void {
  for (const step of steps) {
    context.save();
    if (step.type === 'line') paintLine(context, step, scale);
    else {
      // Of two layers, "xor" leaves what only one has.
      context.globalCompositeOperation = step.type === 'inverted' ? 'xor' : 'destination-out';
      context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    }
    context.restore();
  }
}

function paintLine(
  context: CanvasRenderingContext2D,
  { erases, width, points }: Extract<MaskStep, { readonly type: 'line' }>,
  scale: number,
): void {
  const [first = [0, 0], ...others] = points.map(([x, y]): Point => [x * scale, y * scale]);
  if (erases) context.globalCompositeOperation = 'destination-out';
  context.lineWidth = width * scale;
  context.lineCap = context.lineJoin = 'round';
  context.beginPath();
  // A line of no length is drawn as nothing.
  context.arc(...first, context.lineWidth / 2, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.moveTo(...first);
  for (const point of others) context.lineTo(...point);
  context.stroke();
}

/** Pixels of a canvas, four bytes each. */
type Pixels = Uint8ClampedArray;

/** Turns what is painted into the mask that is sent: each pixel marks or doesn't, without shades between. */
export function toMask(pixels: Pixels, color: MaskColor): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const isMarked = isOpaque(pixels, at);
    const isWhite = color === 'transparent' || isMarked === (color === 'white');
    pixels.fill(isWhite ? 255 : 0, at, at + 3);
    pixels[at + 3] = color === 'transparent' && isMarked ? 0 : 255;
  }
}

/** Turns a mask into what is painted, in the color of the paint. */
export function fromMask(pixels: Pixels, color: MaskColor, paint: readonly [red: number, green: number, blue: number]) {
  for (let at = 0; at < pixels.length; at += 4) {
    const isWhite = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0) > 382;
    const isMarked = color === 'transparent' ? !isOpaque(pixels, at) : isWhite === (color === 'white');
    pixels[at] = paint[0];
    pixels[at + 1] = paint[1];
    pixels[at + 2] = paint[2];
    pixels[at + 3] = isMarked ? 255 : 0;
  }
}

/** The part of the pixels that is painted, from 0 to 1. */
export function paintedShare(pixels: Pixels): number {
  let marked = 0;
  for (let at = 0; at < pixels.length; at += 4) if (isOpaque(pixels, at)) marked += 1;
  return pixels.length === 0 ? 0 : (marked * 4) / pixels.length;
}

function isOpaque(pixels: Pixels, at: number): boolean {
  return (pixels[at + 3] ?? 0) > 127;
}
