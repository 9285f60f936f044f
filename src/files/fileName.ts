/** The last segment of a file's URI, as it is on disk. */
export function fileNameOf(uri: string): string {
  const segment = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone percent sign: use the segment as it is.
    return segment;
  }
}
