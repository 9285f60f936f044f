import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Disk } from './disk';
import { isInside } from './localSink';
import { newFile } from './newFile';
import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import type { Replacing } from './replacement';

/**
 * Replacing below a `file:` root. Rejects with FileProblem `outsideFolder` where a link leads out of the root, and what is itself a link is
 * not replaced.
 */
export async function localReplacing(disk: Disk, root: string, file: string): Promise<Replacing> {
  const path = fileURLToPath(file);
  const home = await onDisk(disk.realpath(fileURLToPath(root)));
  const folder = await onDisk(disk.realpath(dirname(path)));
  if (!isInside(home, folder)) throw new FileProblem('outsideFolder', path);
  return new LocalReplacing(disk, folder);
}

class LocalReplacing implements Replacing {
  /** `folder` is the real path of the one folder all files are in. */
  constructor(
    private readonly disk: Disk,
    private readonly folder: string,
  ) {}

  async read(file: string): Promise<Uint8Array | undefined> {
    const path = this.path(file);
    try {
      const { kind } = await this.disk.lstat(path);
      if (kind !== 'file') throw new FileProblem('notWritable', `${path} is not a plain file`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.disk.read(path)) chunks.push(chunk);
      return Buffer.concat(chunks);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw problemOf(error);
    }
  }

  async keep(file: string, name: string): Promise<boolean> {
    try {
      await this.disk.link(this.path(file), this.path(name));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      return this.copy(file, name);
    }
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    await newFile(this.disk, this.path(file), undefined, (opened) => onDisk(opened.write(bytes)));
  }

  async swap(written: string, file: string): Promise<void> {
    await onDisk(this.disk.rename(this.path(written), this.path(file)));
    await onDisk(this.disk.syncFolder(this.folder));
  }

  async remove(file: string): Promise<void> {
    try {
      await this.disk.unlink(this.path(file));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw problemOf(error);
    }
  }

  /** Where a file cannot have two names. */
  private async copy(file: string, name: string): Promise<boolean> {
    const bytes = await this.read(file);
    if (!bytes) throw new FileProblem('folderGone', file);
    try {
      await this.write(name, bytes);
      return true;
    } catch (error) {
      if (error instanceof FileProblem && codeOf(error.cause) === 'EEXIST') return false;
      throw error;
    }
  }

  private path(file: string): string {
    return join(this.folder, basename(fileURLToPath(file)));
  }
}
