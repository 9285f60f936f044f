// Fits one image on its own thread; see `fitter.ts`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import { initEmscriptenModule } from '@jsquash/jpeg/utils.js';
import { decode as decodePng, encode as encodePng, initSync as initPng } from '@jsquash/png/codec/pkg/squoosh_png.js';
import { initSync as initResize, resize } from '@jsquash/resize/lib/resize/pkg/squoosh_resize.js';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc.js';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import type { FitFormat, FitPlan } from './fit';

/** An image in memory: four bytes a pixel, for red, green, blue, and opacity. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** Of 100: no difference that one sees, at a fraction of the size. */
const quality = 90;

/** The library's number for Lanczos. */
const lanczos = 3;

/** Reads, scales, and writes images with WebAssembly modules from a folder. Rejects and throws when one is damaged. */
class Codecs {
  constructor(private readonly folder: string) {}

  async decode(bytes: Uint8Array<ArrayBuffer>, format: FitFormat): Promise<Pixels> {
    const pixels = await this.decoded(bytes, format);
    if (!pixels) throw new Error(`it isn’t a complete ${format}`);
    return pixels as Pixels;
  }

  private async decoded(bytes: Uint8Array<ArrayBuffer>, format: FitFormat): Promise<object | null> {
    switch (format) {
      case 'png':
        initPng(this.module('squoosh_png_bg'));
        return decodePng(bytes);
      case 'jpeg':
        return (await initEmscriptenModule(jpegDecoder, this.module('mozjpeg_dec'))).decode(bytes, true);
      case 'webp':
        return (await initEmscriptenModule(webpDecoder, this.module('webp_dec'))).decode(bytes);
    }
  }

  async encode({ data, width, height }: Pixels, format: FitFormat): Promise<Uint8Array> {
    switch (format) {
      case 'png':
        initPng(this.module('squoosh_png_bg'));
        return encodePng(new Uint8Array(data.buffer), width, height, 8);
      case 'jpeg': {
        const encoder = await initEmscriptenModule(jpegEncoder, this.module('mozjpeg_enc'));
        return encoder.encode(data, width, height, { ...jpegOptions, quality });
      }
      case 'webp': {
        const encoder = await initEmscriptenModule(webpEncoder, this.module('webp_enc'));
        const written = encoder.encode(data, width, height, { ...webpOptions, quality });
        if (!written) throw new Error('it couldn’t be written as WebP');
        return written;
      }
    }
  }

  scale({ data, ...from }: Pixels, width: number, height: number): Pixels {
    initResize(this.module('squoosh_resize_bg'));
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length);
    const scaled = resize(bytes, from.width, from.height, width, height, lanczos, true, true);
    return { width, height, data: scaled as Uint8ClampedArray<ArrayBuffer> };
  }

  private module(name: string): WebAssembly.Module {
    return new WebAssembly.Module(readFileSync(join(this.folder, `${name}.wasm`)));
  }
}

/** What the thread gets. */
export interface FitTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly from: FitFormat;
  readonly to: FitFormat;
  readonly plan: FitPlan;
}

async function fitted({ bytes, from, to, plan }: FitTask): Promise<Uint8Array> {
  const codecs = new Codecs(join(import.meta.dirname, 'fit'));
  const { part, scaled, canvas, at } = plan;
  const image = copied(await codecs.decode(bytes, from), part, { x: 0, y: 0 }, part, 'clear');
  const isScaled = part.width !== scaled.width || part.height !== scaled.height;
  const result = isScaled ? codecs.scale(image, scaled.width, scaled.height) : image;
  const ground = to === 'jpeg' ? 'white' : 'clear';
  return codecs.encode(copied(result, { ...scaled, x: 0, y: 0 }, at, canvas, ground), to);
}

/** A part of an image, put on a new canvas. A JPEG has no opacity, so what shines through becomes white. */
function copied(
  image: Pixels,
  part: FitPlan['part'],
  at: FitPlan['at'],
  { width, height }: FitPlan['canvas'],
  ground: 'white' | 'clear',
): Pixels {
  if (image.width < part.x + part.width || image.height < part.y + part.height)
    throw new Error('its size isn’t the one that it states');
  const data = new Uint8ClampedArray(width * height * 4);
  if (ground === 'white') data.fill(255);
  for (let row = 0; row < part.height; row++) {
    const from = ((part.y + row) * image.width + part.x) * 4;
    data.set(image.data.subarray(from, from + part.width * 4), ((at.y + row) * width + at.x) * 4);
  }
  if (ground === 'white') flatten(data);
  return { width, height, data };
}

function flatten(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    const opacity = (data[at + 3] ?? 255) / 255;
    if (opacity === 1) continue;
    for (let color = at; color < at + 3; color++) data[color] = 255 + ((data[color] ?? 0) - 255) * opacity;
    data[at + 3] = 255;
  }
}

void fitted(workerData as FitTask).then((bytes) => parentPort?.postMessage(bytes));
