import { asciidocLinks } from './asciidoc';
import type { ImageLink } from './imageLink';
import { leadsTo, type Surroundings } from './located';
import type { LinkKind } from './linkKind';
import { folderOf, relativePath, resolved } from './paths';
import type { Site } from './site';
import { siteFolders } from './siteFolders';
import { inSite, sitePlaces } from './sitePlaces';
import type { Syntax } from './syntax';

/** What decides how the path of a link is written. */
export type Naming = Pick<ImageLink, 'kind' | 'syntax' | 'folders'>;

/** Languages of websites, in which a file below the site's root is named from there. */
const ofSites: ReadonlySet<Syntax> = new Set(['mdx', 'html', 'jsx', 'vue', 'svelte', 'astro', 'css', 'scss']);
/** Languages whose builds resolve a relative path only if it begins with a dot. */
const dotted: ReadonlySet<Syntax> = new Set(['jsx', 'vue', 'svelte', 'astro']);

/** Attributes are stated at the top of a document: no more of it is read for them, in UTF-16 code units. */
const longestTop = 40_000;

/** The kind as which the text of `imageText` is read. */
const newKinds: Readonly<Record<Syntax, LinkKind>> = {
  markdown: 'inline',
  mdx: 'inline',
  html: 'tag',
  jsx: 'tag',
  vue: 'tag',
  svelte: 'tag',
  astro: 'tag',
  css: 'url',
  scss: 'url',
  latex: 'command',
  typst: 'command',
  restructuredtext: 'directive',
  asciidoc: 'macro',
};

/** How a new link at the end of a document with this text is written. */
export function newNaming(syntax: Syntax, text: string): Naming {
  return { kind: newKinds[syntax], syntax, ...(syntax === 'asciidoc' && { folders: statedFolders(text) }) };
}

/**
 * The path that a document uses for a file, both relative to their workspace folder. It's one that is read as that
 * file, and of those, one by which the document's site finds it: relative where no rule says otherwise. Not encoded
 * yet; see `imageText`.
 */
export async function linkPath(
  naming: Naming,
  documentPath: string,
  filePath: string,
  around: Surroundings,
): Promise<string> {
  const site = await around.site();
  const seen = { ...around, has: async (path: string) => path === filePath || (await around.has(path)) };
  for (const path of site ? ofSite(naming, documentPath, filePath, site) : []) {
    const link = asRead(naming, path);
    if (isServed(link, documentPath, filePath, site) && (await isReadAs(link, documentPath, filePath, seen)))
      return path;
  }
  for (const path of usual(naming, documentPath, filePath, site))
    if (await isReadAs(asRead(naming, path), documentPath, filePath, seen)) return path;
  return relativeTo(naming, documentPath, filePath);
}

/** The ways in which a site's documents may name a file, the usual first. */
function ofSite(naming: Naming, documentPath: string, filePath: string, site: Site): readonly string[] {
  const { builder, roots, base, config } = site;
  const { kind, folders = [] } = naming;
  const inImages =
    folders.length === 0 && builder.images && builder.ofImages?.includes(kind) && config !== undefined
      ? builder
          .images(inSite(documentPath, site), config, '')
          .map((folder) => relativePath(pageIn(site, folder), filePath))
      : [];
  const from = roots?.flatMap((root) => resolved(site.folder, root) ?? []) ?? [];
  const prefix = builder.addsBase?.includes(kind) === true ? '' : (base ?? '');
  const around = from.filter((root) => isBelow(root, filePath));
  const inRoots = around.map((root) => `${prefix}/${filePath.slice(root === '' ? 0 : root.length + 1)}`);
  const relative = relativeTo(naming, documentPath, filePath);
  const near = relative.startsWith('.') ? [relative] : [relative, `./${relative}`];
  const isNear = around.some((root) => isBelow(root, documentPath)) && builder.prefersRoot !== true;
  const copied = Object.entries((config !== undefined && builder.aliases?.(config)) || {}).flatMap(([at, folder]) => {
    const from = at === '' || at.startsWith('/') ? resolved(site.folder, folder ?? '') : undefined;
    return from !== undefined && isBelow(from, filePath)
      ? [`${at}/${filePath.slice(from === '' ? 0 : from.length + 1)}`]
      : [];
  });
  return [
    ...inImages.filter((path) => !path.startsWith('../')),
    ...copied,
    ...(isNear ? [...near, ...inRoots] : [...inRoots, ...near]),
    ...inImages,
  ];
}

/** The ways in any site: where the document says its images are, or from a folder that sites serve from their root. */
function usual({ syntax, folders = [] }: Naming, documentPath: string, filePath: string, site?: Site): string[] {
  const [stated] = folders;
  const from = stated === undefined ? undefined : folderBy(stated, documentPath);
  const inFolder = from === undefined ? [] : [relativePath(from === '' ? 'page' : `${from}/page`, filePath)];
  const served = ofSites.has(syntax) && !site?.roots ? siteFolders(folderOf(documentPath)) : [];
  const inRoots = served.filter((root) => isBelow(root, filePath)).map((root) => filePath.slice(root.length));
  return [...inFolder, ...inRoots];
}

function relativeTo({ syntax }: Naming, documentPath: string, filePath: string): string {
  const path = relativePath(documentPath, filePath);
  return dotted.has(syntax) && !path.startsWith('../') ? `./${path}` : path;
}

/** The link with this path, as the reader finds it. */
function asRead(naming: Naming, path: string): ImageLink {
  const span = { start: 0, end: path.length };
  return { ...naming, path, element: span, address: { ...span, text: path } };
}

/** Whether the document's site finds the file by this link. */
function isServed(link: ImageLink, documentPath: string, filePath: string, site: Site | undefined): boolean {
  if (!site) return false;
  const { candidates, isCertain } = sitePlaces(link, documentPath, site);
  return isCertain && (candidates.length === 0 || candidates.some(({ paths }) => paths.includes(filePath)));
}

async function isReadAs(link: ImageLink, documentPath: string, filePath: string, seen: Surroundings): Promise<boolean> {
  const found = await leadsTo(link, documentPath, seen);
  return found?.isThere === true && found.path === filePath;
}

/** The folders that `:imagesdir:` states for an image that follows, as a link of that place has them. */
function statedFolders(text: string): readonly string[] | undefined {
  const end = asciidocLinks(`${text.slice(0, longestTop)}\n\nimage::probe.png[]`).at(-1);
  return end?.path === 'probe.png' ? end.folders : undefined;
}

/** The folder that a document states for its images; undefined if outside the workspace folder, or not known. */
function folderBy(stated: string, documentPath: string): string | undefined {
  return stated.includes('{') ? undefined : resolved(stated.startsWith('/') ? '' : folderOf(documentPath), stated);
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** A document in a folder of a site, by its path in the workspace folder. */
function pageIn(site: Site, folder: string): string {
  return `${resolved(site.folder, folder) ?? site.folder}/page`.replace(/^\//, '');
}
