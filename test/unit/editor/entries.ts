import type { LibraryEntry } from '../../../src/renders/library';

let made = 0;

/** A saved render, with changes for a test. */
export function entry(change: Partial<LibraryEntry> & { readonly prompt?: string } = {}): LibraryEntry {
  const { prompt = 'a red kite', ...other } = change;
  return { id: `render-${++made}`, group: 'finished', state: 'saved', modelId: 'a/b/c', inputs: { prompt }, ...other };
}
