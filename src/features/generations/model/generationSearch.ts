import { promptOf } from '../../../catalog/fields';
import type { LibraryEntry } from '../../../renders/library';
import { fileNameOf } from '../../../files/fileName';

/**
 * The renders whose prompt, model, file name, or agent contains every word of the query, in any spelling; all of them
 * for an empty query.
 */
export function searchGenerations(entries: readonly LibraryEntry[], query: string): readonly LibraryEntry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter((entry) => words.every((word) => textOf(entry).includes(word)));
}

/** The searched text, built once for each entry. */
const texts = new WeakMap<LibraryEntry, string>();

function textOf(entry: LibraryEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const { inputs, modelId = '', file, record } = entry;
    const name = file === undefined ? '' : fileNameOf(file);
    text = folded([promptOf(undefined, inputs), modelId, name, record?.agent ?? ''].join('\n'));
    texts.set(entry, text);
  }
  return text;
}

/** Normalizes text: case, wide forms, and composed accents make no difference. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
