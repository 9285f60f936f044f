import { eachOf } from '../base/eachOf';
import { addressForm, namesOf, rendersTo, type Candidate } from './destination';
import type { ImageLink } from './imageLink';
import type { Site } from './site';
import { sitePlaces } from './sitePlaces';

/** A link's file. */
export interface Located {
  /** The file if it exists, else the one that a render for it becomes. Relative to the workspace folder. */
  readonly path: string;
  readonly isThere: boolean;
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
  await eachOf(links.entries(), atOnce, async ([at, link]) => {
    await around.turn();
    found[at] = await byRule(link, documentPath, around);
  });
  // Where one link leads to its file by a rule, that rule holds for the others that are written like it.
  const proven = new Set(links.flatMap((link, at) => (found[at]?.isThere === true ? [addressForm(link)] : [])));
  const doubted = async (link: ImageLink, one: Located): Promise<Doubt | undefined> => {
    const other = proven.has(addressForm(link)) ? undefined : await elsewhere(link, around);
    if (other !== undefined) return { why: 'elsewhere', path: other };
    return (await isBuilt(one.path, documentPath, around)) ? { why: 'ignored' } : one.doubt;
  };
  await eachOf(links.entries(), atOnce, async ([at, link]) => {
    await around.turn();
    const one = found[at];
    if (one && !one.isThere) found[at] = { ...one, doubt: await doubted(link, one) };
  });
  return found;
}

/** Where a link leads by what is known of the languages and of site builders. */
async function byRule(link: ImageLink, documentPath: string, around: Surroundings): Promise<Located | undefined> {
  const destination = rendersTo(link, documentPath);
  if (destination.kind === 'none') return undefined;
  const usual = destination.candidates;
  const there = await first(usual, (path) => around.has(path));
  if (there !== undefined) return { path: there, isThere: true };
  // Requested only now, since most images exist.
  const site = await around.site();
  const { candidates, isCertain } = site ? sitePlaces(link, documentPath, site) : { candidates: [], isCertain: true };
  const thereInSite = await first(candidates, (path) => around.has(path));
  if (thereInSite !== undefined) return { path: thereInSite, isThere: true };
  const places = [...candidates, ...usual];
  const awaited = await first(places, (path) => around.isAwaited(path));
  const path = awaited ?? (await placeOf(places, around)) ?? usual[0].paths[0];
  return { path, isThere: false, doubt: isCertain ? undefined : { why: 'place' } };
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

/** In a document that is ignored itself, that says nothing about its images. */
async function isBuilt(path: string, documentPath: string, around: Surroundings): Promise<boolean> {
  return (await around.isIgnored(path)) && !(await around.isIgnored(documentPath));
}
