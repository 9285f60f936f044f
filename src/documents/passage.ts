import type { Edit, Span } from './scan';

/** A part of a document at an earlier time, with everything around it. */
export interface Passage {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export function passageOf(document: string, { start, end }: Span): Passage {
  return { before: document.slice(0, start), text: document.slice(start, end), after: document.slice(end) };
}

/** The selections, in the order they were made, that contain more than white space. Each is a passage. */
export function spansWithText(document: string, selections: readonly Span[]): readonly Span[] {
  return selections.filter(({ start, end }) => document.slice(start, end).trim() !== '');
}

/** How much text on each side distinguishes a passage from others with the same text, in characters. */
const near = 20;
/** From this length, the text alone identifies a passage, in characters. */
const long = 40;
/** Shorter texts, including their surroundings, may occur in any document, in characters. */
const telling = 12;
/** Passages that occur more often aren't distinguished: in a long run of one character, that would take forever. */
const mostPlaces = 100;

/**
 * Where the passage is in the document now, if that's certain. `gone` if its text no longer occurs, `unsure` if a match
 * may be a different passage.
 */
export function findPassage(document: string, passage: Passage): Span | 'gone' | 'unsure' {
  const { before, text, after } = passage;
  if (document === before + text + after) return { start: before.length, end: before.length + text.length };
  const start = placeOf(document, passage, near) ?? (text.length < long ? undefined : placeOf(document, passage, 0));
  if (start !== undefined) return { start, end: start + text.length };
  return document.includes(text) ? 'unsure' : 'gone';
}

/** The offset of the passage, by its text and surroundings; undefined if uncertain. */
function placeOf(document: string, { before, text, after }: Passage, margin: number): number | undefined {
  const lead = before.slice(Math.max(0, before.length - margin));
  const tail = after.slice(0, margin);
  const whole = lead + text + tail;
  if (whole.length < telling) return undefined;
  const original = before + text + after;
  const origin = before.length - lead.length;
  const [then, now] = [placesOf(original, whole), placesOf(document, whole)];
  if (then.length > mostPlaces || now.length > mostPlaces) return undefined;
  const place = now[then.indexOf(origin)];
  // With one more or one fewer, any of them could be it.
  if (place === undefined || now.length !== then.length) return undefined;
  // `cat` isn't what it was inside `catamaran`.
  for (const edge of [0, whole.length])
    if (isInWord(document, place + edge) && !isInWord(original, origin + edge)) return undefined;
  const start = place + lead.length;
  const isSameAbove = start === before.length && document.startsWith(before);
  const isSameBelow = document.length - start - text.length === after.length && document.endsWith(after);
  // Next to the document's start or end there is less to know it by, so a copy of it is more likely.
  const isOnly = now.length === 1 && lead.length === margin && tail.length === margin;
  return isOnly || isSameAbove || isSameBelow ? start : undefined;
}

/** Returns at most one more than are compared. */
function placesOf(document: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = document.indexOf(text); at >= 0 && places.length <= mostPlaces; at = document.indexOf(text, at + 1))
    places.push(at);
  return places;
}

/** Whether the offset is between two letters of a word. */
function isInWord(document: string, at: number): boolean {
  return /^[\p{L}\p{M}\p{N}_]{2}$/u.test(document.slice(Math.max(0, at - 1), at + 1));
}

/** The edit that replaces a passage with a response and keeps the white space around it. */
export function replacedPassage(document: string, { start, end }: Span, answer: string): Edit {
  const text = document.slice(start, end);
  const lead = text.length - text.trimStart().length;
  const trail = text.trimStart().length - text.trim().length;
  return { start: start + lead, end: end - trail, text: answer.trim() };
}

/** The edit that inserts a response below a passage, set off by blank lines. */
export function insertingBelow(document: string, { start, end }: Span, answer: string): Edit {
  const last = start + document.slice(start, end).trimEnd().length;
  const rest = document.slice(last);
  const lineEnd = rest.search(/\r?\n|$/);
  const nextLine = /^\r?\n(.*)/.exec(rest.slice(lineEnd))?.[1] ?? '';
  const at = last + lineEnd;
  return { start: at, end: at, text: `\n\n${answer.trim()}${nextLine.trim() === '' ? '' : '\n'}` };
}

/** The document after an edit. */
export function edited(document: string, { start, end, text }: Edit): string {
  return document.slice(0, start) + text + document.slice(end);
}
