import * as z from 'zod/mini';
import { compareModes, type CompareMode } from '../../pages/compareMessages';
import type { Store } from '../models/drafts';

/** A picture to compare, as it is kept. */
export interface KeptPicture {
  /** What it goes by in the comparison. */
  readonly title: string;
  /** What else is to know of it, in words. */
  readonly detail?: string;
  /** URI. */
  readonly uri: string;
}

/** What one page compares. */
export interface Comparison {
  readonly id: string;
  /** At least two. */
  readonly pictures: readonly KeptPicture[];
  /** How they are compared at first. */
  readonly mode: CompareMode;
  /** The key of the render whose staged result is the last picture: there it is decided. */
  readonly staged?: string;
}

const shape = z.array(
  z.object({
    id: z.string(),
    pictures: z
      .array(z.object({ title: z.string(), detail: z.optional(z.string()), uri: z.string() }))
      .check(z.minLength(2)),
    mode: z.enum(compareModes),
    staged: z.optional(z.string()),
  }),
);

const memento = 'comparisons';
/** The oldest are forgotten beyond these: windows that ended badly leave some behind. */
const most = 40;

/**
 * What the comparisons of this workspace are of, so that the editor can bring their pages back: the pages themselves
 * name no files.
 */
export class Comparisons {
  constructor(private readonly memory: Store) {}

  get(id: string): Comparison | undefined {
    return this.all().find((comparison) => comparison.id === id);
  }

  keep(comparison: Comparison): Thenable<void> {
    return this.memory.update(memento, [...this.all(), comparison].slice(-most));
  }

  forget(id: string): Thenable<void> {
    return this.memory.update(
      memento,
      this.all().filter((comparison) => comparison.id !== id),
    );
  }

  /** Keeps no word of what the pictures were made of. */
  forgetDetails(): Thenable<void> {
    const bare = (pictures: Comparison['pictures']) => pictures.map(({ title, uri }) => ({ title, uri }));
    return this.memory.update(
      memento,
      this.all().map((comparison) => ({ ...comparison, pictures: bare(comparison.pictures) })),
    );
  }

  private all(): readonly Comparison[] {
    return shape.safeParse(this.memory.get(memento)).data ?? [];
  }
}
