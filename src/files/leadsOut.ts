import { isAbsolute, relative, sep } from 'node:path';
import type { Disk } from './disk';

/** True if links lead from a file in a folder to somewhere outside. Rejects when either doesn't exist. */
export async function leadsOut(disk: Pick<Disk, 'realpath'>, folder: string, file: string): Promise<boolean> {
  const way = relative(await disk.realpath(folder), await disk.realpath(file));
  return isAbsolute(way) || way.split(sep)[0] === '..';
}
