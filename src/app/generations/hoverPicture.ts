import type { LibraryEntry } from '../../renders/library';

/** What the editor shows as a picture in a hover. */
const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp']);

/** Pixels. */
const width = 200;

/** A larger file is not read for a hover, bytes. */
export const largestPreview = 30_000_000;

/** The saved file of a render when it is a picture on this machine; a hover never fetches anything. */
export function localPicture({ file, mediaType }: LibraryEntry): string | undefined {
  return file?.startsWith('file:///') && shown.has(mediaType ?? '') ? file : undefined;
}

/** The picture as Markdown. Whatever the URI holds that Markdown could read as its own is percent-encoded. */
export function pictureMarkdown(uri: string): string {
  const safe = uri.replace(/[^\w.~%:/-]+/gu, (part) => [...new TextEncoder().encode(part)].map(encoded).join(''));
  return `![](${safe}|width=${width})`;
}

function encoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
