/** A still image that replaces a part of the animation. */
export interface Frame {
  /** A WebP file without transparency. */
  readonly image: Buffer;
  /** Its position; even numbers. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How long it's displayed, ms. */
  readonly ms: number;
}

/** Joins still images into a WebP file that plays them in a loop, without encoding them again. */
export function animatedWebp(width: number, height: number, frames: readonly Frame[]): Buffer {
  const isAnimated = 0x02;
  const canvas = chunk('VP8X', Buffer.from([isAnimated, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)]));
  const forever = chunk('ANIM', Buffer.alloc(6));
  return file(Buffer.concat([canvas, forever, ...frames.map(frameChunk)]));
}

function frameChunk({ image, x, y, width, height, ms }: Frame): Buffer {
  const replaces = 0x02;
  const place = [x / 2, y / 2, width - 1, height - 1, ms].flatMap(uint24);
  return chunk('ANMF', Buffer.concat([Buffer.from([...place, replaces]), pixels(image)]));
}

/** The chunk with the pixels, which a color profile may precede. */
function pixels(image: Buffer): Buffer {
  for (let at = 12; at < image.length;) {
    const end = at + 8 + image.readUInt32LE(at + 4);
    if (image.toString('latin1', at, at + 4) === 'VP8 ') return chunk('VP8 ', image.subarray(at + 8, end));
    at = end + (end % 2);
  }
  throw new Error('The frame is not a WebP image without transparency.');
}

function file(chunks: Buffer): Buffer {
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), chunks]));
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
}
