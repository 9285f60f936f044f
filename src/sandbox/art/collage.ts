import { Canvas, towards } from './canvas';
import type { Color } from './color';
import type { Image } from './print';
import type { Dice } from './random';

/** What a collage adds to its images. */
export const collageDetails = ['frames', 'shadows', 'tilt', 'numbers'] as const;

interface Collage {
  /** The color of the frames. */
  readonly frame: Color;
  readonly details: ReadonlySet<string>;
  readonly dice: Dice;
}

/** A card with an image on it; lengths in pixels, from its center. */
interface Card {
  readonly image: Image;
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly cos: number;
  readonly sin: number;
}

/**
 * A PNG of one to six images as cards on a background, row by row in their order, each with its number in dots if that
 * is among the details.
 */
export async function drawCollage(
  background: Image,
  images: readonly Image[],
  { frame, details, dice }: Collage,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { width, height } = background;
  const canvas = new Canvas(width, height, signal);
  const cards = placed(images, width, height, details.has('tilt') ? dice : undefined);
  const border = details.has('frames') ? Math.max(2, Math.min(width, height) / 64) : 0;
  const isShaded = details.has('shadows');
  const isNumbered = details.has('numbers');
  await canvas.repaint((x, y, pixel) => {
    towards(pixel, background.at(x, y), 1);
    for (const [index, card] of cards.entries()) {
      if (isShaded && isOn(card, x - border * 0.8, y - border * 1.2, border)) towards(pixel, shadow, 0.35);
      if (!isOn(card, x, y, border)) continue;
      const [u, v] = onCard(card, x, y);
      towards(pixel, isOn(card, x, y, 0) ? colorAt(card, u, v) : frame, 1);
      if (isNumbered && isDot(card, u, v, index + 1)) towards(pixel, Math.hypot(...frame) > 0.9 ? shadow : light, 1);
    }
  });
  return canvas.png();
}

const shadow: Color = [0.08, 0.09, 0.12];
const light: Color = [1, 1, 1];

/** Cards of the shapes of their images, each in its cell of as many columns as rows, or one more. */
function placed(images: readonly Image[], width: number, height: number, dice: Dice | undefined): readonly Card[] {
  const short = Math.round(Math.sqrt(images.length));
  const long = Math.ceil(images.length / Math.max(1, short));
  const [columns, rows] = width >= height ? [long, short] : [short, long];
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  return images.map((image, index) => {
    const scale = Math.min((cellWidth * 0.72) / image.width, (cellHeight * 0.72) / image.height);
    const turn = dice ? dice.between(-0.09, 0.09) : 0;
    return {
      image,
      x: ((index % columns) + 0.5) * cellWidth,
      y: (Math.floor(index / columns) + 0.5) * cellHeight,
      halfWidth: (image.width * scale) / 2,
      halfHeight: (image.height * scale) / 2,
      cos: Math.cos(turn),
      sin: Math.sin(turn),
    };
  });
}

/** A place of the canvas on the card, from its center. */
function onCard({ x: left, y: top, cos, sin }: Card, x: number, y: number): readonly [u: number, v: number] {
  const [dx, dy] = [x - left, y - top];
  return [dx * cos + dy * sin, dy * cos - dx * sin];
}

function isOn(card: Card, x: number, y: number, border: number): boolean {
  const [u, v] = onCard(card, x, y);
  return Math.abs(u) <= card.halfWidth + border && Math.abs(v) <= card.halfHeight + border;
}

function colorAt({ image, halfWidth, halfHeight }: Card, u: number, v: number): Color {
  return image.at(((u / halfWidth + 1) / 2) * image.width, ((v / halfHeight + 1) / 2) * image.height);
}

/** True inside one of `number` dots in a row at the lower edge. */
function isDot({ halfWidth, halfHeight }: Card, u: number, v: number, number: number): boolean {
  const radius = Math.min(halfWidth, halfHeight) / 14;
  const nearest = Math.round(u / (radius * 3) + (number - 1) / 2);
  if (nearest < 0 || nearest >= number) return false;
  return Math.hypot(u - (nearest - (number - 1) / 2) * radius * 3, v - (halfHeight - radius * 2)) <= radius;
}
