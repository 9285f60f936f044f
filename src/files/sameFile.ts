/**
 * One spelling for all that mean the same file: writers of URIs differ in what they percent-encode and in the case of a drive letter.
 * To compare with, not to open.
 */
export function spelled(uri: string): string {
  return decoded(uri).replace(/^file:\/\/\/[A-Z]:/, (start) => start.toLowerCase());
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A lone percent sign: the URI is then as good a spelling as there is.
    return uri;
  }
}
