import { redact } from '../base/log';
import { FileProblem } from './problem';
import { sniff, type FileType } from './sniff';

/** What a result is: an image, a text, or anything else. */
export type ResultKind = 'image' | 'text' | 'other';

/** What is known of a result before its bytes arrive. */
export interface Ordered {
  /** What its target or its model makes it; undefined if neither is known. */
  readonly kind?: ResultKind;
  /** The response's Content-Type. */
  readonly type?: string;
}

/** What received bytes are. */
export interface Judgment extends FileType {
  /** True if all of it arrived, and still it isn't as such a file should be. */
  readonly odd?: true;
  /** Why they aren't the result. */
  readonly problem?: FileProblem;
  /** The beginning of a text that isn't the result, without anything like a key: a service may quote it. */
  readonly text?: string;
  /** True if they're the result after all, and odd, once the service sends the same again. */
  readonly isResultAgain?: true;
}

/**
 * The one judge of what a service sends as a result. By what was ordered, the bytes are the result, or something else:
 * an image is never a text, and nothing but a text model's response is a web page. Where all bytes of a stated length
 * arrived, an image is complete however it ends; without one, its own end shows that it wasn't cut (`isLengthKnown`).
 * Throws FileProblem `emptyFile`.
 */
export function judged(ends: Ends, ordered: Ordered, isLengthKnown: boolean): Judgment {
  if (ends.length === 0) throw new FileProblem('emptyFile', '0 bytes arrived');
  const found = sniff(ends.head);
  const isUnknownImage = found.mediaType === 'application/octet-stream' && ordered.kind === 'image';
  // With control characters, a text is none that could be saved as one.
  const isText = found.mediaType === 'text/plain' || (isUnknownImage && isUnicode(ends.head));
  if (isText) return { ...found, ...textProblem(ends, ordered) };
  const isCut = isWhole(found.mediaType, ends.head, ends.tail, ends.length) === 'cut';
  if (isCut && isLengthKnown) return { ...found, odd: true };
  if (!isCut && !isUnknownImage) return found;
  const detail = `${found.mediaType} of ${ends.length} bytes, without its ${isCut ? 'end' : 'format'}`;
  return { ...found, problem: new FileProblem('cutFile', detail), isResultAgain: true };
}

function isUnicode(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    // Not text.
    return false;
  }
}

/** How much of a text is told, characters. */
const maxExcerpt = 300;
/** The longest JSON that may be an error instead of a result, bytes. */
const mostOfError = 8 * 1024;

/** Why a text isn't the result. */
function textProblem({ head, length }: Ends, { kind, type = '' }: Ordered): Partial<Judgment> {
  const text = redact(new TextDecoder().decode(head));
  const isResultAgain = kind === 'text' || undefined;
  const isPage = /^\s*(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype\s+html|html)\b/i.test(text);
  if (isPage) return kind === 'text' ? {} : { problem: new FileProblem('webPage', `${length} bytes of ${type}`), text };
  const isOther = /^\s*data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text) || (length <= mostOfError && isError(text));
  const isForImage = kind === 'image' || (kind === undefined && /^\s*(image|audio|video)\//i.test(type));
  if (!isOther && !isForImage) return {};
  return { problem: new FileProblem('notResult', text.trim().slice(0, maxExcerpt)), text, isResultAgain };
}

/** True for JSON that says what went wrong, or that there's nothing yet. */
function isError(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    const names = Object.keys(JSON.parse(text) as object).map((name) => name.toLowerCase());
    return names.some((name) => signs.has(name));
  } catch {
    // Not JSON.
    return false;
  }
}

const signs: ReadonlySet<string> = new Set(['error', 'errors', 'code', 'detail', 'message', 'status', 'statuscode']);

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
