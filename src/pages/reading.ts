import * as z from 'zod/mini';

/** The largest message either side takes, in characters of its JSON. */
export const messageLimit = 1024 * 1024;

/** Reads what comes over the wire: undefined what is none of the set, or has more than `limit` characters of JSON. */
export function reader<Schema extends z.ZodMiniType>(
  schema: Schema,
  limit = messageLimit,
): (data: unknown) => z.output<Schema> | undefined {
  return (data) => (isWithin(limit, data) ? schema.safeParse(data).data : undefined);
}

/** The texts of a page: each by the name it has in English. */
export function textsLike<Name extends string>(english: Readonly<Record<Name, string>>) {
  const texts = Object.keys(english).map((name) => [name, z.string()]);
  return z.object(Object.fromEntries(texts) as Record<Name, z.ZodMiniString>);
}

function isWithin(limit: number, data: unknown): boolean {
  try {
    return JSON.stringify(data).length <= limit;
  } catch {
    // A value that JSON can't express (cycles, big integers) is no message either.
    return false;
  }
}
