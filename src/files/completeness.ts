/** Whether a file shows its own end: `cut` when it must and does not, `unknown` for types that do not tell. */
export type Wholeness = 'whole' | 'cut' | 'unknown';

/** How many bytes of the beginning, and of the end, `isWhole` needs of a longer file. */
export const inspectedBytes = 64 * 1024;

/** A file's first and last bytes; the whole of a short file is both. */
export interface Ends {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Of the whole file, bytes. */
  readonly length: number;
}

/**
 * Whether a picture is all there, by its own structure: an answer without a stated length can be cut unnoticed.
 * What stands after a picture's end does not make it less whole.
 */
export function isWhole(mediaType: string, head: Uint8Array, tail: Uint8Array, length: number): Wholeness {
  const check = checks[mediaType];
  if (!check) return 'unknown';
  return check({ head, tail, length }) ? 'whole' : 'cut';
}

const checks: Readonly<Record<string, (ends: Ends) => boolean>> = {
  'image/png': ({ tail }) => find(tail, [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82], 0),
  'image/jpeg': jpegEnds,
  'image/gif': gifEnds,
  'image/webp': ({ head, length }) => head.length >= 12 && length >= 8 + viewOf(head).getUint32(4, true),
};

/** Only an end marker after the start of the scan counts: a preview inside the metadata has one of its own. */
function jpegEnds({ head, tail, length }: Ends): boolean {
  const tailStart = length - tail.length;
  return find(tail, [0xff, 0xd9], Math.max(0, startOfScan(head) - tailStart));
}

/** Offset of the first scan, or how far the segments could be followed. */
function startOfScan(head: Uint8Array): number {
  const view = viewOf(head);
  let offset = 2;
  while (offset + 4 <= head.length && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xda) break;
    // Any number of 0xff may stand before a marker.
    offset += marker === 0xff ? 1 : 2 + view.getUint16(offset + 2);
  }
  return offset;
}

/** The end of the last block, then the trailer; some programs pad with zeros. */
function gifEnds({ tail }: Ends): boolean {
  const last = tail.findLastIndex((byte) => byte !== 0);
  return last > 0 && tail[last] === 0x3b && tail[last - 1] === 0;
}

function find(bytes: Uint8Array, pattern: readonly number[], from: number): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(pattern), from);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
