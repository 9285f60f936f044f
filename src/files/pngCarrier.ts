import { hasRoom, latin1, mostParts, startsWith, utf8, viewOf, type Carrier } from './carrier';

const signature = '\x89PNG\r\n\x1a\n';
/** The keyword of an XMP text chunk, then: uncompressed, no language, no translated keyword. */
const keyword = 'XML:com.adobe.xmp\0';
const header = `${keyword}\0\0\0\0`;
/** Content Credentials sign all bytes but their own. */
const signed = 'caBX';

interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** With length, type, and checksum. */
  readonly whole: Uint8Array;
}

/** A PNG; undefined if it isn't well-formed. */
export function pngCarrier(bytes: Uint8Array): Carrier | undefined {
  const chunks = chunksOf(bytes);
  if (!chunks || chunks[0]?.type !== 'IHDR' || chunks.at(-1)?.type !== 'IEND') return undefined;
  const own = chunks.filter(isXmp);
  const packet = own[0] && packetOf(own[0]);
  const others = chunks.filter((chunk) => !isXmp(chunk)).map(({ whole }) => whole);
  const start = bytes.subarray(0, signature.length);
  const rest = bytes.subarray(chunks.reduce((sum, { whole }) => sum + whole.length, signature.length));
  return {
    packet,
    isSealed:
      own.length > 1 ||
      (own.length === 1 && packet === undefined) ||
      chunks.some(({ type }) => type === signed) ||
      !hasRoom(chunks.length),
    image: [start, ...others, rest],
    with: (added) => [start, ...others.slice(0, 1), chunkOf(added), ...others.slice(1), rest],
  };
}

/** Up to the final one; undefined when one is invalid. */
function chunksOf(bytes: Uint8Array): PngChunk[] | undefined {
  if (!startsWith(bytes, signature)) return undefined;
  const view = viewOf(bytes);
  const chunks: PngChunk[] = [];
  for (let offset = signature.length; offset + 12 <= bytes.length;) {
    const end = offset + 12 + view.getUint32(offset);
    if (end > bytes.length || chunks.length === mostParts) return undefined;
    const type = latin1(bytes.subarray(offset + 4, offset + 8));
    chunks.push({ type, data: bytes.subarray(offset + 8, end - 4), whole: bytes.subarray(offset, end) });
    if (type === 'IEND') return chunks;
    offset = end;
  }
  return undefined;
}

function isXmp({ type, data }: PngChunk): boolean {
  return type === 'iTXt' && startsWith(data, keyword);
}

/** Compressed ones are left alone. */
function packetOf({ data }: PngChunk): string | undefined {
  if (data[keyword.length] !== 0) return undefined;
  const language = data.indexOf(0, keyword.length + 2);
  const translated = language < 0 ? -1 : data.indexOf(0, language + 1);
  return translated < 0 ? undefined : utf8(data.subarray(translated + 1));
}

function chunkOf(packet: Uint8Array): Uint8Array {
  const typed = Buffer.concat([Buffer.from(`iTXt${header}`, 'latin1'), packet]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(typed.length - 4);
  typed.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  return chunk;
}

/** The checksum of a chunk's type and data, bit by bit: there is only one small chunk to write. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
