import type { LibraryEntry } from '../../../renders/library';
import { kindOf } from './generationKind';

/** How to show results next to each other: as a comparison of images, a diff of two texts, or one editor each. */
export type TogetherView = 'comparison' | 'difference' | 'editors';

/** The best way to show these saved results. */
export function togetherOf(saved: readonly LibraryEntry[]): TogetherView {
  if (saved.length > 1 && saved.every((entry) => kindOf(entry) === 'picture')) return 'comparison';
  return saved.length === 2 && saved.every((entry) => kindOf(entry) === 'text') ? 'difference' : 'editors';
}
