/** Images among the inputs of a render: their bytes are kept elsewhere. */

import { isObject, type Json, type JsonObject } from './json';

/**
 * An image given as an input. Everything but the request itself holds this instead of the image's bytes: orders,
 * records, drafts, and metadata.
 */
export type GivenImage = {
  /** Where it's from: a path in the workspace, or just a name. Empty if it came as a data address. */
  readonly file: string;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
  /** Its media type, as sniffed from the bytes. */
  readonly type: string;
  /** Its size. */
  readonly bytes: number;
  /** Sent as bare base64, as the field states; as a data address otherwise. */
  readonly encoding?: 'base64';
};

/** The largest image that can be given, bytes, whatever a field states: what we hold in memory at most. */
export const largestGivenImage = 32_000_000;

/** True for an object with exactly the properties of a given image. */
export function isGivenImage(value: unknown): value is GivenImage {
  if (!isObject(value)) return false;
  const { file, sha256, type, bytes, encoding, ...others } = value;
  return (
    typeof file === 'string' &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof type === 'string' &&
    Number.isSafeInteger(bytes) &&
    (encoding === undefined || encoding === 'base64') &&
    Object.keys(others).length === 0
  );
}

/** The values of an input: of a list each of its own, else the one. An input for images takes one or several. */
export function itemsOf(input: Json | undefined): readonly Json[] {
  if (input === undefined) return [];
  return Array.isArray(input) ? (input as readonly Json[]) : [input];
}

/** The input with each of its values changed, a list as a list. */
export function withItems(input: Json, change: (item: Json, index: number) => Json): Json {
  return replacedItems(input, itemsOf(input).map(change));
}

/** These values in place of the input's own, a list as a list. */
export function replacedItems(input: Json, items: readonly Json[]): Json {
  return Array.isArray(input) ? items : (items[0] ?? null);
}

/** True for an input that is a given image, or a list with one. */
export function hasGivenImage(input: Json | undefined): boolean {
  return itemsOf(input).some(isGivenImage);
}

/** The images among inputs. */
export function givenImagesIn(inputs: JsonObject): GivenImage[] {
  return Object.values(inputs).flatMap((input) => itemsOf(input).filter(isGivenImage));
}

/** Bytes as base64 in a data address (`data:image/png;base64,…`); undefined for any other text. Tolerates no spaces. */
export function partsOfDataAddress(text: string): { readonly type: string; readonly base64: string } | undefined {
  if (!/^data:/i.test(text)) return undefined;
  const comma = text.indexOf(',');
  const [, type = '', parameters = ''] = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(text.slice(0, Math.max(0, comma))) ?? [];
  if (!/;base64$/i.test(parameters)) return undefined;
  return { type: type.toLowerCase(), base64: text.slice(comma + 1) };
}
