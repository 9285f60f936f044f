import { folded } from './names';

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

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A lone percent sign: the URI is then as good a spelling as there is.
    return uri;
  }
}
