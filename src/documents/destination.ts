import { endingOf, folderOf, foldersUp, imageEndings, resolved } from './paths';
import type { ImageLink } from './link';
import { type Site, siteFolders } from './site';
import { isOfRepository } from './siteBuilders';

/** One place where a link's file may be. */
export interface Candidate {
  /**
   * The file, relative to the workspace folder. LaTeX omits extensions, and React Native names one file for several
   * screens, and so they give several; a render goes to the first.
   */
  readonly paths: readonly [string, ...string[]];
  /** The link can mean this place only if this folder exists. */
  readonly folder: string;
}

/**
 * Why nothing is rendered for a link: it's `empty`, a `remote` URL, inline `data`, composed by a `template`, in a
 * `package` or behind a build's alias, leads `outside` the workspace folder, has an `ending` that is no image's, or its
 * document is `vendored`, or a `partial` that other documents include.
 */
export type NoDestination =
  'empty' | 'remote' | 'data' | 'template' | 'package' | 'outside' | 'ending' | 'vendored' | 'partial';

/**
 * Where a link's file is. It exists if any path of any candidate does. If none does, a render for it goes to the first
 * candidate whose folder exists, else to the last.
 */
export type LinkDestination =
  | { readonly kind: 'file'; readonly candidates: readonly [Candidate, ...Candidate[]] }
  | { readonly kind: 'none'; readonly reason: NoDestination };

/** Other file extensions that LaTeX accepts for graphics. */
const otherGraphics = new Set(['pdf', 'eps', 'ps', 'mps', 'pgf', 'tikz', 'emf', 'wmf']);
/** The order in which LaTeX tries extensions, except that the first is the one that a render gets. */
const latexEndings = ['png', 'pdf', 'jpg', 'jpeg', 'eps'];

/** The endings of what a link can show, including what a render can't be. */
export const graphicEndings: ReadonlySet<string> = new Set([...imageEndings, ...latexEndings]);

/** Limits how many places a link is looked for in. */
const mostCandidates = 64;

/**
 * The places where a link's file can be. `documentPath` is relative to the workspace folder, with `/` between segments.
 */
export function rendersTo(link: ImageLink, documentPath: string): LinkDestination {
  const reason = documentProblem(link, documentPath) ?? addressProblem(link) ?? endingProblem(link);
  if (reason) return { kind: 'none', reason };
  const [first, ...more] = candidatesOf(link, folderOf(documentPath)).slice(0, mostCandidates);
  return first ? { kind: 'file', candidates: [first, ...more] } : { kind: 'none', reason: 'outside' };
}

/** The images of what was made elsewhere, and of what is shown from elsewhere, aren't where its own links say. */
function documentProblem({ kind, path }: ImageLink, documentPath: string): NoDestination | undefined {
  if (/\.min\.(?:css|m?js)$/i.test(documentPath)) return 'vendored';
  return kind === 'url' && !path.startsWith('/') && /(?:^|\/)_[^/]*$/.test(documentPath) ? 'partial' : undefined;
}

function addressProblem({ address, path, kind, syntax, composed }: ImageLink): NoDestination | undefined {
  const text = address.text.trim();
  if (composed || isTemplate(text, syntax)) return 'template';
  if (/^(?:data|blob):/i.test(text)) return 'data';
  if (/^file:|^[a-z]:[\\/]/i.test(text)) return 'outside';
  if (/^(?:[a-z][a-z0-9+.-]+:|[\\/]{2})/i.test(text) && syntax !== 'latex') return 'remote';
  if (path.trim() === '') return 'empty';
  // These are valid in no path, or lead elsewhere on Windows.
  if (/[\p{Cc}\\]/u.test(path)) return 'outside';
  // They come with TeX.
  if (syntax === 'latex' && /^example-(?:image|grid)\b/.test(path)) return 'package';
  if (kind === 'import' && !/^(?:\.{0,2}\/|[@~]\/)/.test(path)) return 'package';
  return kind === 'url' && /^~(?!@?\/)/.test(path) ? 'package' : undefined;
}

/**
 * The marks of what a template fills in: `{{page.x}}`, `{static}`, `<%= x %>`, `${x}`, `[% x %]`, `%BASE%`,
 * `$relpath^`, `__BASE__`, `|static|`.
 */
