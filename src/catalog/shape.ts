import { isObject, type Json } from '../base/json';
import { ServiceError } from './errors';

/** An object as received, before its meaning is known. */
export type Shape = Readonly<Record<string, unknown>>;

/** The value of the first of these names that the object itself has; null counts as none. */
export function pick(shape: Shape, names: readonly string[]): unknown {
  for (const name of names) {
    if (Object.hasOwn(shape, name) && shape[name] !== null && shape[name] !== undefined) return shape[name];
  }
  return undefined;
}

/** As `pick`, the first that is an object. */
export function pickObject(shape: Shape, names: readonly string[]): Shape | undefined {
  for (const name of names) {
    if (Object.hasOwn(shape, name) && isObject(shape[name])) return shape[name];
  }
  return undefined;
}

/** As `pick`, the first that is a non-empty text. */
export function pickText(shape: Shape, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** A number, also one written as text. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * An amount in cents: a whole number, not negative. Money isn't read from texts or fractions.
 */
export function readCents(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** True for an ID that can be part of a request: not empty, at most 1 KiB, no control characters, no dot segment. */
export function isUsableId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    value.length <= 1024 &&
    // Half of a surrogate pair (Cs) can't be percent-encoded. Plain ASCII, the usual case, is checked faster.
    (/^[ -~]*$/.test(value) || !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value))
  );
}

/** The most values in a part of a response that is kept as is. */
const mostKept = 50_000;

/**
 * Parsed JSON that later code can walk and serialize; undefined if it nests too deep for the stack, or has more values
 * than can be gone through in one piece.
 */
export function readJson(value: unknown): Json | undefined {
  const left = { values: mostKept };
  return value !== undefined && nestsWithin(value, 100, left) ? (value as Json) : undefined;
}

/** The error for a 2xx whose body isn't what the specification says. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable', `Couldn’t read the response: ${what}`);
}

function nestsWithin(value: unknown, levels: number, left: { values: number }): boolean {
  left.values--;
  if (typeof value !== 'object' || value === null) return true;
  const inside = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  return levels > 0 && inside.length <= left.values && inside.every((inner) => nestsWithin(inner, levels - 1, left));
}

/** An object on the way from the response down to a value. */
export interface WalkPlace {
  /** The words of its name; none for the response itself. */
  readonly words: readonly string[];
  /** It's one of several in a list. */
  readonly among: boolean;
  /** The object itself. */
  readonly value: unknown;
  readonly up?: WalkPlace;
}

/** One name with its value, wherever in the response it is. The elements of a list have the list's name. */
export interface WalkEntry {
  readonly words: readonly string[];
  readonly value: unknown;
  readonly place: WalkPlace;
}

export interface Walk {
  readonly entries: readonly WalkEntry[];
  /** The response contains more than was read. */
  readonly cut: boolean;
}

const deepest = 24;
const most = 10_000;

/**
 * Every name and value of a response, the outer ones first: at most 24 levels and 10,000 of them, without the values of
 * names in `skipped` (words in lower case, joined), and without what is inside of those in `closed`.
 */
export function walk(json: unknown, skipped: ReadonlySet<string>, closed: ReadonlySet<string> = new Set()): Walk {
  const entries: WalkEntry[] = [];
  let level: readonly WalkEntry[] = [{ words: [], value: json, place: { words: [], among: false, value: json } }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: WalkEntry[] = [];
    for (const { words, value, place } of level) {
      if (typeof value !== 'object' || value === null) continue;
      const isList = Array.isArray(value);
      // A list may be too long to copy.
      for (const [name, inner] of isList ? (value as unknown[]).entries() : Object.entries(value as Shape)) {
        if (entries.length >= most || depth >= deepest) return { entries, cut: true };
        const innerWords = typeof name === 'number' ? words : wordsOfName(name);
        if (!isList && skipped.has(innerWords.join(''))) continue;
        const among = place.among || (isList && (value as unknown[]).length > 1);
        const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
        const entry = { words: innerWords, value: inner, place: isList ? { ...place, among } : place };
        entries.push(entry);
        if (closed.has(innerWords.join(''))) continue;
        next.push(isObject ? { ...entry, place: { words: innerWords, among, value: inner, up: place } } : entry);
      }
    }
    level = next;
  }
  return { entries, cut: false };
}

/** `costCents`, `cost_cents` and `costcents` are the words "cost" and "cents". */
export function wordsOfName(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => /^(.*?)(euro?)?(cents?)$/.exec(word)?.slice(1) ?? word)
    .filter(Boolean);
}

/** The object itself and those around it. */
export function* around(place: WalkPlace): Generator<WalkPlace> {
  for (let here: WalkPlace | undefined = place; here; here = here.up) yield here;
}
