import * as z from 'zod/mini';
import { compareModes, type CompareDecision, type CompareMode } from '../page/compareMessages';
import type { Store } from '../../../base/store';

/** An image to compare, as it is stored. */
export interface KeptPicture {
  /** Its name in the comparison. */
  readonly title: string;
  /** More about it, in words. */
  readonly detail?: string;
  /** URI. */
  readonly uri: string;
}

/** The content of one comparison page. */
export interface Comparison {
  readonly id: string;
  /** At least two. */
  readonly pictures: readonly KeptPicture[];
  /** The initial mode. */
  readonly mode: CompareMode;
  /** The key of the render whose staged result is the last image, if the page decides on it. */
  readonly staged?: string;
  /** The same for several: the keys of the renders whose staged results are the second image of each pair. */
  readonly stagedPairs?: readonly string[];
  /** The keys of the renders that the images are results of, in their order, if the page decides which to keep. */
  readonly variants?: readonly string[];
}

/** What a comparison decides on, if anything. */
export type DecidesOn = Pick<Comparison, 'staged' | 'stagedPairs' | 'variants'>;

/** The decisions that a page with this comparison offers, the most likely first. */
export function decisionsOn({ staged, stagedPairs, variants }: DecidesOn): CompareDecision[] {
  if (variants) return ['keepSelected'];
  if (stagedPairs) return ['acceptAll'];
  return staged === undefined ? [] : ['accept', 'keepBoth', 'discard'];
}

/** The keys of all renders whose staged results the page decides on. */
export function stagedOn({ staged, stagedPairs = [] }: DecidesOn): readonly string[] {
  return staged === undefined ? stagedPairs : [staged];
}

const shape = z.array(
  z.object({
    id: z.string(),
    pictures: z
      .array(z.object({ title: z.string(), detail: z.optional(z.string()), uri: z.string() }))
      .check(z.minLength(2)),
    mode: z.enum(compareModes),
    staged: z.optional(z.string()),
    stagedPairs: z.optional(z.array(z.string())),
    variants: z.optional(z.array(z.string())),
  }),
);

const memento = 'comparisons';
/** The oldest beyond these are dropped: windows that crashed leave some behind. */
const most = 40;

/**
 * The contents of this workspace's comparisons, so that the editor can restore their pages: the pages themselves name
 * no files.
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

  /** Drops the text about how the images were made. */
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
