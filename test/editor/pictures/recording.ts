import type { Page } from 'playwright-core';
import type { Area } from './area';
import { animatedWebp, type Frame } from './animatedWebp';

/** The change since the previous frame, as a WebP file in base64. */
type Change = Pick<Frame, 'x' | 'y' | 'width' | 'height'> & { readonly image: string };

/** Captures a part of the window repeatedly, and makes an animation from it. */
export class Recording {
  private readonly seen: { readonly png: string; readonly ms: number }[] = [];

  constructor(
    private readonly page: Page,
    private readonly area: Area,
  ) {}

  /** Captures what is visible as the next frame, with this duration. */
  async frame(ms: number): Promise<void> {
    const png = await this.page.screenshot({ clip: this.area });
    this.seen.push({ png: png.toString('base64'), ms });
  }

  /** All frames as an animated WebP file, each with only its changes. */
  async animation(): Promise<Buffer> {
    const encoder = await this.page.context().newPage();
    const frames: Frame[] = [];
    for (const [at, { png, ms }] of this.seen.entries()) {
      const change = await encoder.evaluate(changed, [this.seen[at - 1]?.png, png] as const);
      const last = frames.at(-1);
      if (change) frames.push({ ...change, image: Buffer.from(change.image, 'base64'), ms });
      else if (last) frames[frames.length - 1] = { ...last, ms: last.ms + ms };
    }
    await encoder.close();
    return animatedWebp(this.area.width, this.area.height, frames);
  }
}

/** Runs in a page: encodes the part of an image that differs from the previous one; undefined if nothing does. */
async function changed([before, now]: readonly [string | undefined, string]): Promise<Change | undefined> {
  const drawn = async (png: string) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
    context.drawImage(image, 0, 0);
    return context;
  };
  const next = await drawn(now);
  const { width, height } = next.canvas;
  let [left, top, right, bottom] = [0, 0, width, height];
  if (before !== undefined) {
    const pixels = (context: CanvasRenderingContext2D) =>
      new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    const [old, fresh] = [pixels(await drawn(before)), pixels(next)];
    [left, top, right, bottom] = [width, height, 0, 0];
    for (let at = 0; at < fresh.length; at++) {
      if (old[at] === fresh[at]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
    if (right === 0) return undefined;
    // A frame can only begin at even coordinates.
    [left, top] = [left - (left % 2), top - (top % 2)];
  }
  const part = document.createElement('canvas');
  [part.width, part.height] = [right - left, bottom - top];
  part.getContext('2d', { alpha: false })!.drawImage(next.canvas, -left, -top);
  const url = part.toDataURL('image/webp', 0.6);
  return { x: left, y: top, width: part.width, height: part.height, image: url.slice(url.indexOf(',') + 1) };
}
