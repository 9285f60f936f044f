/** A part of a document from `start` up to but excluding `end`, in UTF-16 code units like an editor's `offsetAt`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as written in a document, without quotes; `text` is its decoded value. */
export interface Written extends Span {
  readonly text: string;
}

/** A change to a document: `text` replaces the span. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text in a span. */
export function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}
