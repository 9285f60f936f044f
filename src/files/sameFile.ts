import { below } from './below';
import { folded } from './names';

/** A file or folder with its new URI. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * One spelling for all that mean the same file: writers of URIs differ in what they percent-encode and in the case of a
 * drive letter. To compare with, not to open.
 */
export function spelled(uri: string): string {
  return decoded(uri).replace(/^file:\/\/\/[A-Z]:/, (start) => start.toLowerCase());
}

/**
 * One key for all URIs that may mean the same file, on one disk or another: also those that differ in case or Unicode
 * form alone. No result is saved beside a file of such a name, so one render does for all of them.
 */
export function fileKey(uri: string): string {
  return folded(spelled(uri));
}

/** True when the file is somewhere below the folder; both are URIs, however they are spelled. */
export function isInside(file: string | undefined, folder: string): boolean {
  return file !== undefined && isBelow(spelled(file), spelled(folder));
}

/** The same of URIs in the one spelling. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The URI that a file has once it, or a folder it is in, was renamed; undefined where neither was. */
export function afterRename(uri: string, { from, to }: Renamed): string | undefined {
  if (spelled(uri) === spelled(from)) return to;
  return isInside(uri, from) ? below(to, pathBelow(uri, from).split('/')) : undefined;
}

/** Where a file is below a folder it is inside of; both are URIs. */
export function pathBelow(file: string, folder: string): string {
  return spelled(file).slice(spelled(folder).replace(/\/$/, '').length + 1);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A lone percent sign: the URI is then as good a spelling as there is.
    return uri;
  }
}
