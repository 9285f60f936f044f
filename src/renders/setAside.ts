import { join } from 'node:path';
import type { Disk } from '../files/disk';
import { codeOf } from '../files/problem';
import { ledgerName } from './ledgerError';

/** The name under which a damaged ledger is set aside; `now` is ms since 1970. */
export function setAsideName(now: number): string {
  return `damaged-${now}-${ledgerName}`;
}

/** The paths of damaged ledgers the person has not yet said to go on without, oldest first. */
export async function unsettled(folder: string, disk: Disk): Promise<string[]> {
  const names = new Set(await disk.readdir(folder));
  const open = [...names].filter((name) => isSetAside(name) && !names.has(name + settled));
  return open.sort().map((name) => join(folder, name));
}

/** Notes on disk, for all windows, that the person goes on without these ledgers; they stay where they are. */
export async function settle(paths: readonly string[], disk: Disk): Promise<void> {
  for (const path of paths) {
    try {
      const note = await disk.create(path + settled);
      await note.close();
    } catch (error) {
      // Another window was told before.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

const settled = '.settled';

function isSetAside(name: string): boolean {
  return /^damaged-\d+-/.test(name) && name.endsWith(ledgerName);
}
