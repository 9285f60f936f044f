import { join } from 'node:path';
import type { Disk } from '../files/disk';

const numbered = /(?:-(\d+))?\.db$/;

/**
 * The ledgers of a folder, in the order they were begun: the last is in use, those before it were damaged and are set
 * aside, where they are. None is ever moved: several windows may find the same damage, or have that ledger open still,
 * and all come to the same next one.
 */
export async function ledgersIn(folder: string, disk: Disk): Promise<string[]> {
  const names = (await disk.readdir(folder)).filter((name) => /^renders(?:-\d+)?\.db$/.test(name));
  return names.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(folder, name));
}

/** Where a ledger is begun once the one at `path` is found damaged. */
export function nextLedger(path: string): string {
  return path.replace(numbered, `-${numberOf(path) + 1}.db`);
}

/** The first has none in its name. */
function numberOf(path: string): number {
  return Number(numbered.exec(path)?.[1] ?? 1);
}
