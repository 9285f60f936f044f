import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReplacingDisk } from './disk';
import { isInside } from './localSink';
import { newFile } from './newFile';
import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import { largestReplaced, type Found, type Replacing } from './replacement';

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
