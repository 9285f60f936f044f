import { promptOf } from '../../../catalog/fields';
import { isForFolders } from '../../../compose/earlierPrompts';
import type { LibraryEntry } from '../../../renders/library';

/** How many prompts an empty form offers. */
export const mostExamples = 3;

/**
 * Saved images that the model made for these folders (URIs), each of another prompt, the latest first. They come from
 * the render history, so what is forgotten there isn't among them.
 */
export function earlierImages(
  entries: readonly LibraryEntry[],
  roots: readonly string[],
  modelId: string,
): readonly LibraryEntry[] {
  const images = new Map<string, LibraryEntry>();
  for (const entry of entries) {
    if (images.size === mostExamples) break;
    const { record, file, mediaType } = entry;
    const isImage = file !== undefined && mediaType?.startsWith('image/') === true;
    // A record of large inputs has only their beginnings; a staged image isn't accepted yet.
    if (entry.modelId !== modelId || !isImage || !record || record.isApart || record.staged) continue;
    const prompt = promptOf(undefined, record.inputs).trim();
    if (prompt !== '' && !images.has(prompt) && isForFolders(record, roots)) images.set(prompt, entry);
  }
  return [...images.values()];
}
