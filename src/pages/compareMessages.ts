import * as z from 'zod/mini';
import { englishCompareStrings } from './compareStrings';
import { mostCompared } from './mostCompared';
import { reader, textsLike } from './reading';

/** The modes of comparing two images, in the order of their keys 1, 2, 3, 4. */
export const compareModes = ['slider', 'sideBySide', 'onionSkin', 'difference'] as const;
export type CompareMode = (typeof compareModes)[number];

/** What a person can decide: about a new image for a file, about several of them, and about variants of one image. */
export const decisions = ['accept', 'keepBoth', 'discard', 'acceptAll', 'keepSelected'] as const;
export type CompareDecision = (typeof decisions)[number];

/** The largest message that the host accepts from a comparison, in characters of JSON. */
const requestLimit = 1000;

const picture = z.object({
  title: z.string(),
  /** More about it, in words. */
  detail: z.optional(z.string()),
  /** Its URL, valid only in this webview; undefined when the file doesn't exist. */
  address: z.optional(z.string()),
  bytes: z.optional(z.number()),
});
/** An image of a comparison. All its texts are plain text, never markup. */
export type PictureView = z.infer<typeof picture>;

const strings = textsLike(englishCompareStrings);

const toCompare = z.discriminatedUnion('type', [
  /** The first response to `ready`: the texts, and the locale for numbers. */
  z.object({ type: z.literal('strings'), strings, locale: z.string() }),
  /** The files to compare; sent again when one of them changed. */
  z.object({
    type: z.literal('comparison'),
    /** The host's name for this comparison, for when the editor restores the page. */
    id: z.string(),
    pictures: z.array(picture).check(z.minLength(2)),
    /** The mode until the person chooses one. */
    mode: z.enum(compareModes),
    /**
     * What the page decides: the last image is to replace the first, or in each pair the second the first, or which of
     * them are kept.
     */
    decisions: z.array(z.enum(decisions)),
  }),
]);
/** From the extension host to the comparison. Never contains a key or a service's URL. */
export type ToCompare = z.infer<typeof toCompare>;
export type ComparisonView = Extract<ToCompare, { type: 'comparison' }>;

const fromCompare = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** One of the decision buttons, and the images that were selected then, by their index. */
  z.strictObject({
    type: z.literal('decide'),
    decision: z.enum(decisions),
    selected: z.optional(z.array(z.int().check(z.nonnegative()))),
  }),
]);
/** From the comparison to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromCompare = z.infer<typeof fromCompare>;

const fraction = z.number().check(z.minimum(0), z.maximum(1));

/** The state that the comparison keeps with the editor (`setState`) when it's hidden, moved, or reloaded. */
const kept = z.object({
  id: z.string(),
  mode: z.enum(compareModes),
  zoom: z.object({ scale: z.number().check(z.minimum(1)), x: z.number(), y: z.number() }),
  /** The position of the divider, from the left edge, 0, to the right one, 1. */
  divider: fraction,
  /** The opacity of the second image. */
  opacity: fraction,
  /** The images to keep, by their index. */
  selected: z.optional(z.array(z.int().check(z.nonnegative())).check(z.maxLength(mostCompared))),
});
export type KeptCompare = z.infer<typeof kept>;

/** A message of the comparison, or undefined when it's unknown or too large. */
export const readFromCompare = reader(fromCompare, requestLimit);

/** A message of the host, or undefined when it's unknown or too large. */
export const readToCompare = reader(toCompare);

/** The state that was kept, or undefined if it can't be read. */
export const readKeptCompare = reader(kept, requestLimit);
