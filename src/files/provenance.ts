import type { Clock } from '../base/clock';
import { isObject, type JsonObject } from '../base/json';
import { redact } from '../base/log';
import type { Fit } from './fit/fit';
import type { Hashed } from './sameFile';
import { embeddedMetadataIn } from './embeddedMetadata';

/** How a result was made: what it takes to make it again with another API key. Contains no key. */
export interface Provenance {
  readonly modelId: string;
  /** As sent, without texts if `promptLeftOut`. */
  readonly inputs: JsonObject;
  readonly promptLeftOut?: boolean;
  /** Of all inputs as sent, if some are omitted; see `inputsSha256`. */
  readonly inputsSha256?: string;
  /** The size that the image was fitted to; undefined if it's as it came. */
  readonly fit?: Fit;
  /** True for a recipe that a user added later. How such a file was made is unknown. */
  readonly adopted?: boolean;
  /** The service's URL, or `sandbox`; undefined if it's private. */
  readonly service?: string;
  readonly generationId?: string;
  /** Charged according to the service, euro cents. */
  readonly costCents?: number;
  /** When it was ordered, ms since 1970. */
  readonly orderedAt?: number;
  /** The program that wrote this, with its version. */
  readonly tool?: string;
  /** Hexadecimal. In a sidecar file: of the complete file; embedded: of everything but the XMP. */
  readonly sha256?: string;
}

/** The name of the built-in service. */
export const sandboxService = 'sandbox';

/** The suffix of a sidecar file's name. */
export const sidecarEnding = '.render.json';

/** Identifies our files among other JSON, and their version. */
const layout = 1;

/** As one line of JSON that XML can hold; `indent` formats it for people. */
export function writeProvenance(provenance: Provenance, indent?: number): string {
  const { orderedAt, ...facts } = provenance;
  const written = { modelCatalogRender: layout, ...facts, orderedAt: dateText(orderedAt) };
  return redact(JSON.stringify(written, undefined, indent)).replace(/[\ufffe\uffff]/g, escaped);
}

/** A time (ms since 1970) in ISO format; undefined if it's out of range. */
export function dateText(ms = NaN): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A file's own record of how it was made, if any. Anyone may have written it, so every text in it is foreign. */
export function readProvenance(text: string): Provenance | undefined {
  const json = parsed(text);
  if (!isObject(json) || typeof json.modelCatalogRender !== 'number') return undefined;
  const { modelId, inputs, costCents, orderedAt } = json;
  if (typeof modelId !== 'string' || !isObject(inputs) || !isWithin(inputs, deepest)) return undefined;
  const time = typeof orderedAt === 'string' ? Date.parse(orderedAt) : NaN;
  return {
    modelId,
    inputs: inputs as JsonObject,
    promptLeftOut: json.promptLeftOut === true,
    ...(stringOf(json.inputsSha256) && { inputsSha256: stringOf(json.inputsSha256) }),
    ...(isObject(json.fit) && { fit: fitOf(json.fit) }),
    ...(json.adopted === true && { adopted: true }),
    service: stringOf(json.service),
    generationId: stringOf(json.generationId),
    costCents: Number.isSafeInteger(costCents) ? (costCents as number) : undefined,
    orderedAt: Number.isNaN(time) ? undefined : time,
    tool: stringOf(json.tool),
    sha256: stringOf(json.sha256),
  };
}

function fitOf({ width, height, mode }: Readonly<Record<string, unknown>>): Fit | undefined {
  if (mode !== 'cover' && mode !== 'contain') return undefined;
  return { width: sideOf(width), height: sideOf(height), mode };
}

function sideOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** No model takes deeper inputs, and recursive code must not get arbitrarily deep ones. */
const deepest = 64;

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

/** This many values, possibly nested, take a few ms to parse. */
const mostValues = 20_000;

const codes = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b } as const;

/** Whether a JSON text has more values than `mostValues`, ignoring the insides of strings. */
function hasTooMany(text: string): boolean {
  let [values, isInString] = [0, false];
  for (let at = 0; at < text.length && values <= mostValues; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) isInString = !isInString;
    else if (isInString && code === codes.backslash) at += 1;
    else if (!isInString && (code === codes.comma || code === codes.bracket || code === codes.brace)) values += 1;
  }
  return values > mostValues;
}

function parsed(text: string): unknown {
  if (hasTooMany(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON.
    return undefined;
  }
}

/** The largest file that is read, bytes. */
export const largestFile = 256 * 1024 * 1024;
/** The largest sidecar file that is read, bytes: that never blocks for 50 ms. */
export const largestSidecar = 4 * 1024 * 1024;

/** Metadata of a file, embedded or in its sidecar file. Anyone can have written it. */
export interface FileRecord {
  readonly provenance: Provenance;
  readonly where: 'inside' | 'beside';
}

/** The content that may include metadata. */
export interface Readable {
  /** Undefined if the file doesn't exist or is too large. */
  readonly whole: Hashed | undefined;
  /** The text of the sidecar file; undefined if there is none. */
  readonly beside: string | undefined;
}

/** Parts of a file that exist but can't be read: it's too large, or its sidecar file is too large or isn't one. */
export type Unread = 'largeFile' | 'largeSidecar' | 'brokenSidecar';

/** Metadata of a file, and whether the file still matches it. */
export interface FileMetadata {
  readonly record: FileRecord;
  /** Whether the file has changed since; `unknown` if its content isn't available. */
  readonly change: 'none' | 'changed' | 'unknown';
  /** Of the image without metadata; undefined if only the sidecar file has some. */
  readonly pictureSha256?: string;
}

/** Finds a file’s metadata; undefined if it has none. */
export async function fileMetadataOf({ whole, beside }: Readable, clock: Clock): Promise<FileMetadata | undefined> {
  const sha256 = whole?.sha256;
  const inside = whole && (await embeddedMetadataIn(whole.bytes, clock));
  const provenance = beside === undefined ? undefined : readProvenance(beside);
  const isOfThis = sha256 !== undefined && provenance?.sha256 === sha256;
  // An image made from another may have inherited that one's metadata.
  if (inside && (inside.isOfThis || !isOfThis)) {
    const own: FileRecord = { provenance: inside.provenance, where: 'inside' };
    return { record: own, change: inside.isOfThis ? 'none' : 'changed', pictureSha256: inside.pictureSha256 };
  }
  if (!provenance) return undefined;
  const change = sha256 === undefined ? 'unknown' : isOfThis ? 'none' : 'changed';
  return { record: { provenance, where: 'beside' }, change };
}
