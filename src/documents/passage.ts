import type { Edit, Span } from './span';

/** A part of a document as it once was, with all that stood around it. */
export interface Passage {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export function passageOf(document: string, { start, end }: Span): Passage {
  return { before: document.slice(0, start), text: document.slice(start, end), after: document.slice(end) };
}

/**
 * Those of the selections (in the order they were made) that hold more than white space: each is a passage of its own.
 */
export function spansWithText(document: string, selections: readonly Span[]): readonly Span[] {
  return selections.filter(({ start, end }) => document.slice(start, end).trim() !== '');
}

/** How much on each side of a passage tells it from another with the same text, characters. */
const near = 20;
/** A passage of this length is distinguished by its text alone, characters. */
const long = 40;
/** Shorter texts, including all that is near them, may occur in any document, characters. */
const telling = 12;
/** Passages in more places than this aren't told apart: in a long run of one thing it would take for ever. */
const mostPlaces = 100;

/**
 * The place of the passage in the document now, when that is certain. `gone` when its text is nowhere, `unsure` when a
 * place with its text may be another one.
 */
export function findPassage(document: string, passage: Passage): Span | 'gone' | 'unsure' {
  const { before, text, after } = passage;
  if (document === before + text + after) return { start: before.length, end: before.length + text.length };
  const start = placeOf(document, passage, near) ?? (text.length < long ? undefined : placeOf(document, passage, 0));
  if (start !== undefined) return { start, end: start + text.length };
  return document.includes(text) ? 'unsure' : 'gone';
}

/** The offset of the passage, by its text and what is near it; undefined when that is not certain. */
function placeOf(document: string, { before, text, after }: Passage, margin: number): number | undefined {
  const lead = before.slice(Math.max(0, before.length - margin));
  const whole = lead + text + after.slice(0, margin);
  if (whole.length < telling) return undefined;
  const original = before + text + after;
  const origin = before.length - lead.length;
  const [then, now] = [placesOf(original, whole), placesOf(document, whole)];
  if (then.length > mostPlaces || now.length > mostPlaces) return undefined;
  const place = now[then.indexOf(origin)];
  // One more or one less, and nobody knows which of them it is.
  if (place === undefined || now.length !== then.length) return undefined;
  // `cat` is not what it was in `catamaran`.
  for (const edge of [0, whole.length])
    if (isInWord(document, place + edge) && !isInWord(original, origin + edge)) return undefined;
  const start = place + lead.length;
  const isSameAbove = start === before.length && document.startsWith(before);
  const isSameBelow = document.length - start - text.length === after.length && document.endsWith(after);
  return now.length === 1 || isSameAbove || isSameBelow ? start : undefined;
}

/** At most one more than anybody looks at. */
function placesOf(document: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = document.indexOf(text); at >= 0 && places.length <= mostPlaces; at = document.indexOf(text, at + 1))
    places.push(at);
  return places;
}

/** True between two letters of a word. */
function isInWord(document: string, at: number): boolean {
  return /^[\p{L}\p{M}\p{N}_]{2}$/u.test(document.slice(Math.max(0, at - 1), at + 1));
}

/** The edit that puts an answer in the place of a passage; the white space around the passage stays. */
export function replacing(document: string, { start, end }: Span, answer: string): Edit {
  const text = document.slice(start, end);
  const lead = text.length - text.trimStart().length;
  const trail = text.trimStart().length - text.trim().length;
  return { start: start + lead, end: end - trail, text: answer.trim() };
}

/** The edit that puts an answer on lines of its own below a passage, set off by blank lines. */
export function insertingBelow(document: string, { start, end }: Span, answer: string): Edit {
  const last = start + document.slice(start, end).trimEnd().length;
  const rest = document.slice(last);
  const lineEnd = rest.search(/\r?\n|$/);
  const nextLine = /^\r?\n(.*)/.exec(rest.slice(lineEnd))?.[1] ?? '';
  const at = last + lineEnd;
  return { start: at, end: at, text: `\n\n${answer.trim()}${nextLine.trim() === '' ? '' : '\n'}` };
}

/** The document as an edit leaves it. */
export function edited(document: string, { start, end, text }: Edit): string {
  return document.slice(0, start) + text + document.slice(end);
}
