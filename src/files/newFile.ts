import type { Disk, WritableFile } from './disk';
import { onDisk } from './problem';

/**
 * Creates a file that `fill` writes, and resolves with the result of `fill` when the file is on disk and closed.
 * Rejects with a FileProblem when the disk fails, and as `fill` when that fails; part of the file may then exist.
 */
export async function newFile<T>(
  disk: Disk,
  path: string,
  mode: number | undefined,
  fill: (file: WritableFile) => Promise<T>,
): Promise<T> {
  const file = await onDisk(disk.create(path, mode));
  let found: T;
  try {
    found = await fill(file);
    await onDisk(file.sync());
  } catch (error) {
    // The first failure is the one that matters.
    await file.close().catch(() => {});
    throw error;
  }
  await onDisk(file.close());
  return found;
}
