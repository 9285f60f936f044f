import { convertIndexedToRgb, decode, hasPngSignature } from 'fast-png';
import type { Image } from './art/artist';
import type { ImageField, Inputs } from './fields';
import { say, type Sentence } from './problem';

/** Why a value can't be a field's image; undefined if it can. Only its header is read: damage shows when it's drawn. */
export function imageFault(
  { accept, maxBytes, maxWidth, maxHeight }: Omit<ImageField, 'type'>,
  value: unknown,
): Sentence | undefined {
  if (typeof value !== 'string') return say('must be a data URL.');
  if (!/^data:/i.test(value)) return say('must be a data URL, because the sandbox fetches nothing.');
  const type = accept.find((accepted) => value.startsWith(`data:${accepted};base64,`));
  if (type === undefined) return say('must be a base64 data URL of {0}.', accept.join(', '));
  const bytes = bytesIn(value);
  if (bytes.length > maxBytes) return say('must have at most {0} bytes.', maxBytes);
  if (bytes.length < 33 || !hasPngSignature(bytes)) return say('isn’t a PNG.');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > maxWidth || height > maxHeight
    ? say('must have at most {0} × {1} pixels.', maxWidth, maxHeight)
    : undefined;
}

/** The pixels of an image that was given as a data address. Throws if it's damaged. */
export function imageIn(address: Inputs[string] | undefined): Image {
  return pixelsIn(bytesIn(String(address)));
}

/** The pixels of a PNG. Throws if it's damaged. */
export function pixelsIn(bytes: Uint8Array): Image {
  const png = decode(bytes);
  const { width, height } = png;
  const isIndexed = png.palette !== undefined;
  const data = isIndexed ? convertIndexedToRgb(png) : png.data;
  const channels = isIndexed ? (png.palette?.[0]?.length ?? 3) : png.channels;
  if (!isIndexed && png.depth < 8)
    throw new Error(say('A PNG of fewer than 8 bits a channel can’t be read here.').english);
  const most = isIndexed || png.depth === 8 ? 255 : 65535;
  const at: Image['at'] = (x, y) => {
    const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
    const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
    const i = (row * width + column) * channels;
    const value = (offset: number) => (data[i + offset] ?? 0) / most;
    const alpha = channels === 2 ? value(1) : channels === 4 ? value(3) : 1;
    const shown = (offset: number) => value(offset) * alpha + 1 - alpha;
    return channels < 3 ? [shown(0), shown(0), shown(0)] : [shown(0), shown(1), shown(2)];
  };
  return { width, height, at };
}

/** Inputs without the images among them, which would make lists of renders endless. */
export function withoutImages<Value>(inputs: Readonly<Record<string, Value>>): Record<string, Value> {
  const isImage = (value: unknown) => typeof value === 'string' && /^data:image\//i.test(value);
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => !(Array.isArray(value) ? value.some(isImage) : isImage(value))),
  );
}

function bytesIn(address: string): Buffer {
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}
