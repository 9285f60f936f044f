import type { ModelKind } from '../catalog/fields';

/** The known facts about a result. */
interface KnownResult {
  /** By its bytes, where there is a file. */
  readonly mediaType?: string;
  readonly textOutput?: string;
}

/** The kind of a render's result, by its file, else by its text; undefined while no result was seen. */
export function madeKind({ mediaType, textOutput }: KnownResult): ModelKind | undefined {
  if (mediaType?.startsWith('image/')) return 'image';
  if (mediaType !== undefined) return mediaType.startsWith('text/') ? 'text' : 'other';
  return textOutput ? 'text' : undefined;
}
