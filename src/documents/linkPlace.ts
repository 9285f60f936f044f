/** The place for a link to a result: at the cursor of a document of an open folder, behind what is selected. */
export interface LinkPlace {
  /** URI of the document. */
  readonly uri: string;
  /** The document's file name. */
  readonly name: string;
  /** The cursor's line, from 1. */
  readonly line: number;
  /** How far in that line the cursor is, in UTF-16 code units. */
  readonly character: number;
  /** What the line says: elsewhere than in it, no link is inserted. */
  readonly text: string;
}
