import type { LibraryEntry } from '../../../renders/library';
import { madeKind } from '../../../renders/madeKind';

export type GenerationKind = 'picture' | 'text' | 'other';

/** The kind of a render's result, by the type of its bytes; undefined while no result was seen. */
export function kindOf(entry: LibraryEntry): GenerationKind | undefined {
  const kind = madeKind(entry);
  return kind === 'image' ? 'picture' : kind;
}

/** How long the service took, ms; undefined when unknown: it hasn't ended, or was started elsewhere. */
export function tookMs({ record }: LibraryEntry): number | undefined {
  if (!record || record.attempt === 0 || record.acceptedAt === undefined || record.endedAt === undefined)
    return undefined;
  return Math.max(0, record.endedAt - record.acceptedAt);
}
