import * as z from 'zod/mini';

// Messages between a relay and a window over the window's socket, one line of JSON each: the relay sends one call; the
// window confirms it, then sends any number of progress messages and one result. Closing the connection cancels.

/** The longest line either way, bytes: a call has prompts, a result has images. */
export const longestCall = 1_000_000;
export const longestSaying = 8_000_000;

/** A call, with the token that proves that the caller can read this user's files. */
export const callSchema = z.object({
  token: z.string(),
  name: z.string(),
  input: z.unknown(),
  agent: z.string(),
  folder: z.string(),
  answerWithin: z.number(),
});

export type WindowCall = z.infer<typeof callSchema>;

const imageSchema = z.object({
  file: z.string(),
  mimeType: z.string(),
  /** Base64; absent when the image is too large to send. */
  data: z.optional(z.string()),
});

const resultSchema = z.object({
  text: z.string(),
  structured: z.optional(z.record(z.string(), z.unknown())),
  images: z.array(imageSchema),
  isError: z.optional(z.boolean()),
});

export type WindowResult = z.infer<typeof resultSchema>;

/** From the window: it has the call, progress, or the result. While a person is asked, `page` is the window's URL. */
export const sayingSchema = z.union([
  z.object({ heard: z.literal(true) }),
  z.object({ progress: z.string(), page: z.optional(z.string()) }),
  z.object({ result: resultSchema }),
]);

export type WindowSaying = z.infer<typeof sayingSchema>;
