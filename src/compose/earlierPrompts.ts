import { type ModelKind, promptOf } from '../catalog/fields';
import { madeKind } from '../renders/madeKind';
import type { LibraryEntry } from '../renders/library';
import type { RenderRecord } from '../renders/record';

/** How many are offered. */
const most = 40;

/**
 * The prompts of renders for these folders (URIs), each once, the latest first: for models of a kind, without those of
 * results of another one. They come from the render history, so what is forgotten there isn't offered here.
 */
export function earlierPrompts(
  entries: readonly LibraryEntry[],
  roots: readonly string[],
  kind: ModelKind | undefined,
): string[] {
  const prompts = new Set<string>();
  for (const entry of entries) {
    if (prompts.size === most) break;
    const { record } = entry;
    // A record of large inputs has only their beginnings.
    if (!record || record.isApart || !isForFolders(record, roots)) continue;
    const made = madeKind(entry);
    if (kind !== undefined && made !== undefined && made !== kind) continue;
    const prompt = promptOf(undefined, record.inputs).trim();
    if (prompt !== '') prompts.add(prompt);
  }
  return [...prompts];
}

/** Whether a render is for one of these folders (URIs): without any, whether it was rendered without one. */
export function isForFolders({ target: { root } }: RenderRecord, roots: readonly string[]): boolean {
  return root === undefined ? roots.length === 0 : roots.includes(root);
}
