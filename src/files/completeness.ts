/** Whether a file has its end: `cut` when a required end is missing, `unknown` for types without one. */
export type Wholeness = 'whole' | 'cut' | 'unknown';

/** How many bytes from the beginning and the end `isWhole` needs of a longer file. */
export const inspectedBytes = 64 * 1024;

/** A file's first and last bytes; for a short file both are all of it. */
export interface Ends {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Length of the whole file, bytes. */
  readonly length: number;
}

/**
 * Whether an image is complete, by its structure: a truncated response without a stated length would go unnoticed.
 * Bytes after an image's end don't make it less complete.
 */
export function isWhole(mediaType: string, head: Uint8Array, tail: Uint8Array, length: number): Wholeness {
  const check = checks[mediaType];
  if (!check) return 'unknown';
  return check({ head, tail, length }) ? 'whole' : 'cut';
}

const checks: Readonly<Record<string, (ends: Ends) => boolean>> = {
  'image/png': pngEnds,
  'image/jpeg': jpegEnds,
  'image/gif': gifEnds,
  'image/webp': ({ head, length }) => head.length >= 12 && length >= 8 + viewOf(head).getUint32(4, true),
};

/** Length, type and checksum of the chunk that ends a PNG. */
const pngEnd = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** Only an end after the preceding chunks counts: a preview inside the metadata has one too. */
function pngEnds({ head, tail, length }: Ends): boolean {
  const tailStart = length - tail.length;
  return find(tail, pngEnd, Math.max(0, endOfChunks(head) - tailStart));
}

/** Offset of the chunk that ends a PNG, or how far the chunks could be parsed. */
function endOfChunks(head: Uint8Array): number {
  const view = viewOf(head);
  const iend = 0x49454e44;
  let offset = 8;
  while (offset + 8 <= head.length && view.getUint32(offset + 4) !== iend) offset += 12 + view.getUint32(offset);
  return offset;
}

/** Only an end marker after the start of the scan counts: a preview inside the metadata has one too. */
function jpegEnds({ head, tail, length }: Ends): boolean {
  const tailStart = length - tail.length;
  return find(tail, [0xff, 0xd9], Math.max(0, startOfScan(head) - tailStart));
}

/** Offset of the first scan, or how far the segments could be parsed. */
function startOfScan(head: Uint8Array): number {
  const view = viewOf(head);
  let offset = 2;
  while (offset + 4 <= head.length && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xda) break;
    // Any number of 0xff may precede a marker.
    offset += marker === 0xff ? 1 : 2 + view.getUint16(offset + 2);
  }
  return offset;
}

/**
 * The trailer must follow the blocks, or at least the end of one if they can't all be parsed. Some programs pad with
 * zeros.
 */
function gifEnds({ head, tail, length }: Ends): boolean {
  const end = endOfBlocks(head);
  if (head[end] === 0x3b) return true;
  const last = tail.findLastIndex((byte) => byte !== 0);
  return length - tail.length + last >= end && tail[last] === 0x3b && tail[last - 1] === 0;
}

/** Offset of the trailer of a GIF, or how far the blocks could be parsed. */
function endOfBlocks(head: Uint8Array): number {
  const byte = (at: number) => head[at] ?? 0;
  const palette = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let offset = 13 + palette(byte(10));
  while (byte(offset) === 0x21 || byte(offset) === 0x2c) {
    // An image also has a palette, and a byte with its code size.
    offset += byte(offset) === 0x21 ? 2 : 11 + palette(byte(offset + 9));
    while (byte(offset) > 0) offset += 1 + byte(offset);
    offset += 1;
  }
  return offset;
}

function find(bytes: Uint8Array, pattern: readonly number[], from: number): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(pattern), from);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
