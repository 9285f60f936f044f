import { createReadStream } from 'node:fs';
import { chmod, link, lstat, mkdir, open, readdir, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { codeOf } from './problem';

/** A file being written, from its beginning. */
export interface WritableFile {
  /** Writes all of the bytes after those before; when it rejects, some of them may have been written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Keeps it from everybody else; resolves with the mode it had, which is that of any new file. */
  reserve(): Promise<number>;
  /** Resolves when what was written survives a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What stands at a path; a symbolic link is itself, not where it leads. */
export interface Entry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Another one when the file was replaced or written to since. */
  readonly stamp: string;
  /** A folder whose new files take their rights from it, not from who makes them: that of a group that shares it, and any on Windows. */
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
  /** Creates a folder and those above it where they are missing. */
  mkdirAll(path: string, mode: number): Promise<void>;
  /** The path with every symbolic link followed. */
  realpath(path: string): Promise<string>;
  lstat(path: string): Promise<Entry>;
  /** The names in a folder. */
  readdir(path: string): Promise<string[]>;
  /** Makes the names in a folder survive a loss of power, where the system can. */
  syncFolder(path: string): Promise<void>;
}

const mebibyte = 1024 * 1024;

/** The mode bit of a folder whose new files belong to its group. */
const setGroup = 0o2000n;

/** The machine's own disk. */
export const nodeDisk: Disk = {
  create: async (path, mode) => new NodeFile(await open(path, 'wx', mode)),
  read: (path) => createReadStream(path, { highWaterMark: mebibyte }),
  link,
  chmod,
  rename,
  unlink,
  mkdir: (path) => mkdir(path),
  mkdirAll: async (path, mode) => {
    await mkdir(path, { recursive: true, mode });
  },
  realpath: (path) => realpath(path),
  lstat: async (path) => {
    const found = await lstat(path, { bigint: true });
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other';
    return {
      kind,
      size: Number(found.size),
      stamp: [found.ino, found.size, found.mtimeNs].join(),
      grants: process.platform === 'win32' || (found.mode & setGroup) !== 0n,
    };
  },
  readdir: (path) => readdir(path),
  syncFolder,
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

  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
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
