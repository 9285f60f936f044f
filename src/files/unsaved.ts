import { fileKey } from './sameFile';

/** A document that is open in the editor. */
interface OpenDocument {
  readonly uri: { toString(): string };
  readonly isDirty: boolean;
}

/**
 * True when the file (URI) is open with unsaved changes: replacing it on disk would lose either those or the new
 * content.
 */
export function hasUnsavedEdits(file: string, documents: readonly OpenDocument[]): boolean {
  const key = fileKey(file);
  return documents.some(({ uri, isDirty }) => isDirty && fileKey(uri.toString()) === key);
}