const templateMark = new RegExp(
  [
    /\{\{|\{%|<[%?]|[$#]\{|\$\(|\[%|\{[^{}/\\]{0,80}\}|\$\w{1,40}\^/,
    // Not the percent signs of encoded characters.
    /%[A-Z][A-Z_]{1,39}%(?![0-9A-Fa-f]{2})/,
    /^\/?(?:__\w{1,40}__|\|\w{1,40}\|)\//,
  ]
    .map(({ source }) => source)
    .join('|'),
);

function isTemplate(text: string, syntax: ImageLink['syntax']): boolean {
  return templateMark.test(text) || (syntax === 'scss' && /^[$@]|@\{/.test(text));
}

function endingProblem({ path, syntax }: ImageLink): NoDestination | undefined {
  const ending = endingOf(path);
  if (imageEndings.has(ending)) return undefined;
  return syntax === 'latex' && !otherGraphics.has(ending) && !path.endsWith('/') ? undefined : 'ending';
}

function candidatesOf(link: ImageLink, here: string): Candidate[] {
  const { path, syntax } = link;
  if (syntax === 'latex') return latexCandidates(link, here);
  if (isAliased(link)) return aliasCandidates(link, here);
  // Obsidian finds a file by the end of its path, and prefers the nearest.
  if (link.kind === 'embed') return inFolders(foldersUp(here), path.replace(/^\//, ''));
  const [folder = ''] = link.folders ?? [];
  const whole = joined(folder, path);
  if (whole.startsWith('/')) {
    // In Typst, `/` is the folder that holds the main document.
    if (syntax === 'typst') return inFolders(foldersUp(here).reverse(), whole);
    const roots = syntax === 'restructuredtext' ? sourceFolders(here) : siteFolders(here);
    return inFolders([...roots, ''], whole);
  }
  if (link.kind === 'import' && syntax === 'jsx') return inFolders([here], whole, nativeVersions);
  return inFolders(isFromPage(link) ? [...siteFolders(here), here] : [here], whole);
}

/**
 * What links have in common that lead to their files by the same rule: their kind, and whether they begin at a root, at
 * an alias, or at the document.
 */
export function addressForm({ kind, path }: ImageLink): string {
  return `${kind} ${/^(?:\/|[@~#][\w-]*\/)/.exec(path)?.[0] ?? ''}`;
}

/**
 * The paths that a link's file has at its end, wherever a site keeps its images: as written, from the first name on.
 * Several where the language omits extensions.
 */
export function namesOf({ path, syntax }: ImageLink): readonly string[] {
  const written = path.replace(/^(?:(?:[@~#][\w-]*)?\/|\.{0,2}\/)+/, '');
  const whole = resolved('', written) ?? written.slice(written.lastIndexOf('/') + 1);
  return syntax === 'latex' ? endingsOf(path).map((ending) => `${whole}${ending}`) : [whole];
}

/** The part of a path that leads to where its names begin: `../`, `/`, or an alias. */
export function beginningOf({ kind, path }: ImageLink): string {
  return `${kind} ${/^(?:(?:[@~#][\w-]*)?\/|\.{1,2}\/)*/.exec(path)?.[0].replace(/^(?:\.\/)+/, '') ?? ''}`;
}

/** The extensions to try with a path in LaTeX. */
function endingsOf(path: string): readonly string[] {
  return imageEndings.has(endingOf(path)) ? [''] : latexEndings.map((ending) => `.${ending}`);
}

/** By convention, builds resolve `@/` and `~/` to a site's sources; `~@/` does so in older styles. */
const alias = /^(?:~?@|~)\//;

/** Whether a path begins with a build's alias for the sources. */
function isAliased({ kind, syntax, path }: ImageLink): boolean {
  return alias.test(path) && (kind === 'import' || kind === 'url' || syntax === 'vue' || syntax === 'svelte');
}

function aliasCandidates({ kind, path }: ImageLink, here: string): Candidate[] {
  const sources = foldersUp(here).map((folder) => joined(folder, 'src'));
  const aliased = path.replace(alias, '');
  // In a style sheet, a folder may have that name.
  return kind === 'url'
    ? [...inFolders(sources, aliased), ...inFolders([here], path)]
    : inFolders([...sources, ''], aliased);
}

/**
 * A browser resolves the path from the page that shows it, not from the source. From the source, only the site's root
 * can be told.
 */
export function isFromPage(link: ImageLink): boolean {
  const { kind, syntax, path } = link;
  if ((kind !== 'tag' && kind !== 'attribute' && kind !== 'value') || /^(?:\.\.)?\//.test(path)) return false;
  if (isAliased(link)) return false;
  return (
    syntax === 'jsx' || ((syntax === 'vue' || syntax === 'svelte' || syntax === 'astro') && !path.startsWith('./'))
  );
}

/** In Sphinx, `/` is the folder that holds the sources. */
function sourceFolders(here: string): string[] {
  return foldersUp(here).filter((folder) => /(?:^|\/)(?:docs?|documentation|source)$/.test(folder));
}

/** LaTeX resolves paths from the main document, which may be in any folder around a document that it includes. */
function latexCandidates({ path, folders = [] }: ImageLink, here: string): Candidate[] {
  if (path.startsWith('/')) return [];
  const endings = endingsOf(path);
  const inFolder = (folder: string, base: string): Candidate[] => {
    const [first, ...more] = endings.flatMap((ending) => resolved(base, joined(folder, `${path}${ending}`)) ?? []);
    return first === undefined ? [] : [{ paths: [first, ...more], folder: folderOf(first) }];
  };
  // If the site names image folders, a new image goes there.
  const candidates = [...folders, ''].flatMap((folder) => foldersUp(here).flatMap((base) => inFolder(folder, base)));
  return candidates.length > 1 ? [...candidates, ...inFolder('', here)] : candidates;
}

function inFolders(folders: readonly string[], path: string, versionsOf?: (file: string) => string[]): Candidate[] {
  return folders.flatMap((folder): Candidate[] => {
    const file = resolved(folder, path);
    return file === undefined || file === '' ? [] : [{ paths: [file, ...(versionsOf?.(file) ?? [])], folder }];
  });
}

/** React Native shows a version for the screen or the system, even if there's no file of the imported name itself. */
function nativeVersions(file: string): string[] {
  const dot = file.lastIndexOf('.');
  return ['@2x', '@3x', '@1x', '@1.5x', '@4x', '.ios', '.android', '.native'].map(
    (version) => `${file.slice(0, dot)}${version}${file.slice(dot)}`,
  );
}

function joined(folder: string, path: string): string {
  return folder === '' || path.startsWith('/') ? path : `${folder.replace(/\/$/, '')}/${path}`;
}

/** The places where a site's builder looks for a link's image. */
export interface SitePlaces {
  /**
   * Relative to the workspace folder; a new file goes to the first. Empty if the builder adds no places to those of any
   * document.
   */
  readonly candidates: readonly Candidate[];
  /** False if it can't be told in which of them the builder looks for a new file. */
  readonly isCertain: boolean;
}

/** The places of any document, and no others. */
const usual: SitePlaces = { candidates: [], isCertain: true };
const unknown: SitePlaces = { candidates: [], isCertain: false };

/**
 * The places where a site's builder looks for the image of a document's link, in addition to those from `rendersTo`.
 */
export function sitePlaces(link: ImageLink, documentPath: string, site: Site): SitePlaces {
  const { kind, syntax, path } = link;
  if (syntax === 'latex') return usual;
  const alias = aliasFolder(path, site);
  if (alias) return certain(site, [below(site, alias.folder)], alias.path);
  if (isAliased(link)) return usual;
  if (path.startsWith('/')) return fromRoot(link, documentPath, site);
  if (kind === 'import') return usual;
  if (site.config === undefined) return unknown;
  if (isOfRepository(documentPath, site.builder)) return usual;
  if (/^[@~#]/.test(path)) return unknown;
  const { builder } = site;
  if (builder.images && builder.ofImages?.includes(kind)) return fromImages(link, documentPath, builder.images, site);
  if (builder.fromRoot?.includes(kind) && !path.startsWith('.')) return fromRoot(link, documentPath, site);
  const isFromFile = site.builder.fromFile(documentPath).includes(kind);
  // A component resolves a neighboring file only by a path that begins with a dot.
  if (!isFromFile || ((kind === 'tag' || kind === 'attribute') && !path.startsWith('.'))) return unknown;
  // Some look there if there's nothing next to the document.
  return certain(site, [folderOf(documentPath), ...(site.roots ?? []).map((root) => below(site, root))], path);
}

function fromRoot({ kind, path }: ImageLink, documentPath: string, site: Site): SitePlaces {
  const { roots, base, builder } = site;
  if (!roots || base === undefined) return unknown;
  const inRoots = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  const places = certain(site, [...roots.map((root) => below(site, root)), site.folder], inRoots);
  const isNear = builder.ignoresSlash?.includes(kind) === true && inSite(documentPath, site).includes('/');
  // An import may refer to the sources.
  const isOther = kind === 'import' || isNear || isOfRepository(documentPath, builder);
  return { ...places, isCertain: places.isCertain && !isOther };
}

function aliasFolder(path: string, { builder, config }: Site): { folder: string; path: string } | undefined {
  const aliases = config === undefined ? {} : builder.aliases?.(config);
  for (const [alias, folder] of Object.entries(aliases ?? {}))
    if (folder !== undefined && path.startsWith(`${alias}/`)) return { folder, path: path.slice(alias.length) };
  return undefined;
}

type Images = NonNullable<Site['builder']['images']>;

function fromImages({ path, folders = [] }: ImageLink, documentPath: string, images: Images, site: Site): SitePlaces {
  const below = images(inSite(documentPath, site), site.config ?? '', path).flatMap(
    (folder) => resolved(site.folder, folder) ?? [],
  );
  // Coordinates of another module or version.
  if (below.length === 0 || folders.length > 0 || /[$@]/.test(path)) return unknown;
  const { candidates, isCertain } = certain(site, below, path);
  // To the first folder that exists, else to the first.
  const existing = candidates.map((one, at) => ({ ...one, folder: below[at] ?? site.folder }));
  return { candidates: [...existing, ...candidates.slice(0, 1)], isCertain };
}

/** The path of a document in its site. */
export function inSite(documentPath: string, { folder }: Site): string {
  return folder === '' ? documentPath : documentPath.slice(folder.length + 1);
}

/** A new file goes to the first of its places: the site's own folder exists. */
function certain(site: Site, folders: readonly (string | undefined)[], path: string): SitePlaces {
  const paths = folders.flatMap((folder) => (folder === undefined ? [] : (resolved(folder, path) ?? [])));
  const isCertain = folders[0] !== undefined && resolved(folders[0], path) !== undefined;
  return { candidates: paths.map((one) => ({ paths: [one], folder: site.folder })), isCertain };
}

/** A folder of a site; undefined if it's outside the workspace folder. */
function below(site: Site, folder: string): string | undefined {
  return resolved(site.folder, folder);
}
