import * as z from 'zod/mini';

/** The name of an action on renders, as a page sends it: the host looks it up among those it offers. */
export const actionId = z.string().check(z.regex(/^[A-Za-z]{1,40}$/));

/** The largest message that the host accepts from a page, in characters of JSON, unless a page needs more. */
export const messageLimit = 1024 * 1024;

/** Parses what a page sends or keeps: undefined if it's unknown, or longer than `limit` characters of JSON. */
export function reader<Schema extends z.ZodMiniType>(
  schema: Schema,
  limit = messageLimit,
): (data: unknown) => z.output<Schema> | undefined {
  return (data) => (isWithin(limit, data) ? schema.safeParse(data).data : undefined);
}

function isWithin(limit: number, data: unknown): boolean {
  try {
    return JSON.stringify(data).length <= limit;
  } catch {
    // A value that JSON can't express (cycles, big integers) isn't a message.
    return false;
  }
}
