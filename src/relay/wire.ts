import type { Readable } from 'node:stream';
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

/** From the window: it has the call, progress, or the result. While a user is asked, `page` is the window's URL. */
export const sayingSchema = z.union([
  z.object({ heard: z.literal(true) }),
  z.object({ progress: z.string(), page: z.optional(z.string()) }),
  z.object({ result: resultSchema }),
]);

export type WindowSaying = z.infer<typeof sayingSchema>;

const lineBreak = 10;

/**
 * Calls `hear` with each line of a stream, without its line break; undefined for a line of more than `most` bytes,
 * which is discarded.
 */
export function eachLine(stream: Readable, most: number, hear: (line: string | undefined) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (length > most) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(lineBreak); end >= 0; end = rest.indexOf(lineBreak)) {
      take(rest.subarray(0, end));
      const line = length > most ? undefined : Buffer.concat(parts).toString('utf8');
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
      hear(line);
    }
    take(rest);
  });
}

/** One value as a line of JSON. */
export function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The value in a line of JSON; undefined if it isn't JSON. */
export function jsonIn(line: string | undefined): unknown {
  try {
    return line === undefined ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
