import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock';
import { reasonOf } from '../../../base/errors';
import type { Json, JsonObject } from '../../../base/json';
import type { Log } from '../../../base/log';
import { oneLine } from '../../../base/plain';
import type { Random } from '../../../base/random';
import type { Store } from '../../../base/store';
import type { Field } from '../../../catalog/types';
import { below } from '../../../files/below';
import { hashed, isInside } from '../../../files/sameFile';
import type { WorkspaceFiles } from '../../../files/workspaceSink';
import { type CompareDecision, type CompareMode, compareModes } from '../page/compareMessages';

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

/** An input in which several renders differ, and the value of one of them. */
export interface Difference {
  readonly label: string;
  /** For display; true or false as they are. */
  readonly value: string | boolean;
}

/** For each of several renders of a model, the options that not all of them have. Seeds and texts tell nothing. */
export function differencesOf(
  all: readonly JsonObject[],
  fields: readonly Field[],
): readonly (readonly Difference[])[] {
  const differing = fields.filter(
    ({ kind, name }) =>
      (kind === 'choice' || kind === 'boolean') && new Set(all.map((inputs) => JSON.stringify(inputs[name]))).size > 1,
  );
  return all.map((inputs) =>
    differing.flatMap((field) => {
      const value = Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
      return value === undefined ? [] : [{ label: oneLine(field.label, 60), value: shown(field, value) }];
    }),
  );
}

function shown({ choices = [] }: Field, value: Json): string | boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return oneLine(choices.find((choice) => choice.value === value)?.label ?? text, 60);
}

/**
 * Copies of images that a page couldn't load from where they are, in a folder that all windows share. Each window uses
 * its own names, so that none removes what another one shows.
 */
export class Copies {
  private readonly window: string;

  constructor(
    /** URI. */
    private readonly folder: string,
    private readonly files: Pick<WorkspaceFiles, 'writeFile' | 'delete'>,
    private readonly clock: Clock,
    random: Random,
    private readonly log: Log,
  ) {
    this.window = random.uuid();
  }

  /** The URI of a copy; equal bytes give the same one. `ending` includes its dot, or is ''. */
  async of(bytes: Uint8Array, ending: string): Promise<string> {
    const { sha256 } = await hashed(bytes, this.clock);
    const copy = below(this.folder, [`${this.window}-${sha256}${ending}`]);
    await this.files.writeFile(copy, bytes);
    return copy;
  }

  /**
   * Removes the images (URIs) that are copies and no longer in use. Never rejects: a file that can't be removed does no
   * harm.
   */
  async remove(pictures: readonly string[], inUse: ReadonlySet<string>): Promise<void> {
    for (const uri of pictures) {
      if (!isInside(uri, this.folder) || inUse.has(uri)) continue;
      try {
        await this.files.delete(uri);
      } catch (error) {
        this.log.warn(`Comparison: ${reasonOf(error)}`);
      }
    }
  }
}
