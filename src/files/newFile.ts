import type { Disk, WritableFile } from './disk';
import { onDisk } from './problem';

/**
 * Creates a file, lets `fill` write it, and resolves with what `fill` found when the file is on disk and closed.
 * Rejects with a FileProblem when the disk fails, with the error of `fill` when that fails; the file may then be there
 * in part.
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
    // The first failure is the one that counts.
    await file.close().catch(() => {});
    throw error;
  }
  await onDisk(file.close());
  return found;
}
