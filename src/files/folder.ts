import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Disk } from './disk';
import { folded, isDevice } from './names';
import { FileProblem } from './problem';

/**
 * True for a folder in which nothing is saved: editors and tools act on those that begin with a dot, and programs run
 * what's in `node_modules`.
 */
export function isReserved(segment: string): boolean {
  return segment.startsWith('.') || folded(segment) === 'node_modules';
}

/**
 * A folder inside the workspace folder, from a setting: segments joined by `/`; '' is the workspace folder itself.
 * Keeps the Unicode form, which may be that of an existing folder (see `nameThere`). Throws FileProblem `outsideFolder`
 * for anything outside: absolute paths, drives, servers, `~`, `..`, variables; and for reserved folders.
 */
export function safeFolder(setting: string): string {
  const text = setting.trim();
  if (/^[/\\]/.test(text)) throw new FileProblem('outsideFolder', setting);
  const segments = text.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
  if (segments.some((segment) => unsafe(segment) || unsafe(segment.normalize('NFC'))))
    throw new FileProblem('outsideFolder', setting);
  return segments.join('/');
}

function unsafe(segment: string): boolean {
  return (
    isReserved(segment) ||
    segment.startsWith('~') ||
    // Short names on Windows can mean `.git`; a system that drops trailing dots and spaces sees another name.
    /~\d|[ .]$|^ /.test(segment) ||
    /\$[\w{(]|%[^%]+%/.test(segment) ||
    /[<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(segment) ||
    isDevice(segment) ||
    Buffer.byteLength(segment) > 255
  );
}

/** The folders of files, each once and in the order of their names; all are URIs. */
export function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))].sort();
}

/** True if links lead from a file in a folder to somewhere outside. Rejects when either doesn't exist. */
export async function leadsOut(disk: Disk, folder: string, file: string): Promise<boolean> {
  const way = relative(await disk.realpath(folder), await disk.realpath(file));
  return isAbsolute(way) || way.split(sep)[0] === '..';
}

/**
 * The path as it's spelled from the folder that it leads into: `/home/me/site/a.png` for `/data/site/a.png` where
 * `/home/me/site` is a link to `/data/site`. Of several folders, from the innermost. Undefined if it leads into none.
 * Nothing has to be there yet.
 */
export async function throughLinks(disk: Disk, path: string, folders: readonly string[]): Promise<string | undefined> {
  const real = await realPathOf(disk, path);
  const ways = folders.map(async (folder) => ({ folder, way: relative(await realPathOf(disk, folder), real) }));
  const inside = (await Promise.all(ways)).filter(({ way }) => !isAbsolute(way) && way.split(sep)[0] !== '..');
  const [innermost] = inside.sort((one, other) => one.way.length - other.way.length);
  return innermost && join(innermost.folder, innermost.way);
}

/** With links resolved as far as the path exists. */
async function realPathOf(disk: Disk, path: string): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(disk, parent), basename(path));
  }
}
