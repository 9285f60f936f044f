import type { LibraryEntry } from '../renders/library';

/** Formats that the editor can show in a hover. */
const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp']);

const shownEndings = /\.(png|jpe?g|gif|webp|bmp)$/i;

/** Pixels. */
const width = 200;

/** Larger files aren't read for a hover, bytes. */
export const largestPreview = 30_000_000;

/** The saved file of a render if it's an image on this machine; a hover never downloads anything. */
export function localImage({ file, mediaType }: LibraryEntry): string | undefined {
  return file?.startsWith('file:///') && shown.has(mediaType ?? '') ? file : undefined;
}

/** True for the URI of a file on this machine that a hover can show, by its file extension. */
export function isShownImage(uri: string): boolean {
  return uri.startsWith('file:///') && shownEndings.test(uri);
}

/** The image as Markdown. Percent-encodes everything in the URI that Markdown could interpret. */
export function imageMarkdown(uri: string): string {
  const safe = uri.replace(/[^\w.~%:/-]+/gu, (part) => [...new TextEncoder().encode(part)].map(encoded).join(''));
  return `![](${safe}|width=${width})`;
}

function encoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
