import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { jsonIn } from './wire';

const schema = z.object({
  pid: z.number(),
  /** Machines may share a home folder, and their process ids differ. */
  host: z.string(),
  socket: z.string(),
  token: z.string(),
  /** Absolute paths of its open folders. */
  folders: z.array(z.string()),
  /** ms since 1970. */
  since: z.number(),
});

/** The file that an open window keeps on disk for relays to find it. */
export type WindowFile = z.infer<typeof schema>;

/** A larger file isn't ours. */
const longest = 256 * 1024;

/** The folder in the extension's storage with a file for each open window. */
export function windowsFolder(storage: string): string {
  return join(storage, 'windows');
}

/** Writes a window's file atomically, readable by this user only. */
export function writeWindow(folder: string, window: WindowFile): void {
  ownFolder(folder);
  const path = fileOf(folder, window.pid);
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, JSON.stringify(window), { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}

/** Removes a window's file, and its socket with the folder created for that, if any. */
export function removeWindow(folder: string, { pid, socket }: Pick<WindowFile, 'pid' | 'socket'>): void {
  rmSync(fileOf(folder, pid), { force: true });
  removeSocket(folder, socket);
}

/** The running windows of this machine, newest first. Skips unreadable files. */
export function openWindows(folder: string): WindowFile[] {
  return windowsIn(folder)
    .filter(isAlive)
    .sort((one, other) => other.since - one.since);
}

/** Removes what crashed windows left. */
export function forgetDeadWindows(folder: string): void {
  for (const window of windowsIn(folder)) if (!isAlive(window)) removeWindow(folder, window);
}

/** The windows that have the project open, those with the innermost containing folder first. */
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

/** The prefix of the folder with a window's socket, in the system's temporary folder. */
const socketPrefix = 'model-catalog-';
const socketName = /^window-[\da-f]+\.sock$/;

/** Longer paths aren't possible for sockets on every system, bytes. */
const longestSocket = 100;

/**
 * The places for a new window's socket, the best first: the folder of the windows' files, which only this user can
 * open, and a folder like it in the system's one for temporary files, where paths are short.
 */
export function* socketPlaces(folder: string): Generator<string, void> {
  const random = randomBytes(8).toString('hex');
  if (process.platform === 'win32') {
    yield `\\\\.\\pipe\\${socketPrefix}${random}${random}`;
    return;
  }
  const own = join(folder, `window-${random}.sock`);
  if (Buffer.byteLength(own) <= longestSocket) {
    ownFolder(folder);
    yield own;
  }
  yield join(mkdtempSync(join(tmpdir(), socketPrefix)), 'window');
}

/**
 * True if nobody but this user can have made the socket. A window may have crashed, its process ID be in use again, and
 * the folder of its socket be another user's by now. A pipe of Windows says nothing of its owner.
 */
export function isOwnSocket(socket: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  try {
    const [itself, folder] = [lstatSync(socket), lstatSync(dirname(socket))];
    const isClosed = folder.isDirectory() && folder.uid === uid && (folder.mode & 0o077) === 0;
    return isClosed && itself.isSocket() && itself.uid === uid;
  } catch {
    // It's gone.
    return false;
  }
}

/** On Windows a pipe ends with its process. */
function removeSocket(folder: string, socket: string): void {
  if (dirname(socket) === folder && socketName.test(basename(socket))) rmSync(socket, { force: true });
  else if (new RegExp(`^/.*/${socketPrefix}\\w+/window$`).test(socket) && isOwnFolder(dirname(socket)))
    rmSync(dirname(socket), { recursive: true, force: true });
}

function isOwnFolder(path: string): boolean {
  try {
    const { uid } = lstatSync(path);
    return process.getuid === undefined || uid === process.getuid();
  } catch {
    return false;
  }
}

function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Does nothing on a disk without modes.
  chmodSync(folder, 0o700);
}

function windowsIn(folder: string): WindowFile[] {
  return namesIn(folder).flatMap((name) => {
    const window = schema.safeParse(jsonIn(readText(join(folder, name)))).data;
    return window?.host === hostname() && name === `${window.pid}.json` ? [window] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    // No window was ever opened.
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size <= longest ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Its window has just closed.
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
    // It runs, but under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** With links resolved and the case as on disk, if it exists. */
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
