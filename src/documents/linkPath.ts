import { forEachLimit } from '../base/concurrency';
import { asciidocLinks } from './asciidoc';
import {
  addressForm,
  beginningOf,
  type Candidate,
  inSite,
  isFromPage,
  namesOf,
  rendersTo,
  sitePlaces,
} from './destination';
import type { ImageLink, LinkKind } from './link';
import { folderOf, relativePath, resolved } from './paths';
import { type Site, siteFolders } from './site';
import { isNotebook, type Syntax } from './syntax';

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

/** A link's file. */
export interface Located {
  /** The file if it exists, else the one that a render for it becomes. Relative to the workspace folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** A render is to become it. */
  readonly isAwaited?: boolean;
  /** By its configuration, the document's site looks for it there. */
  readonly isServed?: boolean;
  /** Why no render is offered although the file doesn't exist. */
  readonly doubt?: Doubt;
}

/**
 * An image `elsewhere` in the workspace folder may be the one that is meant · a build makes the file, since
 * `.gitignore` names it (`ignored`) · where the document's site would look for a new file can't be told (`place`).
 */
export type Doubt =
  { readonly why: 'elsewhere'; readonly path: string } | { readonly why: 'ignored' } | { readonly why: 'place' };

/** The workspace folder around a document, by paths relative to it; '' is the folder itself. Nothing here rejects. */
export interface Surroundings {
  /** Resolves once other work has had its turn: looking for many links may take long. */
  turn(): Promise<void>;
  has(path: string): Promise<boolean>;
  /** The images with this file name, in any case, wherever they are. */
  named(name: string): Promise<readonly string[]>;
  /** `.gitignore` excludes the file. */
  isIgnored(path: string): Promise<boolean>;
  /** The site that the document belongs to. */
  site(): Promise<Site | undefined>;
  /** A render is to become this file. */
  isAwaited(path: string): Promise<boolean>;
}

/** How many links are looked up at once. */
const atOnce = 16;

/**
 * Finds where a document's links lead, in their order; undefined for one that no render could go to, see `rendersTo`.
 * In doubt whether an image exists, it isn't called missing: how a site finds its images is known only in part.
 */
export async function located(
  links: readonly ImageLink[],
  documentPath: string,
  around: Surroundings,
): Promise<readonly (Located | undefined)[]> {
  const found: (Located | undefined)[] = [];
  if (links.length === 0) return found;
  await forEachLimit(links.entries(), atOnce, async ([at, link]) => {
    await around.turn();
    found[at] = await leadsTo(link, documentPath, around);
  });
  const open = [...links.entries()].filter(([at]) => found[at]?.isThere === false);
  if (open.length === 0) return found;
  // Where one link leads to its file by a rule, that rule holds for the others that are written like it.
  const proven = new Set(links.flatMap((link, at) => (found[at]?.isThere === true ? [addressForm(link)] : [])));
  await forEachLimit(open, atOnce, async ([at, link]) => {
    await around.turn();
    const one = found[at];
    if (!one) return;
    const other = await elsewhere(link, around);
    // What differs in case alone is a slip.
    const isMeant = !proven.has(addressForm(link)) || other?.toLowerCase() === one.path.toLowerCase();
    if (other !== undefined && isMeant) found[at] = { ...one, doubt: { why: 'elsewhere', path: other } };
  });
  const bases = basesOf(links, found);
  await forEachLimit(open, atOnce, async ([at, link]) => {
    const one = found[at];
    if (!one || one.doubt?.why === 'elsewhere') return;
    // Images that a site kept elsewhere before its configuration changed don't show where it looks for new ones.
    const base = one.isServed || one.isAwaited ? undefined : bases.get(beginningOf(link));
    const placed = base === undefined ? one : { path: `${base}${namesOf(link)[0]}`, isThere: false };
    const isBuilt = (await around.isIgnored(placed.path)) && !(await around.isIgnored(documentPath));
    found[at] = isBuilt ? { ...placed, doubt: { why: 'ignored' } } : placed;
  });
  return found;
}

/**
 * Where the paths as written begin in the workspace folder, as the existing images show, for links that begin alike: a
 * new image goes where the others of its document are. None where they disagree.
 */
function basesOf(links: readonly ImageLink[], found: readonly (Located | undefined)[]): ReadonlyMap<string, string> {
  const bases = new Map<string, string | undefined>();
  for (const [at, link] of links.entries()) {
    const one = found[at];
    const path = one?.isThere === true ? one.path : one?.doubt?.why === 'elsewhere' ? one.doubt.path : undefined;
    if (path === undefined) continue;
    const name = namesOf(link).find((written) => `/${path}`.toLowerCase().endsWith(`/${written}`.toLowerCase()));
    const base = name === undefined ? undefined : path.slice(0, path.length - name.length);
    const id = beginningOf(link);
    bases.set(id, !bases.has(id) || bases.get(id) === base ? base : undefined);
  }
  return new Map([...bases].flatMap(([id, base]) => (base === undefined ? [] : [[id, base]])));
}

/** Where a link leads by what is known of the languages and of site builders. */
async function leadsTo(link: ImageLink, documentPath: string, around: Surroundings): Promise<Located | undefined> {
  const destination = rendersTo(link, documentPath);
  if (destination.kind === 'none') return undefined;
  const usual = destination.candidates;
  const there = await first(usual, (path) => around.has(path));
  if (there !== undefined) return { path: there, isThere: true };
  // Requested only now, since most images exist.
  const site = await around.site();
  const { candidates, isCertain } = site
    ? sitePlaces(link, documentPath, site)
    : { candidates: [], isCertain: !isFromPage(link) && !isFromServer(link, documentPath) };
  const thereInSite = await first(candidates, (path) => around.has(path));
  if (thereInSite !== undefined) return { path: thereInSite, isThere: true };
  const places = [...candidates, ...usual];
  const awaited = await first(places, (path) => around.isAwaited(path));
  if (awaited !== undefined) return { path: awaited, isThere: false, isAwaited: true };
  const path = (await placeOf(places, around)) ?? usual[0].paths[0];
  const isServed = candidates.length > 0;
  return { path, isThere: false, ...(isCertain ? { isServed } : { doubt: { why: 'place' } }) };
}

/** In a notebook, `/` is the folder that Jupyter was started in. */
function isFromServer({ path }: ImageLink, documentPath: string): boolean {
  return path.startsWith('/') && isNotebook(documentPath);
}

async function first(
  candidates: readonly Candidate[],
  isIt: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const { paths } of candidates) for (const path of paths) if (await isIt(path)) return path;
  return undefined;
}

/** The first candidate whose folder exists, else the last. */
async function placeOf(candidates: readonly Candidate[], around: Surroundings): Promise<string | undefined> {
  for (const { paths, folder } of candidates.slice(0, -1)) if (await around.has(folder)) return paths[0];
  return candidates.at(-1)?.paths[0];
}

/** An image whose path ends with the link's path as written. */
async function elsewhere(link: ImageLink, around: Surroundings): Promise<string | undefined> {
  for (const written of namesOf(link)) {
    const ending = `/${written}`.toLowerCase();
    const named = await around.named(ending.slice(ending.lastIndexOf('/') + 1));
    const other = named.find((path) => `/${path}`.toLowerCase().endsWith(ending));
    if (other !== undefined) return other;
  }
  return undefined;
}
