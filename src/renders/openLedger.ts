import { chmodSync, closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../base/log';
import type { Disk } from '../files/disk';
import type { GivenImages } from '../files/givenImages';
import { codeOf } from '../files/problem';
import { Ledger } from './ledger';
import { LedgerError, ledgerName } from './ledgerError';

/**
 * The current ledger of a folder. A damaged one is set aside whole, and the next one begun; `unsettled` lists what it
 * leaves open. `images`: those of the window's project.
 */
export async function openLedger(folder: string, disk: Disk, log: Log, images?: GivenImages): Promise<Ledger> {
  await disk.ownFolder(folder);
  const isLocal = await disk.isLocal(folder);
  const path = (await ledgersIn(folder, disk)).at(-1) ?? join(folder, ledgerName);
  try {
    return await openPrivate(path, isLocal, log, images);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'damaged') throw error;
    return openPrivate(nextLedger(path), isLocal, log, images);
  }
}

/** Prompts are in there: other users must not read it. */
function openPrivate(path: string, isLocal: boolean, log: Log, images: GivenImages | undefined): Promise<Ledger> {
  keepPrivate(path);
  return Ledger.open(path, isLocal, log, images);
}

const numbered = /(?:-(\d+))?\.db$/;

/**
 * The ledgers of a folder in the order they were begun. The last is in use; earlier ones were damaged and are set
 * aside. None is ever moved: several windows may find the same damage or still have that ledger open, and all of them
 * arrive at the same next one.
 */
export async function ledgersIn(folder: string, disk: Disk): Promise<string[]> {
  const names = (await disk.readdir(folder)).filter((name) => /^renders(?:-\d+)?\.db$/.test(name));
  return names.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(folder, name));
}

/** The path of the next ledger after the one at `path` was found damaged. */
export function nextLedger(path: string): string {
  return path.replace(numbered, `-${numberOf(path) + 1}.db`);
}

/** The first ledger has no number in its name. */
function numberOf(path: string): number {
  return Number(numbered.exec(path)?.[1] ?? 1);
}

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
function keepPrivate(path: string): void {
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

/** The paths of damaged ledgers that the user hasn't dismissed yet, oldest first. */
export async function unsettled(folder: string, disk: Disk): Promise<string[]> {
  const setAside = (await ledgersIn(folder, disk)).slice(0, -1);
  const names = new Set(await disk.readdir(folder));
  return setAside.filter((path) => !names.has(basename(path) + settled));
}

/** Notes on disk, for all windows, that the user continues without these ledgers. The files stay where they are. */
export async function settle(paths: readonly string[], disk: Disk): Promise<void> {
  for (const path of paths) {
    try {
      const note = await disk.create(path + settled);
      await note.close();
    } catch (error) {
      // Already noted.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

const settled = '.settled';
