import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

/** An image's pixels, three bytes each. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** Reads a PNG of 8-bit RGB by its specification alone: every chunk, every checksum, every row. */
export function decoded(png: Uint8Array): Image {
  const bytes = Buffer.from(png);
  assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    assert.equal(bytes.readUInt32BE(at + 8 + length), crc(bytes.subarray(at + 4, at + 8 + length)), type);
    chunks.push({ type, data });
    at += 12 + length;
  }
  assert.deepEqual([chunks[0]?.type, chunks.at(-1)?.type], ['IHDR', 'IEND']);
  const header = chunks[0]!.data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [8, 2, 0, 0, 0]);
  const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  assert.equal(rows.length, height * (1 + width * 3));
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    assert.equal(rows[y * (1 + width * 3)], 0, 'the encoder is known to write rows without a filter');
    rows.copy(pixels, y * width * 3, y * (1 + width * 3) + 1, (y + 1) * (1 + width * 3));
  }
  return { width, height, pixels };
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** The mean of one channel over a region, which is given in fractions of the image. */
export function mean({ width, height, pixels }: Image, channel: number, [x0, y0, x1, y1]: readonly number[]): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(y0! * height); y < y1! * height; y++) {
    for (let x = Math.floor(x0! * width); x < x1! * width; x++, count++) sum += pixels[(y * width + x) * 3 + channel]!;
  }
  return sum / count;
}
