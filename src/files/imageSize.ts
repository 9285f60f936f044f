import { disableTypes, imageSize, types } from 'image-size';
import type { ImageFacts, ImageSize } from '../catalog/fields';
import { mostParts } from './carrier';

// Formats that a page shows and whose header can be read without following offsets in the bytes.
const read: ReadonlySet<string> = new Set(['png', 'jpg', 'gif', 'webp', 'svg']);
disableTypes(types.filter((type) => !read.has(type)));

/** The largest image whose size is determined, bytes: the editor reads the complete file. */
export const largestImage = 256 * 1024 * 1024;

/** A photo's header is within these bytes, even after a camera's metadata. */
const photoBytes = 1024 * 1024;
/**
 * The same for any other format, and for the root element of an SVG, which is searched for as text in time that grows
 * with its length.
 */
const headerBytes = 8 * 1024;

/** The size at which an image is displayed. Undefined if it can't be read. Takes bounded time for any bytes. */
export function displayedSize(bytes: Uint8Array): ImageSize | undefined {
  return shapeOf(bytes)?.size;
}

/** Its orientation is that of EXIF: 1 for an image that is stored as it's displayed. */
function shapeOf(bytes: Uint8Array): { readonly size: ImageSize; readonly orientation: number } | undefined {
  try {
    const header = bytes.subarray(0, Math.max(headerBytes, endOfSegments(bytes.subarray(0, photoBytes))));
    // A copy, since the library reads past the end of a view.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(header));
    if (!isSide(width) || !isSide(height)) return undefined;
    // Orientations from 5 on swap width and height.
    return { size: orientation > 4 ? { width: height, height: width } : { width, height }, orientation };
  } catch {
    // Another format, or truncated.
    return undefined;
  }
}

/** Formats whose size is always read, unless they're damaged: a JPEG may have it anywhere. */
const measured: ReadonlySet<string> = new Set(['image/png', 'image/gif', 'image/webp']);

/** What the bytes of an image of this media type say. Takes bounded time for any bytes. */
export function imageFacts(bytes: Uint8Array, type: string): ImageFacts {
  const { size, orientation = 1 } = shapeOf(bytes) ?? {};
  return {
    size,
    isDamaged: measured.has(type) && !size,
    isTurned: orientation > 1,
    isCmyk: isCmyk(bytes),
    isAnimated: isAnimated(bytes, type),
  };
}

/** A JPEG of four colors: those of a print, whichever way they're coded. */
function isCmyk(bytes: Uint8Array): boolean {
  for (const { start } of segmentsOf(bytes.subarray(0, photoBytes)))
    if (isFrame(bytes[start + 1])) return bytes[start + 9] === 4;
  return false;
}

/** A GIF is meant to move where a field takes it. */
function isAnimated(bytes: Uint8Array, type: string): boolean {
  const text = (from: number, length: number) => String.fromCharCode(...bytes.subarray(from, from + length));
  // The flag of an extended WebP.
  if (type === 'image/webp') return text(12, 4) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
  if (type !== 'image/png') return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // An animated PNG says so in a chunk before its image.
  for (let at = 8, parts = 0; at + 8 <= bytes.length && parts < mostParts; parts++) {
    const name = text(at + 4, 4);
    if (name === 'acTL' || name === 'IDAT') return name === 'acTL';
    at += 12 + view.getUint32(at);
  }
  return false;
}

/**
 * How far the segments of a JPEG are contiguous; 0 for other formats. Beyond that the library would search byte by
 * byte.
 */
function endOfSegments(bytes: Uint8Array): number {
  let last = isJpeg(bytes) ? 2 : 0;
  for (const { end } of segmentsOf(bytes)) last = end;
  return last;
}

/** The contiguous segments of a JPEG, by where they start and end; none for other formats. */
function* segmentsOf(bytes: Uint8Array): Generator<{ readonly start: number; readonly end: number }> {
  if (!isJpeg(bytes)) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = 2;
  for (let parts = 0; parts < mostParts && start + 4 <= bytes.length; parts++) {
    const length = view.getUint16(start + 2);
    if (!isSegment(view.getUint16(start)) || length < 2) return;
    yield { start, end: start + 2 + length };
    start += 2 + length;
  }
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/** True for the segment with an image's size and number of colors, whichever way it's compressed. */
function isFrame(marker: number | undefined): boolean {
  return marker !== undefined && marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Up to the scan, and without fill bytes between segments. */
function isSegment(marker: number): boolean {
  return marker > 0xff00 && marker < 0xffff && marker !== 0xffda;
}

/** An SVG can state anything, and a damaged image 0. */
function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0;
}
