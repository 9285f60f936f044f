import { isAliased, type Candidate } from './destination';
import type { ImageLink } from './imageLink';
import { folderOf, resolved } from './paths';
import type { Site } from './site';
import { isOfRepository } from './siteBuilders';

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
