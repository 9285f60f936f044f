import { createReadStream, lstatSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { codeOf } from './problem';

/** A file being written, from its beginning. */
export interface WritableFile {
  /** Writes all of the bytes after those before; when it rejects, some of them may have been written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Keeps it from everybody else; resolves with the mode it had, which is that of any new file. */
  reserve(): Promise<number>;
  /** The Entry of this very file. */
  identity(): Promise<string>;
  /** Resolves when what was written survives a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The entry at a path; a symbolic link is itself, not its target. */
export interface Entry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Another one when the file was replaced or written to since. */
  readonly stamp: string;
  /**
   * The same for all names of one file, whatever is written to it, and another one for each other file; '' where the
   * disk gives none.
   */
  readonly identity: string;
  /**
   * A folder whose new files take their rights from it, not from who makes them: that of a group that shares it, and
   * any on Windows.
   */
  readonly grants: boolean;
}

/** The file operations the core needs, with the meaning and the error codes (`EEXIST` …) that Node gives them. */
export interface Disk {
  /** Creates a file; EEXIST when anything has that name, a dangling link too. */
  create(path: string, mode?: number): Promise<WritableFile>;
  /** The bytes of a file, in order. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Gives a file a second name; EEXIST when anything has it. */
  link(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Replaces what has the new name, in one step. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Creates one folder; EEXIST when anything has that name. */
  mkdir(path: string): Promise<void>;
  /**
   * Creates a folder that only this user can open, and missing ones above it; closes one that is already there, where
   * the disk allows it.
   */
  ownFolder(path: string): Promise<void>;
  /** The path with every symbolic link followed. */
  realpath(path: string): Promise<string>;
  lstat(path: string): Promise<Entry>;
  /** The names in a folder. */
  readdir(path: string): Promise<string[]>;
  /** Makes the names in a folder survive a loss of power, where the system can. */
  syncFolder(path: string): Promise<void>;
}

/** Who may do what with a file: its mode bits, and the system's numbers of its owner and group. */
export interface Rights {
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
}

/** The further operations that it takes to put one file in the place of another. */
export interface ReplacingDisk extends Disk {
  rights(path: string): Promise<Rights>;
  /** Gives a file a mode, and an owner and a group where the system lets us. */
  grant(path: string, rights: Rights): Promise<void>;
  /**
   * Renames over a file whose Entry has this stamp: the look and the rename are one synchronous step. False, and
   * nothing is done, when it has another one by now, or is gone.
   */
  swap(from: string, to: string, stamp: string): Promise<boolean>;
  /** Removes a file whose Entry has this stamp, in one synchronous step too; with another one, nothing is done. */
  discard(path: string, stamp: string): Promise<void>;
}

const mebibyte = 1024 * 1024;

/** The mode bit of a folder whose new files belong to its group. */
const setGroup = 0o2000n;

/** The machine's own disk. */
export const nodeDisk: ReplacingDisk = {
  create: async (path, mode) => new NodeFile(await open(path, 'wx', mode)),
  read: (path) => createReadStream(path, { highWaterMark: mebibyte }),
  link,
  chmod,
  rename,
  unlink,
  mkdir: (path) => mkdir(path),
  ownFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // The editor may have created it, readable by all. A disk without modes can't keep anyone out.
    await chmod(path, 0o700).catch(() => {});
  },
  realpath: (path) => realpath(path),
  lstat: async (path) => {
    const found = await lstat(path, { bigint: true });
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other';
    return {
      kind,
      size: Number(found.size),
      stamp: stampOf(found),
      identity: identityOf(found),
      grants: process.platform === 'win32' || (found.mode & setGroup) !== 0n,
    };
  },
  readdir: (path) => readdir(path),
  syncFolder,
  rights: async (path) => {
    const { mode, uid, gid } = await lstat(path);
    return { mode: mode & 0o777, owner: uid, group: gid };
  },
  grant: async (path, { mode, owner, group }) => {
    const now = await lstat(path);
    // Only the superuser gives files away; their owner may choose among their own groups.
    if (now.uid !== owner) await chown(path, owner, group).catch(() => {});
    if (now.gid !== group) await chown(path, -1, group).catch(() => {});
    await chmod(path, mode);
  },
  swap: (from, to, stamp) => new Promise((resolve) => resolve(swapNow(from, to, stamp))),
  discard: (path, stamp) => new Promise((resolve) => resolve(discardNow(path, stamp))),
};

class NodeFile implements WritableFile {
  constructor(private readonly handle: FileHandle) {}

  async write(bytes: Uint8Array): Promise<void> {
    // A disk that is nearly full writes less than it was given, and says why only when asked to write the rest.
    for (let done = 0; done < bytes.length;) done += (await this.handle.write(bytes, done)).bytesWritten;
  }

  async reserve(): Promise<number> {
    const { mode } = await this.handle.stat();
    await this.handle.chmod(0o600);
    return mode & 0o777;
  }

  async identity(): Promise<string> {
    return identityOf(await this.handle.stat({ bigint: true }));
  }

  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

function swapNow(from: string, to: string, stamp: string): boolean {
  if (stampNow(to) !== stamp) return false;
  renameSync(from, to);
  return true;
}

function discardNow(path: string, stamp: string): void {
  if (stampNow(path) === stamp) unlinkSync(path);
}

function stampNow(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && stampOf(found);
}

function stampOf({ ino, size, mtimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs].join();
}

function identityOf({ ino }: { readonly ino: bigint }): string {
  return ino === 0n ? '' : String(ino);
}

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders; it keeps names in its own journal.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems sync files only.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error))) throw error;
  } finally {
    await folder.close();
  }
}
