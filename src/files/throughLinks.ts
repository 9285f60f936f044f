import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Disk } from './disk';

/**
 * The path as it's spelled from the folder that it leads into: `/home/me/site/a.png` for `/data/site/a.png` where
 * `/home/me/site` is a link to `/data/site`. Of several folders, from the innermost. Undefined if it leads into none.
 * Nothing has to be there yet.
 */
export async function throughLinks(
  disk: Pick<Disk, 'realpath'>,
  path: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const real = await realPathOf(disk, path);
  const ways = folders.map(async (folder) => ({ folder, way: relative(await realPathOf(disk, folder), real) }));
  const inside = (await Promise.all(ways)).filter(({ way }) => !isAbsolute(way) && way.split(sep)[0] !== '..');
  const [innermost] = inside.sort((one, other) => one.way.length - other.way.length);
  return innermost && join(innermost.folder, innermost.way);
}

/** With links resolved as far as the path exists. */
async function realPathOf(disk: Pick<Disk, 'realpath'>, path: string): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(disk, parent), basename(path));
  }
}
