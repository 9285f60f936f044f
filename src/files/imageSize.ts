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
  try {
    const header = bytes.subarray(0, Math.max(headerBytes, endOfSegments(bytes.subarray(0, photoBytes))));
    // A copy, since the library reads past the end of a view.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(header));
    if (!isSide(width) || !isSide(height)) return undefined;
    // Orientations from 5 on swap width and height.
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    // Another format, or truncated.
    return undefined;
  }
}

/** Formats whose size is always read, unless they're damaged: a JPEG may have it anywhere. */
const measured: ReadonlySet<string> = new Set(['image/png', 'image/gif', 'image/webp']);

/** What the bytes of an image of this media type say. Takes bounded time for any bytes. */
export function imageFacts(bytes: Uint8Array, type: string): ImageFacts {
  const size = displayedSize(bytes);
  return { size, isDamaged: measured.has(type) && !size, isAnimated: isAnimated(bytes, type) };
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 2 || view.getUint16(0) !== 0xffd8) return 0;
  let end = 2;
  for (let parts = 0; parts < mostParts && end + 4 <= bytes.length; parts++) {
    const length = view.getUint16(end + 2);
    if (!isSegment(view.getUint16(end)) || length < 2) break;
    end += 2 + length;
  }
  return end;
}

/** Up to the scan, and without fill bytes between segments. */
function isSegment(marker: number): boolean {
  return marker > 0xff00 && marker < 0xffff && marker !== 0xffda;
}

/** An SVG can state anything, and a damaged image 0. */
function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0;
}
