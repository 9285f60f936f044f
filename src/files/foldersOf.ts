/** The folders of files, each once and in the order of their names; all are URIs. */
export function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))].sort();
}
