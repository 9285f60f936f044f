import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * What SQLite keeps beside a database takes the database's own mode when it is made; what an earlier version made may
 * be open to others.
 */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * Closes a database, and what is kept beside it, to other users; where there is none yet, creates an empty file, which
 * SQLite takes for a new database. Throws nothing: a disk without modes can't keep anyone out, and why a file can't be
 * opened SQLite says better.
 */
export function keepPrivate(path: string): void {
  quietly(() => closeSync(openSync(path, 'a', 0o600)));
  for (const companion of companions) quietly(() => chmodSync(`${path}${companion}`, 0o600));
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // See above.
  }
}
