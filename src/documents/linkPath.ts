import { folderOf, relativePath } from './paths';
import { siteFolders } from './siteFolders';
import type { Syntax } from './syntax';

/** Languages of websites, in which a file below the site's root is named from there. */
const ofSites: ReadonlySet<Syntax> = new Set(['mdx', 'html', 'jsx', 'vue', 'svelte', 'css', 'scss']);
/** Languages whose builds resolve a relative path only if it begins with a dot. */
const dotted: ReadonlySet<Syntax> = new Set(['jsx', 'vue', 'svelte']);

/**
 * The path that a document uses for a file, both given relative to their workspace folder. Not encoded yet; see
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
