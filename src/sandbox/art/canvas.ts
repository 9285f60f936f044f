import { encode } from 'fast-png';
import type { Color } from './color';
import { clamp } from './random';

export type Point = readonly [x: number, y: number];

/** Closed outlines, all in the same direction; they merge where they overlap. */
export type Path = readonly (readonly Point[])[];

/** A color that is changed in place: allocating a million for each layer would keep the garbage collector busy. */
export type Pixel = [red: number, green: number, blue: number];

/** Moves a pixel part of the way to a color. */
export function towards(pixel: Pixel, [r, g, b]: Color, t: number): void {
  pixel[0] += (r - pixel[0]) * t;
  pixel[1] += (g - pixel[1]) * t;
  pixel[2] += (b - pixel[2]) * t;
}

/** The same hue, brighter above 1, darker below. */
export function scale(pixel: Pixel, by: number): void {
  pixel[0] *= by;
  pixel[1] *= by;
  pixel[2] *= by;
}

/** One color, or one for each pixel. */
type Paint = Color | ((x: number, y: number) => Color);

/** The coverage of each pixel in a rectangle, from 0 to 1. */
export class Mask {
  readonly cover: Float32Array;

  constructor(
    readonly left: number,
    readonly top: number,
    readonly width: number,
    readonly height: number,
  ) {
    this.cover = new Float32Array(width * height);
  }

  /** Whether it covers a pixel of the image completely. */
  hides(x: number, y: number): boolean {
    const [column, row] = [x - this.left, y - this.top];
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return false;
    return (this.cover[row * this.width + column] ?? 0) > 0.999;
  }

  /** Its coverage with edges blurred by about `radius` pixels. Coarse, since a blur needs no more. */
  softened(radius: number): SoftMask {
    return new SoftMask(this, Math.max(1, Math.min(6, Math.floor(radius / 2))), radius);
  }
}

/** A blurred mask: one value for each `grain` × `grain` pixels, interpolated in between. */
export class SoftMask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  private readonly columns: number;
  private readonly cover: Float32Array;

  constructor(
    mask: Mask,
    private readonly grain: number,
    radius: number,
  ) {
    const pad = (Math.ceil((radius * 2) / grain) + 1) * grain;
    this.left = mask.left - pad;
    this.top = mask.top - pad;
    this.columns = Math.ceil((mask.width + 2 * pad) / grain);
    const rows = Math.ceil((mask.height + 2 * pad) / grain);
    this.width = this.columns * grain;
    this.height = rows * grain;
    this.cover = new Float32Array(this.columns * rows);
    this.gather(mask, pad);
    const other = new Float32Array(this.cover.length);
    const reach = Math.max(1, Math.round(radius / grain));
    for (let pass = 0; pass < 2; pass++) {
      box(this.cover, other, rows, this.columns, this.columns, 1, reach);
      box(other, this.cover, this.columns, rows, 1, this.columns, reach);
    }
  }

  /** The coverage of a pixel of the image. */
  at(x: number, y: number): number {
    const u = Math.max(0, (x - this.left + 0.5) / this.grain - 0.5);
    const v = Math.max(0, (y - this.top + 0.5) / this.grain - 0.5);
    const [column, row] = [Math.floor(u), Math.floor(v)];
    const i = row * this.columns + column;
    const upper = (this.cover[i] ?? 0) * (1 - u + column) + (this.cover[i + 1] ?? 0) * (u - column);
    const lower =
      (this.cover[i + this.columns] ?? 0) * (1 - u + column) + (this.cover[i + this.columns + 1] ?? 0) * (u - column);
    return upper * (1 - v + row) + lower * (v - row);
  }

  private gather(mask: Mask, pad: number): void {
    const share = 1 / this.grain ** 2;
    for (let y = 0; y < mask.height; y++) {
      const row = Math.floor((y + pad) / this.grain) * this.columns;
      for (let x = 0; x < mask.width; x++) {
        const i = row + Math.floor((x + pad) / this.grain);
        this.cover[i] = (this.cover[i] ?? 0) + (mask.cover[y * mask.width + x] ?? 0) * share;
      }
    }
  }
}

/** Averages along `lines` lines of `length` values, `lineStep` and `step` apart. */
function box(
  from: Float32Array,
  to: Float32Array,
  lines: number,
  length: number,
  lineStep: number,
  step: number,
  reach: number,
): void {
  const share = 1 / (2 * reach + 1);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    let sum = 0;
    for (let i = 0; i < Math.min(reach, length); i++) sum += from[start + i * step] ?? 0;
    for (let i = 0; i < length; i++) {
      if (i + reach < length) sum += from[start + (i + reach) * step] ?? 0;
      if (i - reach - 1 >= 0) sum -= from[start + (i - reach - 1) * step] ?? 0;
      to[start + i * step] = sum * share;
    }
  }
}

