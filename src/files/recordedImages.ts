import { createHash } from 'node:crypto';
import {
  type GivenImage,
  hasGivenImage,
  isGivenImage,
  itemsOf,
  partsOfDataAddress,
  withItems,
} from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';
import type { Provenance } from './provenance';

/**
 * Inputs as they're recorded and shown: the one rule that no image's bytes are among them. A data address becomes what
 * is known of its image; images that were given by hash are that already.
 */
export function recordedImages(inputs: JsonObject): JsonObject {
  return holdsBytes(inputs) ? (withoutBytes(inputs) as JsonObject) : inputs;
}

/** True if there are images among the inputs, in whatever form. */
export function holdsImages(inputs: JsonObject): boolean {
  return some(inputs, (value) => isGivenImage(value) || isBytes(value));
}

/**
 * True if an object among the inputs stands for an image by its hash. Hashes are public, so only our own UI gives
 * images like this: anybody else could name one that a user gave elsewhere.
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

function withoutBytes(value: Json): Json {
  if (typeof value === 'string') return imageInAddress(value)?.image ?? value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}

/** The inputs as metadata records them: as they may be published, and with or without their texts. */
export function recordedInputs(
  sent: JsonObject,
  isPromptRecorded: boolean,
): Pick<Provenance, 'inputs' | 'promptLeftOut' | 'inputsSha256'> {
  const inputs = published(recordedImages(sent)) as JsonObject;
  if (isPromptRecorded) return { inputs };
  return { inputs: withoutTexts(inputs), promptLeftOut: true, inputsSha256: inputsSha256(inputs) };
}

/**
 * A value as whoever gets a file may read it: of a URL its origin and path, since the rest may let anyone in, and of a
 * path that leads out of the project only the file's name.
 */
export function published(value: Json): Json {
  if (typeof value === 'string') return URL.canParse(value) ? publishedUrl(value) : publishedPath(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(published);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, published(inner)]));
}

/** The same text unless it's the URL of a place. */
function publishedUrl(text: string): string {
  if (/^(?:file:|[a-z]:[\\/])/i.test(text)) return nameIn(text);
  const [, scheme, place] = /^\s*([a-z][\w+.-]*:\/\/)(?:[^/?#@]*@)?([^?#\s]*)(?:[?#]\S*)?\s*$/i.exec(text) ?? [];
  return scheme === undefined ? text : `${scheme}${place}`;
}

/** The same text unless it's a path that starts outside the project, and leads to a file with an extension. */
function publishedPath(text: string): string {
  return /^(?:~?[\\/]|\.\.[\\/])[^\n]*[^\s\\/]\.\w{1,5}$/.test(text) ? nameIn(text) : text;
}

function nameIn(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * The SHA-256, hexadecimal, of the canonical JSON of inputs: names sorted, no white space. It shows whether inputs are
 * the same: an image counts by its bytes, wherever it's from. Nobody can read them back from it, but whoever guesses
 * them exactly can see that the guess is right.
 */
export function inputsSha256(inputs: JsonObject): string {
  const counted = (item: Json) => (isGivenImage(item) ? { sha256: item.sha256 } : published(item));
  const hashed = Object.entries(recordedImages(inputs)).map(([name, value]) => [name, withItems(value, counted)]);
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(hashed) as JsonObject))
    .digest('hex');
}

/** JSON in the one form that the same value always has. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`).join()}}`;
}

/** Names of inputs whose text is an option from a list, so not written by a user. */
const chosen = /size|ratio|aspect|resolution|format|quality|style|mode|sampler|scheduler|language|voice/i;

/**
 * Removes what a user may have written: keeps numbers, single words of inputs that are picked from a list, and which
 * image was given, without the name of its file.
 */
export function withoutTexts(inputs: JsonObject): JsonObject {
  const nameless = (item: Json) => (isGivenImage(item) ? { ...item, file: '' } : item);
  const kept = Object.entries(inputs).filter(([name, value]) => isImages(value) || isNobodysText(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, withItems(value, nameless)]));
}

/** True for an image, or a list of nothing but images: a URL may be anybody's words. */
function isImages(input: Json): boolean {
  return hasGivenImage(input) && itemsOf(input).every(isGivenImage);
}

function isNobodysText(name: string, value: Json): boolean {
  if (name === 'prompt') return false;
  if (typeof value === 'string')
    return /^[\d.:x%+-]*$/.test(value) || (chosen.test(name) && /^[\w-]{1,24}$/.test(value));
  return typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isNoText));
}

function isNoText(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
