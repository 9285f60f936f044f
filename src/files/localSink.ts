import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Random } from '../base/clock';
import type { Disk, DiskEntry, ReplacingDisk } from './disk';
import { isReserved, safeFolder } from './folder';
import { nameThere, newFile } from './names';
import { codeOf, FileProblem, ifModes, onDisk, problemOf } from './problem';
import { type Found, largestReplaced, type Replacing } from './replacement';
import { type Destination, Publication, type Sink } from './sink';
import type { Received, Spool } from './spool';

/** Saves below `file:` roots. */
export function localSink(disk: Disk, spool: Spool, random: Random): Sink {
  return {
    prove: (root, folder) => proveFolder(disk, fileURLToPath(root), safeFolder(folder)),
    publish: async (source, root, folder, baseName, claim, companion) => {
      const destination = await LocalFolder.open(disk, spool, fileURLToPath(root), safeFolder(folder));
      return new Publication(destination, source, claim, companion).run(spool, random, baseName);
    },
    free: async (uri, prove) => {
      const path = fileURLToPath(uri);
      if (!(await isThere(disk, path))) return false;
      const folder = await LocalFolder.open(disk, spool, dirname(path), '');
      return folder.free(basename(path), `.${random.uuid()}.${random.uuid()}.link.part`, prove);
    },
  };
}

/**
 * Error codes of a failed hard link that rule out the alternative too. File systems without links (FAT, exFAT, network
 * shares) report that in many ways, including `EISDIR` and `EINVAL`, so after any other code the alternative is tried.
 */
const hopeless: ReadonlySet<string> = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS']);

class LocalFolder implements Destination {
  /** `shown` is the path in the editor; all work uses `real`, which no link can redirect. */
  private constructor(
    private readonly disk: Disk,
    private readonly spool: Spool,
    private readonly shown: string,
    private readonly real: string,
    private readonly grants: boolean,
  ) {}

  static async open(disk: Disk, spool: Spool, root: string, folder: string): Promise<LocalFolder> {
    const { path, grants, names } = await makeFolder(disk, root, folder);
    return new LocalFolder(disk, spool, join(root, ...names), path, grants);
  }

  uri(name: string): string {
    return pathToFileURL(join(this.shown, name)).href;
  }

  names(): Promise<readonly string[]> {
    return onDisk(this.disk.readdir(this.real));
  }

  async read(name: string, size: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const entry = await onDisk(this.disk.lstat(this.path(name)));
    return entry.kind === 'file' && entry.size === size ? this.disk.read(this.path(name)) : undefined;
  }

  async adopt(path: string, { stamp, mode }: Received, name: string): Promise<boolean> {
    // Only a file created in such a folder gets its permissions.
    if (this.grants) return false;
    try {
      await this.disk.link(path, this.path(name));
    } catch (error) {
      if (hopeless.has(codeOf(error))) throw problemOf(error);
      return false;
    }
    // Its earlier state proves nothing about the file that now has the name.
    if ((await onDisk(this.disk.lstat(this.path(name)))).stamp !== stamp) {
      await this.remove(name);
      return false;
    }
    if (mode !== undefined) await ifModes(this.disk.chmod(this.path(name), mode));
    return true;
  }

  async write(name: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    await this.spool.proveRoom(this.real, size);
    await newFile(this.disk, this.path(name), undefined, async (file) => {
      for await (const chunk of bytes) await onDisk(file.write(chunk));
    });
  }

  async prove(): Promise<void> {
    if ((await onDisk(this.disk.realpath(this.shown))) !== this.real)
      throw new FileProblem('outsideFolder', this.shown);
  }

