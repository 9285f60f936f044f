import * as z from 'zod/mini';
import { englishOriginStrings } from './originStrings';
import { reader, textsLike } from './reading';

/** What can be done on the page about how a file was made, in the order of its buttons. */
export const originActions = ['renderAgain', 'openInForm', 'copyPrompt', 'copyAsText', 'openFile'] as const;
export type OriginAction = (typeof originActions)[number];

/** The largest message, and state, that the host accepts from the page, in characters of JSON: it names a file. */
const requestLimit = 10_000;

const fact = z.object({
  label: z.string(),
  text: z.string(),
  /** The exact name of what `text` calls by its display name. */
  detail: z.optional(z.string()),
});
export type OriginFact = z.infer<typeof fact>;

const group = z.object({ title: z.string(), facts: z.array(fact) });
export type OriginGroup = z.infer<typeof group>;

const origin = z.object({
  /** The file's URI, for when the editor restores the page. */
  file: z.string(),
  name: z.string(),
  path: z.string(),
  /** Who says so, and what happened to the file since, in whole sentences. */
  introduction: z.string(),
  /** `proven` by our render history and unchanged · `doubtful`: changed since, or maybe · `told`: all else. */
  standing: z.enum(['proven', 'doubtful', 'told']),
  /**
   * Undefined for a type of file that isn't an image. The URL is valid only in this webview; undefined for an image
   * that no longer exists or can't be reached.
   */
  picture: z.optional(z.object({ address: z.optional(z.string()) })),
  prompt: z.optional(z.object({ title: z.string(), text: z.string() })),
  /** The response of a text model. */
  answer: z.optional(z.object({ title: z.string(), text: z.string() })),
  facts: z.array(fact),
  inputs: z.optional(group),
  /** Folded until the person opens them. */
  more: z.array(group),
  actions: z.array(z.enum(originActions)),
});
/** How a file was made, each fact once. All texts are plain text, never markup. */
export type OriginView = z.infer<typeof origin>;

const toOrigin = z.discriminatedUnion('type', [
  /** The first response to `ready`: the texts, and the locale for numbers. */
  z.object({ type: z.literal('strings'), strings: textsLike(englishOriginStrings), locale: z.string() }),
  /** Sent again when the file or its render changed. */
  z.object({ type: z.literal('origin'), origin }),
  /** The file can't be read. */
  z.object({ type: z.literal('failed'), reason: z.string() }),
]);
/** From the extension host to the page. Never contains a key. */
export type ToOrigin = z.infer<typeof toOrigin>;

const fromOrigin = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** One of the buttons. */
  z.strictObject({ type: z.literal('act'), action: z.enum(originActions) }),
]);
/** From the page to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromOrigin = z.infer<typeof fromOrigin>;

/** The state that the page keeps with the editor (`setState`) for when the window reloads. */
const kept = z.object({ file: z.string() });
export type KeptOrigin = z.infer<typeof kept>;

/** A message of the page, or undefined when it's unknown or too large. */
export const readFromOrigin = reader(fromOrigin, requestLimit);

/** A message of the host, or undefined when it's unknown. A file can say megabytes of text. */
export function readToOrigin(data: unknown): ToOrigin | undefined {
  return toOrigin.safeParse(data).data;
}

/** The state that was kept, or undefined if it can't be read. */
export const readKeptOrigin = reader(kept, requestLimit);
