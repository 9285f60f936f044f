/** A place for a link to a result: at the cursor in a document of an open folder, after the selection. */
export interface LinkPlace {
  /** URI of the document. */
  readonly uri: string;
  /** The document's file name. */
  readonly name: string;
  /** The cursor's line, counted from 1. */
  readonly line: number;
  /** The cursor's offset in that line, in UTF-16 code units. */
  readonly character: number;
  /** The text of that line. A link is inserted only where the line still reads like this. */
  readonly text: string;
}