/** The longest work without a pause, ms: shorter than a frame. */
const stretch = 10;

/** An image in progress. Its methods pause now and then, so that drawing never blocks the thread for long. */
export class Canvas {
  private readonly pixels: Float32Array;
  private lastPause = performance.now();

  /** Once aborted, the next pause rejects with the signal's reason. */
  constructor(
    readonly width: number,
    readonly height: number,
    private readonly signal?: AbortSignal,
  ) {
    this.pixels = new Float32Array(width * height * 3);
  }

  /** An empty one of another size, which ends with this one. */
  blank(width: number, height: number): Canvas {
    return new Canvas(width, height, this.signal);
  }

  /** Calls `change` for every pixel above `bottom`, with its place and color. `pixel` is valid only during the call. */
  async repaint(change: (x: number, y: number, pixel: Pixel) => void, bottom = this.height): Promise<void> {
    const { pixels, width } = this;
    const pixel: Pixel = [0.5, 0.5, 0.5];
    const end = Math.min(this.height, Math.ceil(bottom));
    for (let y = 0, i = 0; y < end; y++) {
      for (let x = 0; x < width; x++, i += 3) {
        pixel[0] = pixels[i] ?? 0;
        pixel[1] = pixels[i + 1] ?? 0;
        pixel[2] = pixels[i + 2] ?? 0;
        change(x, y, pixel);
        pixels[i] = pixel[0];
        pixels[i + 1] = pixel[1];
        pixels[i + 2] = pixel[2];
      }
      if (this.isPauseDue) await this.pause();
    }
  }

  /** Fills what the outlines enclose, with smooth edges. */
  async fill(path: Path, paint: Paint, opacity = 1): Promise<void> {
    await this.blend(this.mask(path), paint, opacity);
  }

  /** Applies paint through a mask, where 0 leaves a pixel and 1 covers it; `share` scales that for each pixel. */
  async blend(mask: Mask, paint: Paint, opacity = 1, share?: (x: number, y: number) => number): Promise<void> {
    const flat = typeof paint === 'function' ? undefined : paint;
    await this.through(mask, (i, x, y, cover) => {
      const t = cover * opacity * (share?.(x, y) ?? 1);
      if (t === 0) return;
      const [r, g, b] = flat ?? (paint as (x: number, y: number) => Color)(x, y);
      this.pixels[i] = (this.pixels[i] ?? 0) * (1 - t) + r * t;
      this.pixels[i + 1] = (this.pixels[i + 1] ?? 0) * (1 - t) + g * t;
      this.pixels[i + 2] = (this.pixels[i + 2] ?? 0) * (1 - t) + b * t;
    });
  }

  /** Darkens by a soft mask moved `down`, as a shadow in light from above. Skips what an opaque sheet will hide. */
  async shade(soft: SoftMask, strength: number, down: number, sheet?: Mask): Promise<void> {
    const top = Math.max(0, Math.round(soft.top + down));
    const bottom = Math.min(this.height, soft.top + soft.height + down);
    const right = Math.min(this.width, soft.left + soft.width);
    for (let y = top; y < bottom; y++) {
      for (let x = Math.max(0, soft.left); x < right; x++) {
        if (sheet?.hides(x, y)) continue;
        const left = 1 - strength * soft.at(x, y - down);
        const i = (y * this.width + x) * 3;
        this.pixels[i] = (this.pixels[i] ?? 0) * left;
        this.pixels[i + 1] = (this.pixels[i + 1] ?? 0) * left;
        this.pixels[i + 2] = (this.pixels[i + 2] ?? 0) * left;
      }
      if (this.isPauseDue) await this.pause();
    }
  }

  /** Applies transparent color through a mask, like ink on paper: what is below shows through, darkened. */
  async glaze(mask: Mask, color: Color, strengthAt: (x: number, y: number, cover: number) => number): Promise<void> {
    const [r, g, b] = color;
    await this.through(mask, (i, x, y, cover) => {
      const t = strengthAt(x, y, cover);
      this.pixels[i] = (this.pixels[i] ?? 0) * (1 - t + r * t);
      this.pixels[i + 1] = (this.pixels[i + 1] ?? 0) * (1 - t + g * t);
      this.pixels[i + 2] = (this.pixels[i + 2] ?? 0) * (1 - t + b * t);
    });
  }

