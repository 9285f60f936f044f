import { isAliased, type Candidate } from './destination';
import type { ImageLink } from './imageLink';
import { folderOf, resolved } from './paths';
import type { Site } from './site';
import { isOfRepository } from './siteBuilders';

/** The places where the builder of a site looks for the image of a link. */
export interface SitePlaces {
  /**
   * Relative to the workspace folder, where a new file goes first. None when the builder has no other places than any
   * document has.
   */
  readonly candidates: readonly Candidate[];
  /**
   * False where it cannot be told, or not all of it: an image that is in none of the places may be there nevertheless.
   */
  readonly isCertain: boolean;
}

/** Any document's own places, and no others. */
const usual: SitePlaces = { candidates: [], isCertain: true };
const unknown: SitePlaces = { candidates: [], isCertain: false };

/**
 * Where the builder of a site looks for the image of a link of a document in it, beside the places that `rendersTo`
 * tells.
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
  // A component finds a file next to it only by a path that begins with a dot.
  if (!isFromFile || ((kind === 'tag' || kind === 'poster') && !path.startsWith('.'))) return unknown;
  // Some look there when nothing is beside the document.
  return certain(site, [folderOf(documentPath), ...(site.roots ?? []).map((root) => below(site, root))], path);
}

function fromRoot({ kind, path }: ImageLink, documentPath: string, site: Site): SitePlaces {
  const { roots, base } = site;
  if (!roots || base === undefined) return unknown;
  const inRoots = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  const places = certain(site, [...roots.map((root) => below(site, root)), site.folder], inRoots);
  // An import may mean the sources.
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
  // Coordinates of another family or version.
  if (folder === undefined || folders.length > 0 || /[$@]/.test(path)) return unknown;
  return certain(site, [below(site, folder)], path);
}

/** The site's own folder is there: so the first of its places is where a new file goes. */
function certain(site: Site, folders: readonly (string | undefined)[], path: string): SitePlaces {
  const paths = folders.flatMap((folder) => (folder === undefined ? [] : (resolved(folder, path) ?? [])));
  const isCertain = folders[0] !== undefined && resolved(folders[0], path) !== undefined;
  return { candidates: paths.map((one) => ({ paths: [one], folder: site.folder })), isCertain };
}

/** A folder of a site; undefined when it is outside of the workspace folder. */
function below(site: Site, folder: string): string | undefined {
  return resolved(site.folder, folder);
}