  async take(written: string, name: string, wasOurs = false): Promise<boolean> {
    try {
      await this.disk.link(this.path(written), this.path(name));
      return true;
    } catch (error) {
      // Some systems check the name before they report that they don't support links.
      if (codeOf(error) === 'EEXIST') return wasOurs && !(await this.links(written)) && this.takeEmpty(written, name);
      // A temporary failure is retried: an empty file left by the alternative couldn't be told from a user's.
      if (hopeless.has(codeOf(error)) || (await this.links(written))) throw problemOf(error);
      return this.takeWithoutLinks(written, name, wasOurs);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.disk.unlink(this.path(name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw problemOf(error);
    }
  }

  /** Removes the empty file that reserved a name; false if there's none. `second`: a name to try a link with. */
  async free(name: string, second: string, prove: () => void): Promise<boolean> {
    if (!(await this.isEmpty(name)) || (await this.links(name, second))) return false;
    prove();
    await this.remove(name);
    await this.sync();
    return true;
  }

  async changedAt(name: string): Promise<number> {
    return (await onDisk(this.disk.lstat(this.path(name)))).changedAt;
  }

  sync(): Promise<void> {
    return onDisk(this.disk.syncFolder(this.real));
  }

  /**
   * Reserves the name with an empty file until the written one replaces that: a rename alone would replace anyone's
   * file.
   */
  private async takeWithoutLinks(written: string, name: string, wasOurs: boolean): Promise<boolean> {
    try {
      await (await this.disk.create(this.path(name))).close();
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return wasOurs && this.takeEmpty(written, name);
      throw problemOf(error);
    }
    try {
      await onDisk(this.disk.rename(this.path(written), this.path(name)));
      return true;
    } catch (error) {
      // If it's no longer empty, whoever took over has saved to it.
      if (await this.isEmpty(name)) await this.remove(name);
      throw error;
    }
  }

  /** Takes the name from the empty file of an earlier attempt that was interrupted. */
  private async takeEmpty(written: string, name: string): Promise<boolean> {
    if (!(await this.isEmpty(name))) return false;
    await onDisk(this.disk.rename(this.path(written), this.path(name)));
    return true;
  }

  private async isEmpty(name: string): Promise<boolean> {
    const { kind, size } = await onDisk(this.disk.lstat(this.path(name)));
    return kind === 'file' && size === 0;
  }

  /** True where hard links work: there no empty file was ever needed. */
  private async links(written: string, second = written.replace(/part$/, 'link.part')): Promise<boolean> {
    try {
      await this.disk.link(this.path(written), this.path(second));
    } catch (error) {
      if (hopeless.has(codeOf(error))) throw problemOf(error);
      return false;
    }
    await this.remove(second);
    return true;
  }

  private path(name: string): string {
    return join(this.real, name);
  }
}

interface MadeFolder {
  /** With all links resolved. */
  readonly path: string;
  /** Names of the folders along the path, as on disk. */
  readonly names: readonly string[];
  readonly grants: boolean;
}

/** Creates the folder segment by segment, each proven to be inside the root before the next. */
async function makeFolder(disk: Disk, root: string, folder: string): Promise<MadeFolder> {
  const home = await onDisk(disk.realpath(root));
  const names: string[] = [];
  let path = home;
  for (const segment of segmentsOf(folder)) {
    const name = await nameThere(segment, () => onDisk(disk.readdir(path)));
    path = await realBelow(disk, home, await made(disk, join(path, name)));
    names.push(name);
  }
  return { path, names, grants: (await provenFolder(disk, path)).grants };
}

/** The same check for the existing part of the folder: the rest can be created when needed. */
async function proveFolder(disk: Disk, root: string, folder: string): Promise<void> {
  const home = await onDisk(disk.realpath(root));
  let path = home;
  for (const segment of segmentsOf(folder)) {
    const next = join(path, await nameThere(segment, () => onDisk(disk.readdir(path))));
    if (!(await isThere(disk, next))) break;
    path = await realBelow(disk, home, next);
  }
  await provenFolder(disk, path);
}

function segmentsOf(folder: string): string[] {
  return folder.split('/').filter((name) => name !== '');
}

/** Syncs its parent even if it exists: the window that created it may have ended before it did so. */
async function made(disk: Disk, path: string): Promise<string> {
  try {
    await disk.mkdir(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw problemOf(error);
  }
  await onDisk(disk.syncFolder(dirname(path)));
  return path;
}

async function isThere(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw problemOf(error);
  }
}

async function realBelow(disk: Disk, home: string, path: string): Promise<string> {
  let real: string;
  try {
    real = await disk.realpath(path);
  } catch (error) {
    // The name exists but leads nowhere: a link whose target can't be verified. Anything else is the disk's failure.
    if (['ENOENT', 'ELOOP'].includes(codeOf(error))) throw new FileProblem('outsideFolder', `'${path}'`, error);
    throw problemOf(error);
  }
  if (!isInside(home, real)) throw new FileProblem('outsideFolder', `'${real}'`);
  return real;
}

async function provenFolder(disk: Disk, path: string): Promise<DiskEntry> {
  const entry = await onDisk(disk.lstat(path));
  if (entry.kind !== 'folder') throw new FileProblem('notWritable', `${path} isn’t a folder`);
  return entry;
}

/** Links into reserved folders are rejected too. */
function isInside(home: string, path: string): boolean {
  const below = relative(home, path);
  return !isAbsolute(below) && !below.split(sep).some(isReserved);
}

/**
 * Replacing below a `file:` root. Rejects with FileProblem `outsideFolder` where a link leads out of the root; links
 * themselves aren't replaced.
 */
export async function localReplacing(disk: ReplacingDisk, root: string, file: string): Promise<Replacing> {
  const path = fileURLToPath(file);
  const home = await onDisk(disk.realpath(fileURLToPath(root)));
  const folder = await onDisk(disk.realpath(dirname(path)));
  if (!isInside(home, folder)) throw new FileProblem('outsideFolder', `'${path}'`);
  return new LocalReplacing(disk, folder);
}

class LocalReplacing implements Replacing {
  /** `folder` is the real path of the folder with all the files. */
  constructor(
    private readonly disk: ReplacingDisk,
    private readonly folder: string,
  ) {}

  async read(file: string): Promise<Found | undefined> {
    const path = this.path(file);
    try {
      // Whatever is written after this look has another stamp.
      const { kind, size, stamp } = await this.disk.lstat(path);
      if (kind !== 'file') throw new FileProblem('notWritable', `'${path}' isn’t a regular file`);
      if (size > largestReplaced) throw new FileProblem('tooLargeThere', `${size} bytes`);
      const { mode } = await this.disk.rights(path);
      const chunks: Uint8Array[] = [];
      const hash = createHash('sha256');
      for await (const chunk of this.disk.read(path)) {
        chunks.push(chunk);
        hash.update(chunk);
      }
      const whole = { bytes: Buffer.concat(chunks), sha256: hash.digest('hex') };
      return { ...whole, stamp, isReadOnly: (mode & anyWrite) === 0 };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw problemOf(error);
    }
  }

  async write(file: string, bytes: Uint8Array, like?: string): Promise<void> {
    const path = this.path(file);
    // Until it has its final permissions, nobody else can read it.
    await newFile(this.disk, path, like === undefined ? undefined : 0o600, (opened) => onDisk(opened.write(bytes)));
    if (like !== undefined) await onDisk(this.disk.grant(path, await onDisk(this.disk.rights(this.path(like)))));
  }

  async take(written: string, name: string): Promise<boolean> {
    try {
      await this.disk.link(this.path(written), this.path(name));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (!(await this.copy(written, name))) return false;
    }
    try {
      await onDisk(this.disk.syncFolder(this.folder));
      return true;
    } catch (error) {
      await this.remove(name);
      throw error;
    }
  }

  async swap(written: string, file: string, { stamp }: Found): Promise<boolean> {
    if (!(await onDisk(this.disk.swap(this.path(written), this.path(file), stamp)))) return false;
    await onDisk(this.disk.syncFolder(this.folder));
    return true;
  }

  async remove(file: string, found?: Found): Promise<void> {
    const path = this.path(file);
    try {
      if (found) await this.disk.discard(path, found.stamp);
      else await this.disk.unlink(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw problemOf(error);
    }
  }

  /** For file systems without hard links. */
  private async copy(written: string, name: string): Promise<boolean> {
    const found = await this.read(written);
    if (!found) throw new FileProblem('folderGone', `'${written}'`);
    let isOurs = false as boolean;
    try {
      await newFile(this.disk, this.path(name), undefined, (opened) => {
        isOurs = true;
        return onDisk(opened.write(found.bytes));
      });
      return true;
    } catch (error) {
      if (isOurs) await this.remove(name).catch(() => {});
      else if (error instanceof FileProblem && codeOf(error.cause) === 'EEXIST') return false;
      throw error;
    }
  }

  private path(file: string): string {
    return join(this.folder, basename(fileURLToPath(file)));
  }
}

/** The mode bits of which a writable file has at least one. */
const anyWrite = 0o222;
