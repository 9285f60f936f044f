import { basename } from 'node:path';
import type { Disk } from '../files/disk';
import { codeOf } from '../files/problem';
import { ledgersIn } from './ledgers';

/** The paths of damaged ledgers that the person hasn't dismissed yet, oldest first. */
export async function unsettled(folder: string, disk: Disk): Promise<string[]> {
  const setAside = (await ledgersIn(folder, disk)).slice(0, -1);
  const names = new Set(await disk.readdir(folder));
  return setAside.filter((path) => !names.has(basename(path) + settled));
}

/** Notes on disk, for all windows, that the person continues without these ledgers. The files stay where they are. */
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
