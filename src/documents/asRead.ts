import type { Edit } from './span';

/** Edits of a document, whose places are those it had with that version. */
export interface ReadEdits<Document> {
  readonly document: Document;
  readonly version: number;
  readonly edits: readonly Edit[];
}

/** How often documents that change meanwhile are read again. */
const mostReads = 5;

/**
 * Reads what is to be edited and applies it in the very step in which all of it is seen to be as it was read: an offset
 * from before somebody typed is never used. Resolves with false when that could not be, or was refused; then nothing
 * was changed. Rejects as `read` and `apply` do.
 */
export async function editAsRead<Document extends { readonly version: number }>(
  read: () => Promise<readonly ReadEdits<Document>[]>,
  apply: (read: readonly ReadEdits<Document>[]) => PromiseLike<boolean>,
): Promise<boolean> {
  for (let reads = 0; reads < mostReads; reads++) {
    const found = await read();
    if (found.every(({ document, version }) => document.version === version) && (await apply(found))) return true;
  }
  return false;
}
