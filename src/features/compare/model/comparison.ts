import * as z from 'zod/mini';
import type { Clock, Random } from '../../../base/clock';
import { type Log, reasonOf } from '../../../base/log';
import type { Json, JsonObject } from '../../../base/json';
import { oneLine } from '../../../base/plain';
import type { Store } from '../../../base/store';
import type { Field } from '../../../catalog/fields';
import { below, hashed, isInside } from '../../../files/sameFile';
import type { WorkspaceFiles } from '../../../files/workspaceSink';
import { type CompareDecision, type CompareMode, compareModes } from '../page/compareMessages';

/** An image to compare, as it is stored. */
export interface KeptImage {
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
  readonly images: readonly KeptImage[];
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
  if (stagedPairs) return ['acceptAll', 'discardAll'];
  return staged === undefined ? [] : ['accept', 'keepBoth', 'discard'];
}

/** The keys of all renders whose staged results the page decides on. */
export function stagedOn({ staged, stagedPairs = [] }: DecidesOn): readonly string[] {
  return staged === undefined ? stagedPairs : [staged];
}

/** The most characters of one of two names in the title of a tab. */
const mostOfName = 40;

/** The title of two images by their names: what they share once, and what differs never cut off. */
export function pairTitle(first: string, second: string): string {
  const [versionOne, versionTwo] = [versionIn(first), versionIn(second)];
  if (versionOne && versionTwo && versionOne.name === versionTwo.name)
    return `${oneLine(versionOne.name, mostOfName)} (${versionOne.version} ↔ ${versionTwo.version})`;
  const shared = sharedStart(first, second);
  return `${fromDifference(first, shared)} ↔ ${fromDifference(second, shared)}`;
}

/** Of a title such as “hero.png (now)”. */
function versionIn(title: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, version] = /^(.+) \(([^()]+)\)$/.exec(title) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function sharedStart(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}

/** A long name from a few characters before the place where it differs. */
function fromDifference(name: string, shared: number): string {
  const start = Math.min(shared, name.length - 1) - 12;
  if (name.length <= mostOfName || start <= 0) return oneLine(name, mostOfName);
  return oneLine(`…${name.slice(start)}`, mostOfName);
}

const shape = z.array(
  z.object({
    id: z.string(),
    images: z
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
    const bare = (images: Comparison['images']) => images.map(({ title, uri }) => ({ title, uri }));
    return this.memory.update(
      memento,
      this.all().map((comparison) => ({ ...comparison, images: bare(comparison.images) })),
    );
  }

  private all(): readonly Comparison[] {
    return shape.safeParse(this.memory.get(memento)).data ?? [];
  }
}

/** The words of a caption. */
interface CaptionWords {
  seed(seed: number): string;
  /** Of an option that is on or off, by its label. */
  option(label: string, isOn: boolean): string;
}

/**
 * The caption of each of several variants of a model: its number, its seed, and the options that not all of them have.
 * Texts tell nothing.
 */
export function variantCaptions(
  all: readonly JsonObject[],
  fields: readonly Field[],
  words: CaptionWords,
): readonly string[] {
  const differing = fields.filter(
    ({ kind, name }) =>
      (kind === 'choice' || kind === 'boolean') && new Set(all.map((inputs) => JSON.stringify(inputs[name]))).size > 1,
  );
  const seed = fields.find(({ kind }) => kind === 'seed')?.name;
  return all.map((inputs, index) => {
    const drawn = seed === undefined ? undefined : inputs[seed];
    const options = differing.flatMap((field) => {
      const value = Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
      return value === undefined ? [] : [optionWords(field, value, words)];
    });
    return [String(index + 1), ...(typeof drawn === 'number' ? [words.seed(drawn)] : []), ...options].join(' · ');
  });
}

function optionWords({ label, choices = [] }: Field, value: Json, words: CaptionWords): string {
  if (typeof value === 'boolean') return words.option(oneLine(label, 60), value);
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
  async remove(images: readonly string[], inUse: ReadonlySet<string>): Promise<void> {
    for (const uri of images) {
      if (!isInside(uri, this.folder) || inUse.has(uri)) continue;
      try {
        await this.files.delete(uri);
      } catch (error) {
        this.log.warn(`Comparison: ${reasonOf(error)}`);
      }
    }
  }
}
