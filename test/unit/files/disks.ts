import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { nodeDisk, type ReplacingDisk, type WritableFile } from '../../../src/files/disk';
import type { Hashed } from '../../../src/files/sameFile';

/** A new folder on the real disk, removed after the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A text as a file's bytes. */
export function hashedText(text: string): Hashed {
  const bytes = Buffer.from(text);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** An error as the system throws it. */
export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: as the system says`), { code });
}

/** The real disk, with a hook before every operation; an error that the hook throws becomes the operation's. */
export function watchedDisk(before: (operation: string, path: string) => void): ReplacingDisk {
  const file = (inner: WritableFile, path: string): WritableFile => ({
    write: async (bytes) => (before('write', path), inner.write(bytes)),
    reserve: async () => (before('reserve', path), inner.reserve()),
    identity: () => inner.identity(),
    sync: async () => (before('sync', path), inner.sync()),
    // The process's open files close when it ends, so closing works.
    close: () => inner.close(),
  });
  return {
    create: async (path, mode) => (before('create', path), file(await nodeDisk.create(path, mode), path)),
    read: (path) => nodeDisk.read(path),
    link: async (from, to) => (before('link', to), nodeDisk.link(from, to)),
    chmod: async (path, mode) => (before('chmod', path), nodeDisk.chmod(path, mode)),
    rename: async (from, to) => (before('rename', to), nodeDisk.rename(from, to)),
    unlink: async (path) => (before('unlink', path), nodeDisk.unlink(path)),
    mkdir: async (path) => (before('mkdir', path), nodeDisk.mkdir(path)),
    ownFolder: async (path) => (before('ownFolder', path), nodeDisk.ownFolder(path)),
    realpath: (path) => nodeDisk.realpath(path),
    lstat: (path) => nodeDisk.lstat(path),
    space: (path) => nodeDisk.space(path),
    isLocal: (path) => nodeDisk.isLocal(path),
    readdir: (path) => nodeDisk.readdir(path),
    syncFolder: async (path) => (before('syncFolder', path), nodeDisk.syncFolder(path)),
    rights: (path) => nodeDisk.rights(path),
    grant: async (path, rights) => (before('grant', path), nodeDisk.grant(path, rights)),
    swap: async (from, to, stamp) => (before('swap', to), nodeDisk.swap(from, to, stamp)),
    discard: async (path, stamp) => (before('discard', path), nodeDisk.discard(path, stamp)),
  };
}

/** The real disk up to some operation. From then on nothing reaches it, as if the process had ended. */
export function diskUntil(
  operations: number,
  refuse?: (operation: string, path: string) => void,
): ReplacingDisk & { readonly reached: boolean } {
  let left = operations;
  const disk = watchedDisk((operation, path) => {
    if (left-- <= 0) throw new Error('the process is gone');
    refuse?.(operation, path);
  });
  return Object.defineProperty(disk, 'reached', { get: () => left < 0 }) as ReplacingDisk & {
    readonly reached: boolean;
  };
}
