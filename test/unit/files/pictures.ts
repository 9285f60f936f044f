import { encode } from 'fast-png';

/** A small complete PNG; the seed varies its bytes. */
export function png(seed = 0): Buffer {
  const data = Uint8Array.from({ length: 16 * 16 * 3 }, (_, i) => (i * 7 + seed) % 256);
  return Buffer.from(encode({ width: 16, height: 16, data, channels: 3 }));
}

/** The structure of a JPEG: a preview with its own end in the metadata, then a scan, then the end. */
export function jpeg(): Buffer {
  const preview = Buffer.from('ffd8ffdb0004aabbffd9', 'hex');
  const metadata = Buffer.concat([Buffer.from('ffe1', 'hex'), bigEndian(preview.length + 2), preview]);
  const scan = Buffer.concat([Buffer.from('ffda0003aa', 'hex'), Buffer.alloc(500, 0x55)]);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), metadata, scan, Buffer.from('ffd9', 'hex')]);
}

/** A one-pixel GIF. */
export function gif(): Buffer {
  return Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
}

/** A lossy one-pixel WebP. */
export function webp(): Buffer {
  return Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** A photo as encoders produce it: 8 by 6 pixels, with a JFIF header. */
export function photo(): Buffer {
  return Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAZEQACAwEAAAAAAAAAAAAAAAAAAQMxcUH/2gAMAwEAAhEDEQA/AIAB5OYi/FT1n//Z',
    'base64',
  );
}

/** The same image as a lossless WebP of odd length. */
export function losslessWebp(): Buffer {
  return Buffer.from('UklGRiQAAABXRUJQVlA4TBcAAAAvB0ABAA9ws+bPZP6Mef6DBx//j+h/jAA=', 'base64');
}

/** An extended WebP: one pixel, half transparent. */
export function transparentWebp(): Buffer {
  return Buffer.from(
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
    'base64',
  );
}

/** A JPEG whose metadata says to turn it by a quarter. */
export function turned(jpeg: Buffer): Buffer {
  const orientation = Buffer.from(
    '4949 2a00 0800 0000 0100 1201 0300 0100 0000 0600 0000 0000 0000'.replaceAll(' ', ''),
    'hex',
  );
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientation]);
  const length = Buffer.from([0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from('ffe1', 'hex'), length, exif, jpeg.subarray(2)]);
}

/** A JPEG that states four colors. */
export function inCmyk(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from('ffc0', 'hex'));
  if (frame < 0) throw new Error('This JPEG states no colors.');
  copy[frame + 9] = 4;
  return copy;
}
