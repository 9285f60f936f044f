import * as z from 'zod/mini';

// What a relay and a window say to each other over the window's socket, each a line of JSON: the relay one call, the
// window that it has it, any number of words on the way, and one result. Who closes first, breaks off.

/** The longest line either way, bytes: a call has prompts, a result has images. */
export const longestCall = 1_000_000;
export const longestSaying = 8_000_000;

/** A call with the token that proves that whoever calls can read this user's files. */
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
  /** Base64; absent where the image is too large to travel. */
  data: z.optional(z.string()),
});

const resultSchema = z.object({
  text: z.string(),
  structured: z.optional(z.record(z.string(), z.unknown())),
  images: z.array(imageSchema),
  isError: z.optional(z.boolean()),
});

export type WindowResult = z.infer<typeof resultSchema>;

/** What a window says: it has the call, what is going on, or how it ended. */
export const sayingSchema = z.union([
  z.object({ heard: z.literal(true) }),
  z.object({ progress: z.string() }),
  z.object({ result: resultSchema }),
]);

export type WindowSaying = z.infer<typeof sayingSchema>;
