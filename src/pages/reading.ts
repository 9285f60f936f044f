import * as z from 'zod/mini';

/** The largest message that either side accepts, in characters of JSON. */
export const messageLimit = 1024 * 1024;

/** Parses a message: undefined if it's unknown, or longer than `limit` characters of JSON. */
export function reader<Schema extends z.ZodMiniType>(
  schema: Schema,
  limit = messageLimit,
): (data: unknown) => z.output<Schema> | undefined {
  return (data) => (isWithin(limit, data) ? schema.safeParse(data).data : undefined);
}

/** The texts of a page, by their names in the English table. */
export function textsLike<Name extends string>(english: Readonly<Record<Name, string>>) {
  const texts = Object.keys(english).map((name) => [name, z.string()]);
  return z.object(Object.fromEntries(texts) as Record<Name, z.ZodMiniString>);
}

function isWithin(limit: number, data: unknown): boolean {
  try {
    return JSON.stringify(data).length <= limit;
  } catch {
    // A value that JSON can't express (cycles, big integers) isn't a message.
    return false;
  }
}
