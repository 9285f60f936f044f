import * as z from 'zod/mini';
import { englishCompareStrings } from './compareStrings';
import { reader, textsLike } from './reading';

/** How two pictures can be compared, in the order of their keys 1, 2, 3, 4. */
export const compareModes = ['slider', 'sideBySide', 'onionSkin', 'difference'] as const;
export type CompareMode = (typeof compareModes)[number];

/** A person's decision about a picture that was rendered to replace another. */
export const decisions = ['accept', 'keepBoth', 'discard'] as const;
export type CompareDecision = (typeof decisions)[number];

/** The largest message of a comparison the host takes, in characters of its JSON. */
const requestLimit = 1000;

const picture = z.object({
  title: z.string(),
  /** More about it, in words. */
  detail: z.optional(z.string()),
  /** Its address, good only inside this webview; undefined when the file is not there. */
  address: z.optional(z.string()),
  bytes: z.optional(z.number()),
});
/** A picture of a comparison. All its words are text, never markup. */
export type PictureView = z.infer<typeof picture>;

const strings = textsLike(englishCompareStrings);

const toCompare = z.discriminatedUnion('type', [
  /** The first answer to `ready`: the texts, and the language numbers are written in. */
  z.object({ type: z.literal('strings'), strings, locale: z.string() }),
  /** The files to compare; again when one of them has changed. */
  z.object({
    type: z.literal('comparison'),
    /** The host's name for this comparison, for when the editor brings the page back. */
    id: z.string(),
    pictures: z.array(picture).check(z.minLength(2)),
    /** How they are compared until the person chooses. */
    mode: z.enum(compareModes),
    /** The last picture was rendered to take the place of the first: it is to be decided. */
    isToDecide: z.boolean(),
  }),
]);
/** From the extension host to the comparison. Never holds a key or the address of a service. */
export type ToCompare = z.infer<typeof toCompare>;
export type ComparisonView = Extract<ToCompare, { type: 'comparison' }>;

const fromCompare = z.discriminatedUnion('type', [
  /** The page's script has started and knows nothing: at first, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** A button of those that decide. */
  z.strictObject({ type: z.literal('decide'), decision: z.enum(decisions) }),
]);
/** From the comparison to the extension host. A closed set: it names no price, no path, no address and no command. */
export type FromCompare = z.infer<typeof fromCompare>;

const fraction = z.number().check(z.minimum(0), z.maximum(1));

/** The state that the comparison keeps with the editor (`setState`) when it's hidden, moved, or reloaded. */
const kept = z.object({
  id: z.string(),
  mode: z.enum(compareModes),
  zoom: z.object({ scale: z.number().check(z.minimum(1)), x: z.number(), y: z.number() }),
  /** The position of the divider, from the left edge, 0, to the right one, 1. */
  divider: fraction,
  /** How much of the second picture is seen over the first. */
  opacity: fraction,
});
export type KeptCompare = z.infer<typeof kept>;

/** A message of the comparison, or undefined when it is none of the set or too large. */
export const readFromCompare = reader(fromCompare, requestLimit);

/** A message of the host, or undefined when it is none of the set or too large. */
export const readToCompare = reader(toCompare);

/** The state that was kept, or undefined if it can't be read. */
export const readKeptCompare = reader(kept, requestLimit);
