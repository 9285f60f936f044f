import { statSync } from 'node:fs';

/**
 * What tells a file from any other that takes its name later; undefined where there is none. A system without such
 * numbers states 0.
 */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino === 0n ? 'there' : `${dev}:${ino}`;
  } catch {
    // What can't be reached can't be relied on: not for as long as that is so.
    return undefined;
  }
}

/**
 * Remembers which files these names stand for now. The function it gives says whether they still do: false once one
 * that was there is deleted, moved or replaced, also together with its folder. A few microseconds.
 */
export function rememberFiles(paths: readonly string[]): () => boolean {
  const known = paths.flatMap((path) => {
    const identity = identityOf(path);
    return identity === undefined ? [] : [{ path, identity }];
  });
  return () => known.every(({ path, identity }) => identityOf(path) === identity);
}
