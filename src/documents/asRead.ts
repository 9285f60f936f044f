import type { Edit } from './span';

/** Edits of a document, with offsets into the version that was read. */
export interface ReadEdits<Document> {
  readonly document: Document;
  readonly version: number;
  readonly edits: readonly Edit[];
}

/** How often a document that keeps changing is read again. */
const mostReads = 5;

/**
 * Reads what to edit, and applies it in the same step that confirms nothing has changed since, so an offset from before
 * somebody typed is never used. Resolves with false if that wasn't possible or was rejected; nothing has changed then.
 * Rejects as `read` and `apply` do.
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
