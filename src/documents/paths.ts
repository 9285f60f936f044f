/** The folder of a path, '' for one without. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The ending of a path, without dot and in small letters; '' for one without. */
export function endingOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** A folder and the ones around it, the nearest first, '' last. */
export function foldersUp(folder: string): string[] {
  const folders = [folder];
  for (let here = folder; here !== '';) {
    here = folderOf(here);
    folders.push(here);
  }
  return folders;
}

/** Longer than any system takes, characters. */
const longestPath = 4096;

/**
 * The path that another path leads to from a folder; undefined when that is outside of the folder called '', or too
 * long to be a file's.
 */
export function resolved(folder: string, path: string): string | undefined {
  if (folder.length + path.length > longestPath) return undefined;
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  return segments.join('/');
}

/** The path from a document to a file, both in the same workspace folder; without `./` in front. */
export function relativePath(documentPath: string, filePath: string): string {
  const from = folderOf(documentPath).split('/').filter(Boolean);
  const to = filePath.split('/').filter(Boolean);
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
