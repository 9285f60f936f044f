import type { Candidate } from '../../../src/documents/destination';

/** The file of a link, or where it would go. */
export interface Located {
  readonly isThere: boolean;
  /** Relative to the workspace folder. */
  readonly path: string;
}

/**
 * Looks where a link leads, given its candidates. `isThere` tells whether a file or folder exists, by its path relative to the workspace
 * folder; the folder itself is never asked for. Rejects only when `isThere` does.
 */
export async function located(
  candidates: readonly [Candidate, ...Candidate[]],
  isThere: (path: string) => PromiseLike<boolean> | boolean,
): Promise<Located> {
  for (const { paths } of candidates) {
    for (const path of paths) if (await isThere(path)) return { isThere: true, path };
  }
  for (const { paths, folder } of candidates.slice(0, -1)) {
    if (folder === '' || (await isThere(folder))) return { isThere: false, path: paths[0] };
  }
  return { isThere: false, path: (candidates.at(-1) ?? candidates[0]).paths[0] };
}
