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
 * Where the passage stands in the document now. `gone` when its text is nowhere, `several` when nothing says which of the places with its
 * text is the one.
 */
export function findPassage(document: string, { before, text, after }: Passage): Span | 'gone' | 'several' {
  const places = new Set<number>();
  // All above it is as it was, or all below it: then there is no other place it could be.
  if (document.startsWith(before + text)) places.add(before.length);
  if (document.endsWith(text + after)) places.add(document.length - after.length - text.length);
  if (places.size === 0) for (const place of twoPlaces(document, text)) places.add(place);
  const [start] = places;
  if (start === undefined) return 'gone';
  return places.size > 1 ? 'several' : { start, end: start + text.length };
}

/** The edit that puts an answer in the place of a passage; the white space around the passage stays. */
export function replacing(document: string, { start, end }: Span, answer: string): Edit {
  const text = document.slice(start, end);
  const lead = /^\s*/.exec(text)?.[0] ?? '';
  const trail = /\s*$/.exec(text.slice(lead.length))?.[0] ?? '';
  return { start: start + lead.length, end: end - trail.length, text: answer.trim() };
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

/** The first and the last place of a text: the same where it is in one place alone. */
function twoPlaces(document: string, text: string): readonly number[] {
  return [document.indexOf(text), document.lastIndexOf(text)].filter((place) => place >= 0);
}
