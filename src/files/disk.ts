import { createReadStream, lstatSync, realpathSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs';
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
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { codeOf } from './problem';
import { spelledFolder } from './sameFile';

/** A file being written sequentially. */
export interface WritableFile {
  /** Appends all bytes; when it rejects, some of them may have been written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Restricts it to this user; resolves with the mode it had, which is that of any new file. */
  reserve(): Promise<number>;
  /** The identity in the Entry of this file. */
  identity(): Promise<string>;
  /** Resolves when everything written survives a power loss. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The entry at a path; symbolic links aren't followed. */
export interface DiskEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Differs if the file was replaced or written to. */
  readonly stamp: string;
  /**
   * Equal for all names of one file, whatever is written to it, and different for every other file; '' where the disk
   * has none.
   */
  readonly identity: string;
  /**
   * New files in this folder get their permissions from it instead of their creator: those of a shared group, and any
   * on Windows.
   */
  readonly grants: boolean;
  /** When it last changed, also its names: ms, by the disk's own clock. */
  readonly changedAt: number;
}

/** What is left of the disk of a folder. */
export interface Space {
  /** Bytes that may still be written. */
  readonly free: number;
  /** Equal for all folders of one disk. */
  readonly disk: string;
}

/** The file operations that the core needs, with Node's semantics and error codes (`EEXIST` …). */
export interface Disk {
  /** Creates a file; EEXIST when the name is taken, even by a dangling link. */
  create(path: string, mode?: number): Promise<WritableFile>;
  /** The bytes of a file, in order. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Gives a file a second name; EEXIST when that is taken. */
  link(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Atomically replaces whatever has the new name. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Creates one folder; EEXIST when the name is taken. */
  mkdir(path: string): Promise<void>;
  /**
   * Creates a folder that only this user can open, and missing parents; restricts an existing one where the disk allows
   * it.
   */
  ownFolder(path: string): Promise<void>;
  /** The path with all symbolic links resolved. */
  realpath(path: string): Promise<string>;
  lstat(path: string): Promise<DiskEntry>;
  /** The names in a folder. */
  readdir(path: string): Promise<string[]>;
  /** What is left of a folder's disk; undefined where the system doesn't say. */
  space(path: string): Promise<Space | undefined>;
  /**
   * True if the files in a folder can be open on this computer only, so that all who have them open can share memory.
   * False on a network file system, and wherever the system doesn't say.
   */
  isLocal(path: string): Promise<boolean>;
  /** Makes the names in a folder survive a power loss, where the system can. */
  syncFolder(path: string): Promise<void>;
}

/** Permissions of a file: its mode bits, and the ids of its owner and group. */
export interface Rights {
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
}

/** Further operations for replacing a file. */
export interface ReplacingDisk extends Disk {
  rights(path: string): Promise<Rights>;
  /** Sets a file's mode, and its owner and group where the system lets us. */
  grant(path: string, rights: Rights): Promise<void>;
  /**
   * Renames over a file whose Entry has this stamp; check and rename are one synchronous step. False, without any
   * change, when it has another one or is gone.
   */
  swap(from: string, to: string, stamp: string): Promise<boolean>;
  /** Removes a file whose Entry has this stamp, also in one synchronous step; with another stamp does nothing. */
  discard(path: string, stamp: string): Promise<void>;
}

const mebibyte = 1024 * 1024;

/**
 * What Linux calls the file systems that one computer has to itself: ext2 to ext4, XFS, Btrfs, ZFS, F2FS, bcachefs,
 * OverlayFS, and tmpfs. All others count as shared, such as NFS, SMB, and FUSE, which can be anything.
 */
const localTypes = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x794c7630, 0x01021994,
]);

/** The mode bit of a folder that passes its group on to new files. */
const setGroup = 0o2000n;

/** The real disk. */
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
      changedAt: Number(found.ctimeMs),
    };
  },
  readdir: (path) => readdir(path),
  space: async (path) => {
    try {
      const [{ blocks, bavail, bsize }, { dev }] = await Promise.all([statfs(path), lstat(path)]);
      // Some network file systems state nothing.
      return blocks === 0 ? undefined : { free: bavail * bsize, disk: String(dev) };
    } catch {
      // Not all disks can be asked; what fails on them fails when it's written.
      return undefined;
    }
  },
  isLocal: async (path) => {
    try {
      // Also for a drive letter that stands for a network folder.
      if (process.platform === 'win32') return !(await realpath(path)).startsWith('\\\\');
      const { type } = await statfs(path);
      // The numbers of macOS differ from version to version, but its own disk has that of every other local one.
      return process.platform === 'linux' ? localTypes.has(type) : type === (await statfs('/')).type;
    } catch {
      return false;
    }
  },
  syncFolder,
  rights: async (path) => {
    const { mode, uid, gid } = await lstat(path);
    return { mode: mode & 0o777, owner: uid, group: gid };
  },
  grant: async (path, { mode, owner, group }) => {
    const now = await lstat(path);
    // Only the superuser can change the owner; an owner can choose among their own groups.
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
    // An almost full disk writes only part of the bytes, and reports an error for the next write.
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
  // Windows can't open folders; NTFS keeps names in its journal.
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

/**
 * One URI for a folder, whatever leads to it: links are resolved, and the case is the disk's own. For comparisons, not
 * for opening. Takes some microseconds. A folder that can't be reached, or isn't on a disk of this system, is only
 * spelled in one way.
 */
export function realFolder(uri: string): string {
  try {
    return spelledFolder(pathToFileURL(realpathSync.native(fileURLToPath(uri))).href);
  } catch {
    return spelledFolder(uri);
  }
}
