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
  /** False if the places aren't all known, so that an image in none of them may still exist. */
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
  if (syntax === 'latex' || isAliased(link)) return usual;
  if (path.startsWith('/')) return fromRoot(link, documentPath, site);
  if (kind === 'import') return usual;
  if (site.config === undefined) return unknown;
  if (isOfRepository(documentPath)) return usual;
  if (/^[@~#]/.test(path)) return fromAlias(path, site);
  if (kind === 'macro' && site.builder.images) return fromImages(link, documentPath, site.builder.images, site);
  const isFromFile = site.builder.fromFile(documentPath).includes(kind);
  // A component resolves a neighboring file only by a path that begins with a dot.
  if (!isFromFile || ((kind === 'tag' || kind === 'attribute') && !path.startsWith('.'))) return unknown;
  // Some look there if there's nothing next to the document.
  return certain(site, [folderOf(documentPath), ...(site.roots ?? []).map((root) => below(site, root))], path);
}

function fromRoot({ kind, path }: ImageLink, documentPath: string, site: Site): SitePlaces {
  const { roots, base } = site;
  if (!roots || base === undefined) return unknown;
  const inRoots = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  const places = certain(site, [...roots.map((root) => below(site, root)), site.folder], inRoots);
  // An import may refer to the sources.
  return { ...places, isCertain: places.isCertain && kind !== 'import' && !isOfRepository(documentPath) };
}

function fromAlias(path: string, site: Site): SitePlaces {
  const { alias } = site.builder;
  return alias !== undefined && path.startsWith(`${alias}/`)
    ? certain(site, [site.folder], path.slice(alias.length))
    : unknown;
}

type Images = NonNullable<Site['builder']['images']>;

function fromImages({ path, folders = [] }: ImageLink, documentPath: string, images: Images, site: Site): SitePlaces {
  const inSite = site.folder === '' ? documentPath : documentPath.slice(site.folder.length + 1);
  const folder = images(inSite, site.config ?? '');
  // Coordinates of another module or version.
  if (folder === undefined || folders.length > 0 || /[$@]/.test(path)) return unknown;
  return certain(site, [below(site, folder)], path);
}

/** The site's own folder exists, so a new file goes to the first of its places. */
function certain(site: Site, folders: readonly (string | undefined)[], path: string): SitePlaces {
  const paths = folders.flatMap((folder) => (folder === undefined ? [] : (resolved(folder, path) ?? [])));
  const isCertain = folders[0] !== undefined && resolved(folders[0], path) !== undefined;
  return { candidates: paths.map((one) => ({ paths: [one], folder: site.folder })), isCertain };
}

/** A folder of a site; undefined if it's outside the workspace folder. */
function below(site: Site, folder: string): string | undefined {
  return resolved(site.folder, folder);
}
