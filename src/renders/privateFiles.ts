import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Suffixes of the files that SQLite keeps next to a database. New ones get the database's mode, but those of an earlier
 * version may be open to others.
 */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * Denies other users access to a database and the files next to it. Creates an empty file where there is none, which
 * SQLite takes for a new database. Never throws: a disk without modes can't keep anyone out, and SQLite itself gives
 * the better error for a file that can't be opened.
 */
export function keepPrivate(path: string): void {
  quietly(() => closeSync(openSync(path, 'a', 0o600)));
  for (const companion of companions) quietly(() => chmodSync(`${path}${companion}`, 0o600));
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // A disk without modes, or a file that can't be opened.
  }
}
