import { blockOptions, drawBlocks } from './blocks';
import { Canvas } from './canvas';
import { hex } from './color';
import { drawCollage } from './collage';
import { compose, type Composition } from './composition';
import { drawEngraving } from './engraving';
import { inks } from './palette';
import { drawPaper } from './paper';
import { drawPixels } from './pixels';
import { drawPoster } from './poster';
import { Dice, hash } from './random';
import type { Image } from './print';
import { drawWatercolor } from './watercolor';

// What models offer to choose from.
export { type BlockOptions, inputName, usualBlocks } from './blocks';
export { inkNames, paletteNames } from './palette';
// Images made of given ones.
export { collageDetails } from './collage';
export { drawDoubleExposure, drawPrint, drawRetouched, type Exposure, exposureNames, type Image } from './print';
// The writer reads prompts as the artist does, and takes the same chances.
export { Dice, hash } from './random';
export { type Time, readPrompt as wishesIn } from './vocabulary';

/** The inputs of a model, with their defaults filled in. */
type Inputs = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A way of painting a plan, with the inputs that are its own. */
type Painter = (canvas: Canvas, plan: Composition, inputs: Inputs) => Promise<void>;

const painters = {
  paper: drawPaper,
  poster: (canvas, plan, { busy }) => drawPoster(canvas, plan, Number(busy ?? 0.5)),
  watercolor: (canvas, plan, { wetness }) => drawWatercolor(canvas, plan, Number(wetness ?? 0.5)),
  engraving: (canvas, plan, { ink, line_spacing: spacing }) =>
    drawEngraving(canvas, plan, hex(inks[String(ink)] ?? '#1d2433'), Number(spacing ?? 6.5)),
  pixels: (canvas, plan, { pixel_size: block }) => drawPixels(canvas, plan, Number(block ?? 7)),
  blocks: (canvas, plan, inputs) => drawBlocks(canvas, plan, blockOptions(inputs)),
} satisfies Record<string, Painter>;

export type DrawingStyle = keyof typeof painters;

/**
 * A PNG of the images as cards on a scene; equal inputs give equal bytes. `frame` is the color of their frames, such as
 * `#f4efe6`; `details` are of `collageDetails`.
 */
export function pinImages(
  scene: Image,
  images: readonly Image[],
  { frame, details, seed }: { readonly frame: string; readonly details: readonly string[]; readonly seed: number },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const dice = new Dice(hash(`collage/${seed}`));
  return drawCollage(scene, images, { frame: hex(frame), details: new Set(details), dice }, signal);
}

/**
 * A PNG for the inputs; equal inputs give equal bytes. Reads `prompt` and, if the model has them, `notes`,
 * `aspect_ratio`, `size`, `seed`, `palette`, `detail`, and the inputs of the style. Pauses now and then for other work,
 * and rejects at the next pause once aborted.
 */
export async function draw(style: DrawingStyle, inputs: Inputs, signal?: AbortSignal): Promise<Uint8Array> {
  const prompt = [inputs.prompt, inputs.notes]
    .filter((text) => typeof text === 'string')
    .join(' ')
    .trim();
  const { width, height } = dimensions(String(inputs.aspect_ratio ?? '1:1'), String(inputs.size ?? 'large'));
  const dice = new Dice(hash(`${prompt.toLowerCase()}/${Number(inputs.seed ?? 0)}`));
  const palette = String(inputs.palette);
  const plan = compose({ prompt, width, height, dice, palette, detail: Number(inputs.detail ?? 0.5) });
  const canvas = new Canvas(width, height, signal);
  const paint: Painter = painters[style];
  await paint(canvas, plan, inputs);
  return canvas.png();
}

/** The aspect ratios an image can have; the first six are the specification's. */
export const aspectRatios = [
  '1:1',
  '2:1',
  '1:2',
  '3:1',
  '1:3',
  '21:9',
  '9:21',
  '16:9',
  '9:16',
  '4:3',
  '3:4',
  '3:2',
  '2:3',
  '5:4',
  '4:5',
] as const;

/** The aspect ratio that is closest to an image's own. */
export function aspectRatioOf({ width, height }: { readonly width: number; readonly height: number }): string {
  const away = (ratio: string) => {
    const [across = 1, up = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log((across * height) / (up * width)));
  };
  return [...aspectRatios].sort((one, other) => away(one) - away(other))[0] ?? '1:1';
}

/** Fractions of the full size. */
const sizes: Readonly<Record<string, number>> = { small: 0.5, medium: 0.75, large: 1 };

/**
 * The pixels for an aspect ratio and a size: about one megapixel for large, with a longer side of at most 1344; both
 * divisible by four.
 */
export function dimensions(aspectRatio: string, size: string): { width: number; height: number } {
  const [across = 1, up = 1] = aspectRatio.split(':').map(Number);
  const [long, short] = [Math.max(across, up), Math.min(across, up)];
  const scale = (Math.min(1344, 1024 * Math.sqrt(long / short)) / long) * (sizes[size] ?? 1);
  return { width: divisible(across * scale), height: divisible(up * scale) };
}

function divisible(side: number): number {
  return Math.round(side / 4) * 4;
}
