import { asciidocLinks } from './asciidoc';
import { folderOf, relativePath, resolved } from './paths';
import { siteFolders } from './siteFolders';
import type { Syntax } from './syntax';

/** Languages of websites, in which a file below the site's root is named from there. */
const ofSites: ReadonlySet<Syntax> = new Set(['mdx', 'html', 'jsx', 'vue', 'svelte', 'astro', 'css', 'scss']);
/** Languages whose builds resolve a relative path only if it begins with a dot. */
const dotted: ReadonlySet<Syntax> = new Set(['jsx', 'vue', 'svelte', 'astro']);

/** Attributes are stated at the top of a document: no more of it is read for them, in UTF-16 code units. */
const longestTop = 40_000;

/**
 * The path that a document with this text uses for a file, both given relative to their workspace folder. Not encoded
 * yet; see `imageText`.
 */
export function linkPath(syntax: Syntax, documentPath: string, filePath: string, text = ''): string {
  if (syntax === 'asciidoc') return relativePath(asIn(statedFolder(text), documentPath), filePath);
  const site = ofSites.has(syntax)
    ? siteFolders(folderOf(documentPath)).find((folder) => filePath.startsWith(`${folder}/`))
    : undefined;
  if (site !== undefined) return filePath.slice(site.length);
  const path = relativePath(documentPath, filePath);
  return dotted.has(syntax) && !path.startsWith('../') ? `./${path}` : path;
}

/** The folder that `:imagesdir:` states for an image that follows; '' for none, as a link of that place has it. */
function statedFolder(text: string): string {
  const end = asciidocLinks(`${text.slice(0, longestTop)}\n\nimage::probe.png[]`).at(-1);
  return end?.path === 'probe.png' ? (end.folders?.[0] ?? '') : '';
}

/** A document's path as if it were in the folder that its images start from. */
function asIn(folder: string, documentPath: string): string {
  const from = folder.includes('{')
    ? undefined
    : resolved(folder.startsWith('/') ? '' : folderOf(documentPath), folder);
  return from === undefined ? documentPath : `${from}/page`;
}
