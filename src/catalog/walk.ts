import type { Shape } from './shape';

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
        const innerWords = typeof name === 'number' ? words : wordsOf(name);
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
export function wordsOf(name: string): readonly string[] {
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
