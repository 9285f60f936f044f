import type { LibraryEntry } from '../../renders/library';
import { kindOf } from './generationKind';

/**
 * How results are shown beside each other: in a comparison of pictures, as what differs between two texts, or each in
 * an editor.
 */
export type TogetherView = 'comparison' | 'difference' | 'editors';

/** What shows these saved results best. */
export function togetherOf(saved: readonly LibraryEntry[]): TogetherView {
  if (saved.length > 1 && saved.every((entry) => kindOf(entry) === 'picture')) return 'comparison';
  return saved.length === 2 && saved.every((entry) => kindOf(entry) === 'text') ? 'difference' : 'editors';
}
