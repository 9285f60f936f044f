import { rendersTo, type Candidate } from './destination';
import type { ImageLink } from './imageLink';
import type { Site } from './site';
import { sitePlaces } from './sitePlaces';

/** A link's file. */
export interface Located {
  /** The file if it exists, else the one that a render for it becomes. Relative to the workspace folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** False if the document's site may have the image elsewhere, so that it can't be called missing. */
  readonly isCertain: boolean;
}

/** The workspace folder around a document, by paths relative to it; '' is the folder itself. Nothing here rejects. */
export interface Surroundings {
  has(path: string): Promise<boolean>;
  /** The site that the document belongs to. */
  site(): Promise<Site | undefined>;
  /** A render is to become this file. */
  isAwaited(path: string): Promise<boolean>;
}

/** Finds where a document's link leads; undefined if no render could go there, see `rendersTo`. */
export async function located(
  link: ImageLink,
  documentPath: string,
  around: Surroundings,
): Promise<Located | undefined> {
  const destination = rendersTo(link, documentPath);
  if (destination.kind === 'none') return undefined;
  const usual = destination.candidates;
  const there = await first(usual, (path) => around.has(path));
  if (there !== undefined) return { path: there, isThere: true, isCertain: true };
  // Requested only now, since most images exist.
  const site = await around.site();
  const { candidates, isCertain } = site ? sitePlaces(link, documentPath, site) : { candidates: [], isCertain: true };
  const thereInSite = await first(candidates, (path) => around.has(path));
  if (thereInSite !== undefined) return { path: thereInSite, isThere: true, isCertain: true };
  const places = [...candidates, ...usual];
  const awaited = await first(places, (path) => around.isAwaited(path));
  return { path: awaited ?? (await placeOf(places, around)) ?? usual[0].paths[0], isThere: false, isCertain };
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
