import { statSync } from 'node:fs';

/**
 * Distinguishes a file from one that takes its name later; undefined when there is none. 0 on systems without inode
 * numbers.
 */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino === 0n ? 'there' : `${dev}:${ino}`;
  } catch {
    // A file that can't be reached can't be relied on.
    return undefined;
  }
}

/**
 * Remembers the files at these paths. The returned function is false once one of them was deleted, moved, or replaced,
 * also together with its folder. Takes a few microseconds.
 */
export function rememberFiles(paths: readonly string[]): () => boolean {
  const known = paths.flatMap((path) => {
    const identity = identityOf(path);
    return identity === undefined ? [] : [{ path, identity }];
  });
  return () => known.every(({ path, identity }) => identityOf(path) === identity);
}
