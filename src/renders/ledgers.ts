import { join } from 'node:path';
import type { Disk } from '../files/disk';

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