  /** How much of each pixel the outlines enclose, exact in area. */
  mask(path: Path): Mask {
    const bounds = this.bounds(path);
    const mask = new Mask(bounds.left, bounds.top, bounds.width, bounds.height);
    if (mask.cover.length === 0) return mask;
    const turns = new Float32Array((mask.width + 2) * mask.height);
    for (const outline of path) {
      let from = outline.at(-1);
      for (const to of outline) {
        if (from) edge(turns, mask, from, to);
        from = to;
      }
    }
    for (let y = 0; y < mask.height; y++) {
      let sum = 0;
      for (let x = 0; x < mask.width; x++) {
        sum += turns[y * (mask.width + 2) + x] ?? 0;
        mask.cover[y * mask.width + x] = Math.min(1, Math.abs(sum));
      }
    }
    return mask;
  }

  /** The image as a PNG file. */
  async png(): Promise<Uint8Array> {
    await this.pause();
    const data = new Uint8Array(this.pixels.length);
    for (let i = 0; i < data.length; i++) data[i] = Math.round(clamp(this.pixels[i] ?? 0) * 255);
    return encode({ width: this.width, height: this.height, data, channels: 3, depth: 8 }, { zlib: { level: 2 } });
  }

  /** The color of a pixel. */
  at(x: number, y: number): Color {
    const i = (y * this.width + x) * 3;
    return [this.pixels[i] ?? 0, this.pixels[i + 1] ?? 0, this.pixels[i + 2] ?? 0];
  }

  private get isPauseDue(): boolean {
    return performance.now() - this.lastPause > stretch;
  }

  /** Lets everything else run. */
  private async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.signal?.throwIfAborted();
    this.lastPause = performance.now();
  }

  private async through(mask: Mask, change: (i: number, x: number, y: number, cover: number) => void): Promise<void> {
    const right = Math.min(this.width, mask.left + mask.width);
    const bottom = Math.min(this.height, mask.top + mask.height);
    for (let y = Math.max(0, mask.top); y < bottom; y++) {
      for (let x = Math.max(0, mask.left); x < right; x++) {
        const cover = mask.cover[(y - mask.top) * mask.width + x - mask.left] ?? 0;
        if (cover > 0.002) change((y * this.width + x) * 3, x, y, cover);
      }
      if (this.isPauseDue) await this.pause();
    }
  }

  private bounds(path: Path): { left: number; top: number; width: number; height: number } {
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    for (const outline of path) {
      for (const [x, y] of outline) {
        left = Math.min(left, x);
        top = Math.min(top, y);
        right = Math.max(right, x);
        bottom = Math.max(bottom, y);
      }
    }
    left = Math.max(0, Math.floor(left));
    top = Math.max(0, Math.floor(top));
    const width = Math.max(0, Math.min(this.width, Math.ceil(right)) - left);
    return { left, top, width, height: Math.max(0, Math.min(this.height, Math.ceil(bottom)) - top) };
  }
}

/**
 * Adds one edge to the table of turns: the coverage that pixels right of the edge gain, spread over the pixels that the
 * edge crosses by the area it cuts off in each. The running sum of a row's turns is its coverage.
 */
function edge(turns: Float32Array, mask: Mask, [fromX, fromY]: Point, [toX, toY]: Point): void {
  if (fromY === toY) return;
  const turn = fromY < toY ? 1 : -1;
  const [x0, y0, x1, y1] = turn === 1 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = (x1 - x0) / (y1 - y0);
  const last = Math.min(mask.height, Math.ceil(y1 - mask.top));
  for (let row = Math.max(0, Math.floor(y0 - mask.top)); row < last; row++) {
    const begin = Math.max(row + mask.top, y0);
    const end = Math.min(row + mask.top + 1, y1);
    const one = clamp(x0 + (begin - y0) * slope - mask.left, 0, mask.width);
    const two = clamp(x0 + (end - y0) * slope - mask.left, 0, mask.width);
    cross(turns, row * (mask.width + 2), Math.min(one, two), Math.max(one, two), (end - begin) * turn);
  }
}

/** Spreads `gain` over the pixels of a row that an edge crosses between two points. */
function cross(turns: Float32Array, row: number, from: number, to: number, gain: number): void {
  const first = Math.floor(from);
  const last = Math.max(first + 1, Math.ceil(to));
  let before = 0;
  for (let x = first; x < last; x++) {
    const share = to - from < 1e-6 ? 1 : (Math.min(to, x + 1) - Math.max(from, x)) / (to - from);
    const middle = to - from < 1e-6 ? from : (Math.max(from, x) + Math.min(to, x + 1)) / 2;
    const inside = gain * share * (x + 1 - middle);
    turns[row + x] = (turns[row + x] ?? 0) + before + inside;
    before = gain * share - inside;
  }
  turns[row + last] = (turns[row + last] ?? 0) + before;
}
