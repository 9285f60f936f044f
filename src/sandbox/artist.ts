import { drawBlocks } from './art/blocks';
import type { Canvas } from './art/canvas';
import { hex } from './art/color';
import { compose, type Composition } from './art/composition';
import { drawEngraving } from './art/engraving';
import { inks } from './art/inks';
import { drawPaper } from './art/paper';
import { drawPixels } from './art/pixels';
import { drawPoster } from './art/poster';
import { Dice, hash } from './art/random';
import type { Slices } from './art/slices';
import { drawWatercolor } from './art/watercolor';
import { blockOptions, type Inputs } from './fields';

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

/** Fractions of the full size. */
const sizes: Readonly<Record<string, number>> = { small: 0.5, medium: 0.75, large: 1 };

const styles = {
  paper: (plan: Composition, slices: Slices) => drawPaper(plan, slices),
  poster: (plan: Composition, slices: Slices, inputs: Inputs) => drawPoster(plan, slices, Number(inputs.busy ?? 0.5)),
  watercolor: (plan: Composition, slices: Slices, inputs: Inputs) =>
    drawWatercolor(plan, slices, Number(inputs.wetness ?? 0.5)),
  engraving: (plan: Composition, slices: Slices, inputs: Inputs) => {
    return drawEngraving(plan, slices, hex(inks[String(inputs.ink)] ?? '#1d2433'), Number(inputs.line_spacing ?? 6.5));
  },
  pixels: (plan: Composition, slices: Slices, inputs: Inputs) =>
    drawPixels(plan, slices, Number(inputs.pixel_size ?? 7)),
  blocks: (plan: Composition, slices: Slices, inputs: Inputs) => drawBlocks(plan, slices, blockOptions(inputs)),
} satisfies Record<string, (plan: Composition, slices: Slices, inputs: Inputs) => Promise<Canvas>>;

export type Style = keyof typeof styles;

/**
 * A PNG for the inputs; equal inputs give equal bytes. Reads `prompt` and, if the model has them, `notes`,
 * `aspect_ratio`, `size`, `seed`, `palette`, `detail`, and the fields of the style.
 */
export async function draw(style: Style, inputs: Inputs, slices: Slices): Promise<Uint8Array> {
  const prompt = [inputs.prompt, inputs.notes]
    .filter((text) => typeof text === 'string')
    .join(' ')
    .trim();
  const { width, height } = dimensions(String(inputs.aspect_ratio ?? '1:1'), String(inputs.size ?? 'large'));
  const dice = new Dice(hash(`${prompt.toLowerCase()}/${Number(inputs.seed ?? 0)}`));
  const plan = compose({
    prompt,
    width,
    height,
    dice,
    palette: String(inputs.palette),
    detail: Number(inputs.detail ?? 0.5),
  });
  const canvas = await styles[style](plan, slices, inputs);
  await slices.pause();
  return canvas.png();
}

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
