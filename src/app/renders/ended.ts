import type { Library, LibraryEntry } from '../../renders/library';

/** Resolves when nothing more is to come of the render by itself. */
export function ended(library: Pick<Library, 'ofRecord' | 'onDidChange'>, key: string): Promise<LibraryEntry> {
  return new Promise((resolve) => {
    const look = () => {
      const entry = library.ofRecord(key);
      if (!entry || entry.group === 'active') return;
      listening.dispose();
      resolve(entry);
    };
    const listening = library.onDidChange(look);
    look();
  });
}
