import { Canvas, towards } from './canvas';
import { gradient, lightness, type Color } from './color';
import { readPalette } from './palette';
import { clamp } from './random';

/** The pixels of a given image. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** The color at a place, in pixels; outside, that of the nearest edge. On white where it's transparent. */
  readonly at: (x: number, y: number) => Color;
}

/** The longest side of a print, pixels. */
const longest = 1344;

/** How a given image is printed. */
interface Print {
  /** The name of a palette. */
  readonly palette: string;
  /** The number of tones. */
  readonly tones: number;
  /** The distance of the screen's dots, pixels. */
  readonly screen: number;
}

/**
 * A PNG of the image again, as printed in a few inks through a screen of dots: dark where it's dark, and vivid where it
 * is.
 */
export async function drawPrint(
  image: Image,
  { palette, tones, screen }: Print,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { near, far, sky, light, accent } = readPalette(palette);
  const ink = gradient([near, far, sky[1], sky[2], light]);
  const { canvas, at } = sheetFor(image, signal);
  await canvas.repaint((x, y, pixel) => {
    const color = at(x, y);
    const dot = dotAt(x, y, screen);
    const tone = Math.round(lightness(color) * (tones - 1) + dot * 0.9) / (tones - 1);
    towards(pixel, ink(clamp(tone)), 1);
    // The second plate prints only what stands out.
    if (vividness(color) + dot * 0.3 > 0.5) towards(pixel, accent, 0.75);
  });
  return canvas.png();
}

/** How two images are exposed on one another. */
export type Exposure = 'screen' | 'multiply' | 'soft light';

/**
 * A PNG of both images in one, of the size of the first; the second fills it. `amount` from 0 (the first) to 1 (the
 * second).
 */
export async function drawDoubleExposure(
  first: Image,
  second: Image,
  { exposure, amount }: { readonly exposure: Exposure; readonly amount: number },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { canvas, at } = sheetFor(first, signal);
  const secondAt = across(canvas, second);
  await canvas.repaint((x, y, pixel) => {
    const [below, above] = [at(x, y), secondAt(x, y)];
    const both: Color = [0, 1, 2].map((i) => exposures[exposure](below[i] ?? 0, above[i] ?? 0)) as never;
    towards(pixel, below, 1);
    towards(pixel, both, clamp(amount * 2));
    towards(pixel, above, clamp(amount * 2 - 1));
  });
  return canvas.png();
}

/** A PNG of the image with another in place of what a mask of the same size has white; that one fills the image. */
export async function drawRetouched(
  image: Image,
  mask: Image | undefined,
  other: Image,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { canvas, at } = sheetFor(image, signal);
  const [otherAt, maskAt] = [across(canvas, other), mask && across(canvas, mask)];
  await canvas.repaint((x, y, pixel) => {
    const isChanged = !maskAt || lightness(maskAt(x, y)) > 0.5;
    towards(pixel, isChanged ? otherAt(x, y) : at(x, y), 1);
  });
  return canvas.png();
}

const exposures: Readonly<Record<Exposure, (below: number, above: number) => number>> = {
  screen: (below, above) => 1 - (1 - below) * (1 - above),
  multiply: (below, above) => below * above,
  'soft light': (below, above) => (1 - 2 * above) * below * below + 2 * above * below,
};

/** The exposures to choose from. */
export const exposureNames = Object.keys(exposures) as readonly Exposure[];

/** A canvas of the image's own size, or smaller, and the image's color at a place of it. */
function sheetFor({ width, height, at }: Image, signal?: AbortSignal) {
  const scale = Math.max(1, Math.max(width, height) / longest);
  const canvas = new Canvas(Math.max(1, Math.round(width / scale)), Math.max(1, Math.round(height / scale)), signal);
  return { canvas, at: (x: number, y: number) => at((x + 0.5) * scale, (y + 0.5) * scale) };
}

/** The color of an image that fills a canvas, at a place of it. */
function across({ width, height }: { readonly width: number; readonly height: number }, image: Image): Image['at'] {
  const scale = Math.min(image.width / width, image.height / height);
  const [left, top] = [(image.width - width * scale) / 2, (image.height - height * scale) / 2];
  return (x, y) => image.at(left + x * scale, top + y * scale);
}

/** From -0.5 between the dots of a slanted screen to 0.5 in their middle. */
function dotAt(x: number, y: number, screen: number): number {
  const [u, v] = [(x + y) / screen, (x - y) / screen];
  return (Math.sin(u * Math.PI) * Math.sin(v * Math.PI)) / 2;
}

function vividness([r, g, b]: Color): number {
  return Math.max(r, g, b) - Math.min(r, g, b);
}
