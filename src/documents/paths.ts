/** The folder of a path; '' if it has none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The file extension of a path, in lower case and without the dot; '' if it has none. */
export function endingOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** A folder and its parents, nearest first, '' last. */
export function foldersUp(folder: string): string[] {
  const folders = [folder];
  for (let here = folder; here !== '';) {
    here = folderOf(here);
    folders.push(here);
  }
  return folders;
}

/** Longer than any system accepts, in characters. */
const longestPath = 4096;

/** The path that a path leads to from a folder; undefined if outside the root folder '' or too long for a file. */
export function resolved(folder: string, path: string): string | undefined {
  if (folder.length + path.length > longestPath) return undefined;
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  return segments.join('/');
}

/** The path from a document to a file in the same workspace folder, without a leading `./`. */
export function relativePath(documentPath: string, filePath: string): string {
  const from = folderOf(documentPath).split('/').filter(Boolean);
  const to = filePath.split('/').filter(Boolean);
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** The file extensions of images that a model can make, or that those can be converted to. */
export const imageEndings: ReadonlySet<string> = new Set(
  'png apng jpg jpeg jpe jfif webp gif avif svg bmp tif tiff heic heif'.split(' '),
);
