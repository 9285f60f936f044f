import { createHash } from 'node:crypto';
import { isGivenImage, partsOfDataAddress, type GivenImage } from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';

/**
 * Inputs as they're recorded and shown: the one rule that no image's bytes are among them. A data address becomes what
 * is known of its image; images that were given by hash are that already.
 */
export function recordedImages(inputs: JsonObject): JsonObject {
  return holdsBytes(inputs) ? (told(inputs) as JsonObject) : inputs;
}

/** True if there are images among the inputs, in whatever form. */
export function holdsImages(inputs: JsonObject): boolean {
  return some(inputs, (value) => isGivenImage(value) || isBytes(value));
}

/**
 * True if an object among the inputs stands for an image by its hash. Hashes are public, so only our own UI gives
 * images like this: anybody else could name one that a person gave elsewhere.
 */
export function namesKeptImage(inputs: JsonObject): boolean {
  return some(inputs, isGivenImage);
}

/** The image in a data address with base64; undefined for any other text. */
export function imageInAddress(address: string): { readonly image: GivenImage; readonly data: Buffer } | undefined {
  const parts = partsOfDataAddress(address);
  if (!parts) return undefined;
  const data = Buffer.from(parts.base64, 'base64');
  const sha256 = createHash('sha256').update(data).digest('hex');
  return { image: { file: '', sha256, type: parts.type || 'text/plain', bytes: data.length }, data };
}

/** The bytes of an image as it was sent, with or without the beginning of a data address. */
export function bytesIn(sent: Json | undefined): Buffer | undefined {
  if (typeof sent !== 'string') return undefined;
  return Buffer.from(partsOfDataAddress(sent)?.base64 ?? sent, 'base64');
}

/** True if two inputs are the same image: by its bytes, whatever its file is called, and however it’s given. */
export function isSameImage(one: Json | undefined, other: Json | undefined): boolean {
  const [hash, otherHash] = [hashOf(one), hashOf(other)];
  return hash !== undefined && hash === otherHash;
}

function hashOf(value: Json | undefined): string | undefined {
  if (isGivenImage(value)) return value.sha256;
  return typeof value === 'string' ? imageInAddress(value)?.image.sha256 : undefined;
}

function holdsBytes(inputs: JsonObject): boolean {
  return some(inputs, isBytes);
}

function isBytes(value: Json): boolean {
  return typeof value === 'string' && partsOfDataAddress(value) !== undefined;
}

function some(value: Json, is: (value: Json) => boolean): boolean {
  if (is(value)) return true;
  if (Array.isArray(value)) return (value as readonly Json[]).some((inner) => some(inner, is));
  return isObject(value) && Object.values(value).some((inner) => some(inner, is));
}

function told(value: Json): Json {
  if (typeof value === 'string') return imageInAddress(value)?.image ?? value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(told);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, told(inner)]));
}
