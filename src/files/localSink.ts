import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Random } from '../base/random';
import type { Disk } from './disk';
import { safeFolder } from './folder';
import { newFile } from './newFile';
import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import { Publication, type Destination, type Sink } from './sink';
import type { Spool } from './spool';

/** Saves below `file:` roots. */
export function localSink(disk: Disk, spool: Spool, random: Random): Sink {
  return {
    publish: async (source, root, folder, baseName, claim, companion) => {
      const destination = await LocalFolder.open(disk, fileURLToPath(root), safeFolder(folder));
      return new Publication(destination, source, claim, companion).run(spool, random, baseName);
    },
  };
}

/** What systems answer that cannot give a file a second name (FAT, some network shares). */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Names of one file are on one file system. */
const elsewhere = 'EXDEV';

class LocalFolder implements Destination {
  /** `shown` is the path as the editor knows it; the work is done at `real`, which no link can lead elsewhere. */
  private constructor(
    private readonly disk: Disk,
    private readonly shown: string,
    private readonly real: string,
    private readonly grants: boolean,
  ) {}

  static async open(disk: Disk, root: string, folder: string): Promise<LocalFolder> {
    const { path, grants } = await makeFolder(disk, root, folder);
    return new LocalFolder(disk, join(root, folder), path, grants);
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

  async adopt(path: string, mode: number, name: string): Promise<boolean> {
    // Only a file made in it has the rights that such a folder gives.
    if (this.grants) return false;
    try {
      await this.disk.link(path, this.path(name));
    } catch (error) {
      if (codeOf(error) === elsewhere || noLinks.has(codeOf(error))) return false;
      throw problemOf(error);
    }
    await onDisk(this.disk.chmod(this.path(name), mode));
    return true;
  }

  async write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await newFile(this.disk, this.path(name), undefined, async (file) => {
      for await (const chunk of bytes) await onDisk(file.write(chunk));
    });
  }

  async prove(): Promise<void> {
    if ((await onDisk(this.disk.realpath(this.shown))) !== this.real)
      throw new FileProblem('outsideFolder', this.shown);
  }

  async take(written: string, name: string): Promise<boolean> {
    try {
      await this.disk.link(this.path(written), this.path(name));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (noLinks.has(codeOf(error))) return this.takeWithoutLinks(written, name);
      throw problemOf(error);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.disk.unlink(this.path(name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw problemOf(error);
    }
  }

  sync(): Promise<void> {
    return onDisk(this.disk.syncFolder(this.real));
  }

  /** An empty file of our own holds the name until the written one replaces it: a rename alone would replace anybody's. */
  private async takeWithoutLinks(written: string, name: string): Promise<boolean> {
    try {
      await (await this.disk.create(this.path(name))).close();
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw problemOf(error);
    }
    try {
      await onDisk(this.disk.rename(this.path(written), this.path(name)));
      return true;
    } catch (error) {
      await this.remove(name);
      throw error;
    }
  }

  private path(name: string): string {
    return join(this.real, name);
  }
}

/** Makes the folder segment by segment, each proven to be inside the root before the next is made, and gives its real path. */
async function makeFolder(
  disk: Disk,
  root: string,
  folder: string,
): Promise<{ readonly path: string; readonly grants: boolean }> {
  const home = await onDisk(disk.realpath(root));
  let path = home;
  for (const segment of folder.split('/').filter((name) => name !== '')) {
    path = await makeSegment(disk, join(path, segment));
    if (!isInside(home, path)) throw new FileProblem('outsideFolder', path);
  }
  const { kind, grants } = await onDisk(disk.lstat(path));
  if (kind !== 'folder') throw new FileProblem('notWritable', `${path} is not a folder`);
  return { path, grants };
}

async function makeSegment(disk: Disk, path: string): Promise<string> {
  try {
    await disk.mkdir(path);
    await disk.syncFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw problemOf(error);
  }
  try {
    return await disk.realpath(path);
  } catch (error) {
    // Something has the name and leads nowhere: a link whose end nobody can vouch for.
    throw new FileProblem('outsideFolder', path, error);
  }
}

/** Folders that begin with a dot belong to editors and tools, so a link that leads into one is refused as well. */
export function isInside(home: string, path: string): boolean {
  const below = relative(home, path);
  return !isAbsolute(below) && below.split(sep).every((segment) => !segment.startsWith('.'));
}
