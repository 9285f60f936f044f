/**
 * A part of a document: from `start` up to and without `end`, in UTF-16 code units as an editor's `offsetAt` counts
 * them.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as written in a document, without its quotes; `text` is what it says, its escapes and entities read. */
export interface Written extends Span {
  readonly text: string;
}

/** A change of a document: `text` in the place of the span. */
export interface Edit extends Span {
  readonly text: string;
}

/** The characters of the document in a span. */
export function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}
