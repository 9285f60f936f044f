import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import { initEmscriptenModule } from '@jsquash/jpeg/utils.js';
import { decode as decodePng, encode as encodePng, initSync as initPng } from '@jsquash/png/codec/pkg/squoosh_png.js';
import { initSync as initResize, resize } from '@jsquash/resize/lib/resize/pkg/squoosh_resize.js';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc.js';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import type { FitFormat } from './fit';

/** An image in memory: four bytes a pixel, for red, green, blue, and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** Of 100: no difference that one sees, at a fraction of the size. */
const quality = 90;
/** The library's number for Lanczos. */
const lanczos = 3;

/** Reads, scales, and writes images with WebAssembly modules from a folder. Rejects and throws when one is damaged. */
export class Codecs {
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
