import { folderOf, relativePath } from './paths';
import { siteFolders } from './siteFolders';
import type { Syntax } from './syntax';

/** Languages of web sites, in which a file below the site's root is named from there. */
const ofSites: ReadonlySet<Syntax> = new Set(['mdx', 'html', 'jsx', 'vue', 'svelte', 'css', 'scss']);
/** Languages whose builds find a file by a path only when that begins with a dot. */
const dotted: ReadonlySet<Syntax> = new Set(['jsx', 'vue', 'svelte']);

/**
 * The path by which a document names a file of its workspace folder; both relative to that folder. Not yet encoded, see
 * `imageText`.
 */
export function linkPath(syntax: Syntax, documentPath: string, filePath: string): string {
  const site = ofSites.has(syntax)
    ? siteFolders(folderOf(documentPath)).find((folder) => filePath.startsWith(`${folder}/`))
    : undefined;
  if (site !== undefined) return filePath.slice(site.length);
  const path = relativePath(documentPath, filePath);
  return dotted.has(syntax) && !path.startsWith('../') ? `./${path}` : path;
}
