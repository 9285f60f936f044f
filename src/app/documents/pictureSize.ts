import { disableTypes, imageSize, types } from 'image-size';
import type { Size } from '../../documents/shape';
import { mostParts } from '../../files/carrier';

// The formats that a page shows and whose header is read without following what the bytes point to.
const read: ReadonlySet<string> = new Set(['png', 'jpg', 'gif', 'webp', 'svg']);
disableTypes(types.filter((type) => !read.has(type)));

/** The largest picture whose size is looked for, bytes: the editor reads all of a file. */
export const largestPicture = 256 * 1024 * 1024;

/** The header of a photograph lies within these bytes, also behind the metadata of a camera. */
const photoBytes = 1024 * 1024;
/**
 * Any other, and the root element of a drawing. That's searched for as text, which takes longer the more there is of
 * it.
 */
const headerBytes = 8 * 1024;

/** The size in which a picture is shown. Undefined if it can't be read. The time it takes is bounded for any bytes. */
export function pictureSize(bytes: Uint8Array): Size | undefined {
  try {
    const header = bytes.subarray(0, Math.max(headerBytes, endOfSegments(bytes.subarray(0, photoBytes))));
    // A copy, as the reader looks beyond the end of a view.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(header));
    if (!isSide(width) || !isSide(height)) return undefined;
    // From the fifth orientation on, a picture lies on its side.
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    // Another format, or cut off.
    return undefined;
  }
}

/**
 * How far the segments of a photograph follow one another; 0 for others. The reader looks through anything else byte by
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

/** Up to the scan, and without the bytes that may fill the space between segments. */
function isSegment(marker: number): boolean {
  return marker > 0xff00 && marker < 0xffff && marker !== 0xffda;
}

/** A drawing can state anything, and a broken picture 0. */
function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0;
}
