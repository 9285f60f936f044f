import type { LibraryEntry } from '../../renders/library';

export type GenerationKind = 'picture' | 'text' | 'other';

/** What a render made, by its bytes' own type; undefined while nobody here has seen it. */
export function kindOf({ mediaType, textOutput }: LibraryEntry): GenerationKind | undefined {
  if (textOutput !== undefined || mediaType?.startsWith('text/')) return 'text';
  if (mediaType === undefined) return undefined;
  return mediaType.startsWith('image/') ? 'picture' : 'other';
}

/** How long the service took, ms; undefined when that is not known: it has not ended, or was started elsewhere. */
export function tookMs({ record }: LibraryEntry): number | undefined {
  if (!record || record.attempt === 0 || record.acceptedAt === undefined || record.endedAt === undefined)
    return undefined;
  return Math.max(0, record.endedAt - record.acceptedAt);
}
