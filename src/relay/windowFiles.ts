import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { jsonIn } from './lines';

const schema = z.object({
  pid: z.number(),
  /** A home folder may be shared by machines, on which the same numbers are other processes. */
  host: z.string(),
  socket: z.string(),
  token: z.string(),
  /** Absolute paths of what it has open. */
  folders: z.array(z.string()),
  /** ms since 1970. */
  since: z.number(),
});

/** What a window keeps on disk while it's open, for relays to find it. */
export type WindowFile = z.infer<typeof schema>;

/** More bytes are no file of ours. */
const longest = 256 * 1024;

/** The folder below the extension's storage where each open window has a file. */
export function windowsFolder(storage: string): string {
  return join(storage, 'windows');
}

/** Writes the file of a window in one step, readable by this user alone. */
export function writeWindow(folder: string, window: WindowFile): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // On a disk without modes this does nothing.
  chmodSync(folder, 0o700);
  const path = fileOf(folder, window.pid);
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, JSON.stringify(window), { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}

/** Removes the file of a window, and its socket with the folder made for it. */
export function removeWindow(folder: string, { pid, socket }: Pick<WindowFile, 'pid' | 'socket'>): void {
  rmSync(fileOf(folder, pid), { force: true });
  if (isSocketOfOurs(socket)) rmSync(dirname(socket), { recursive: true, force: true });
}

/** The windows of this machine that still run, newest first. Nothing unreadable is among them. */
export function openWindows(folder: string): WindowFile[] {
  return windowsIn(folder)
    .filter(isAlive)
    .sort((one, other) => other.since - one.since);
}

/** Removes what windows left that ended without a chance to. */
export function forgetDeadWindows(folder: string): void {
  for (const window of windowsIn(folder)) if (!isAlive(window)) removeWindow(folder, window);
}

/** The windows that have the project open, those with the innermost folder around it first. */
export function windowsAround(project: string, windows: readonly WindowFile[]): WindowFile[] {
  const path = realPath(project);
  const depth = ({ folders }: WindowFile) =>
    Math.max(
      0,
      ...folders
        .map(realPath)
        .filter((folder) => isWithin(folder, path))
        .map((folder) => folder.length),
    );
  return windows
    .map((window) => ({ window, depth: depth(window) }))
    .filter((one) => one.depth > 0)
    .sort((one, other) => other.depth - one.depth)
    .map(({ window }) => window);
}

/** The start of the folder's name that holds a window's socket, in the system's folder for temporary files. */
export const socketFolder = 'model-catalog-';

/** The pipes of Windows go with their process. */
function isSocketOfOurs(socket: string): boolean {
  return new RegExp(`^/.*/${socketFolder}\\w+/window$`).test(socket);
}

function windowsIn(folder: string): WindowFile[] {
  return namesIn(folder).flatMap((name) => {
    const window = schema.safeParse(jsonIn(textOf(join(folder, name)))).data;
    return window?.host === hostname() && name === `${window.pid}.json` ? [window] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    // No window ever opened one.
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return statSync(path).size <= longest ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Its window closed a moment ago.
    return undefined;
  }
}

function fileOf(folder: string, pid: number): string {
  return join(folder, `${pid}.json`);
}

function isAlive({ pid }: WindowFile): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // It runs, but isn't ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** With links followed and letters as the disk has them, where it exists. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
