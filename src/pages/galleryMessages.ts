import * as z from 'zod/mini';
import { actionId, actionView } from './actionView';
import { englishGalleryStrings } from './galleryStrings';
import { reader, textsLike } from './reading';
import { mostCompared } from './mostCompared';

/** The most tiles in one message: a page takes a few milliseconds to read them. */
export const mostTiles = 100;

/** The largest message that the host accepts from the gallery, in characters of JSON. */
const requestLimit = 1000;

const tile = z.object({
  id: z.string(),
  kind: z.enum(['picture', 'text', 'other']),
  stage: z.enum(['active', 'saved', 'notSaved', 'notSent', 'unknown', 'failed']),
  /** Its state, in words. */
  status: z.string(),
  /** More about it, in words. */
  story: z.optional(z.string()),
  prompt: z.string(),
  modelId: z.string(),
  /** The name that the agent who asked for it gave itself. */
  agent: z.optional(z.string()),
  /** The price or charge, in words. */
  price: z.optional(z.string()),
  /** The same for screen readers. */
  spokenPrice: z.optional(z.string()),
  /** When it was ordered, ms since 1970. */
  at: z.number(),
  /** The saved file's name. */
  fileName: z.optional(z.string()),
  /** URL of the saved image or of its thumbnail, valid only in this webview. */
  picture: z.optional(z.string()),
  /** The beginning of a text. */
  text: z.optional(z.string()),
  /** The names of the actions available now. */
  actions: z.array(actionId),
  /** All available actions, for the editor's menu: the page itself offers only `actions`. */
  menu: z.array(z.string()),
});
/** One render as the gallery shows it. All its texts are plain text, never markup. */
export type TileView = z.infer<typeof tile>;

const strings = textsLike(englishGalleryStrings);

const toGallery = z.discriminatedUnion('type', [
  /** The first response to `ready`: the texts, the locale for money and dates, and the actions on results. */
  z.object({ type: z.literal('strings'), strings, locale: z.string(), actions: z.array(actionView) }),
  /**
   * These tiles are new or changed, those ids were removed; with `more` the rest follows at once. `older`: how many
   * have no tile yet. `elsewhere`: how many are hidden since they came from other services, in words; '' for none.
   */
  z.object({
    type: z.literal('tiles'),
    tiles: z.array(tile).check(z.maxLength(mostTiles)),
    gone: z.array(z.string()),
    more: z.boolean(),
    older: z.int(),
    elsewhere: z.string(),
  }),
  /** The files of these tiles no longer exist. */
  z.object({ type: z.literal('missing'), ids: z.array(z.string()) }),
]);
/** From the extension host to the gallery. Never contains a key, and a service only by its name. */
export type ToGallery = z.infer<typeof toGallery>;

const fromGallery = z.discriminatedUnion('type', [
  /** The gallery's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** A button or key of a result. */
  z.strictObject({ type: z.literal('action'), action: actionId, id: z.string() }),
  /** Compare these images. */
  z.strictObject({
    type: z.literal('compare'),
    ids: z.array(z.string()).check(z.minLength(2), z.maxLength(mostCompared)),
  }),
  /** The image of this result is much larger than its tile. */
  z.strictObject({ type: z.literal('shownLarge'), id: z.string() }),
  /** The image of this result couldn't be loaded. */
  z.strictObject({ type: z.literal('missed'), id: z.string() }),
  /** "Show Older". */
  z.strictObject({ type: z.literal('showOlder') }),
  /** "Show All". */
  z.strictObject({ type: z.literal('showAll') }),
  /** "Open a Model…". */
  z.strictObject({ type: z.literal('openModel') }),
]);
/** From the gallery to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromGallery = z.infer<typeof fromGallery>;

/** The filter of the results; an empty text and `all` match everything. */
const filter = z.object({
  text: z.string(),
  /** The id of a model; '' for all. */
  modelId: z.string(),
  /** The name that an agent gave itself; '' for whoever asked. */
  agent: z.string(),
  kind: z.enum(['all', 'picture', 'text', 'other']),
  period: z.enum(['all', 'today', 'week', 'month']),
});
export type Filter = z.infer<typeof filter>;

/** The sizes of tiles, smallest first. */
export const tileSizes = ['small', 'usual', 'large'] as const;
export type TileSize = (typeof tileSizes)[number];

/** The state that the gallery keeps with the editor (`setState`) when it's hidden, moved, or reloaded. */
const kept = z.object({
  filter,
  size: z._default(z.enum(tileSizes), 'usual'),
  /** The result that is focused when the gallery has the focus. */
  current: z.optional(z.string()),
  selected: z.array(z.string()).check(z.maxLength(mostCompared)),
  /** The result at the top of the view, and how far its row is scrolled out, px. */
  place: z.optional(z.object({ id: z.string(), offset: z.number() })),
});
export type KeptGallery = z.infer<typeof kept>;

/** A message of the gallery, or undefined when it's unknown or too large. */
export const readFromGallery = reader(fromGallery, requestLimit);

/** A message of the host, or undefined when it's unknown or too large. */
export const readToGallery = reader(toGallery);

/** The state that was kept, or undefined if it can't be read. */
export const readKeptGallery = reader(kept);
