import { fileKey } from './sameFile';

/** A document that is open in the editor. */
interface OpenDocument {
  readonly uri: { toString(): string };
  readonly isDirty: boolean;
}

/**
 * True when the file (URI) is open with edits that are not saved: what is put in its place on disk would lose to them,
 * or they to it.
 */
export function hasUnsavedEdits(file: string, documents: readonly OpenDocument[]): boolean {
  const key = fileKey(file);
  return documents.some(({ uri, isDirty }) => isDirty && fileKey(uri.toString()) === key);
}
