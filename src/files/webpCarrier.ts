import { hasRoom, latin1, mostParts, startsWith, utf8, viewOf, type Carrier } from './carrier';

const extended = 'VP8X';
const xmp = 'XMP ';
/** Content Credentials sign all bytes but their own. */
const signed = 'C2PA';
const xmpFlag = 0x04;
const alphaFlag = 0x10;

interface RiffChunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** With type, length, and padding. */
  readonly whole: Uint8Array;
}

/** A WebP; undefined if it isn't well-formed. */
export function webpCarrier(bytes: Uint8Array): Carrier | undefined {
  const chunks = chunksOf(bytes);
  const head = chunks?.[0] && headOf(chunks[0]);
  // A second head would be lost when one is written.
  if (!chunks || !head || chunks.slice(1).some(({ type }) => type === extended)) return undefined;
  const own = chunks.filter(({ type }) => type === xmp);
  const packet = own[0] && utf8(own[0].data);
  const others = chunks.filter(({ type }) => type !== xmp && type !== extended).map(({ whole }) => whole);
  const rest = bytes.subarray(12 + sum(chunks.map(({ whole }) => whole)));
  return {
    packet,
    isSealed:
      own.length > 1 ||
      (own.length === 1 && packet === undefined) ||
      chunks.some(({ type }) => type === signed) ||
      !hasRoom(chunks.length),
    image: [...others, rest],
    with: (added) => {
      const inside = [chunkOf(extended, head), ...others, chunkOf(xmp, added)];
      return [riffOf(sum(inside)), ...inside, rest];
    },
  };
}

/** Undefined when one exceeds the length that the file states. */
function chunksOf(bytes: Uint8Array): RiffChunk[] | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined;
  const view = viewOf(bytes);
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return undefined;
  const chunks: RiffChunk[] = [];
  let offset = 12;
  while (offset + 8 <= end) {
    const length = view.getUint32(offset + 4, true);
    const next = offset + 8 + length + (length % 2);
    if (next > end || chunks.length === mostParts) return undefined;
    const type = latin1(bytes.subarray(offset, offset + 4));
    chunks.push({ type, data: bytes.subarray(offset + 8, offset + 8 + length), whole: bytes.subarray(offset, next) });
    offset = next;
  }
  return offset === end ? chunks : undefined;
}

/** The first chunk of a file with metadata: derived from its image if it has none. */
function headOf({ type, data }: RiffChunk): Uint8Array | undefined {
  const view = viewOf(data);
  if (type === extended && data.length === 10) {
    const head = Buffer.from(data);
    head.writeUInt8(view.getUint8(0) | xmpFlag);
    return head;
  }
  if (type === 'VP8 ' && data.length >= 10 && startsWith(data, '\x9d\x01\x2a', 3))
    return newHead(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff, false);
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = view.getUint32(1, true);
    return newHead((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, (bits & (1 << 28)) !== 0);
  }
  return undefined;
}

function newHead(width: number, height: number, hasAlpha: boolean): Uint8Array | undefined {
  if (width === 0 || height === 0) return undefined;
  const head = Buffer.alloc(10);
  head.writeUInt8(xmpFlag | (hasAlpha ? alphaFlag : 0));
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  return head;
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  chunk.set(data, 8);
  return chunk;
}

function riffOf(length: number): Uint8Array {
  const head = Buffer.from('RIFF....WEBP', 'latin1');
  head.writeUInt32LE(4 + length, 4);
  return head;
}

function sum(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}
