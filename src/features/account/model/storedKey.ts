import * as z from 'zod/mini';

const schema = z.object({ origin: z.string(), key: z.string() });

/** The content of a secret: the key and the origin it may be sent to. */
export type StoredKey = z.infer<typeof schema>;

/** Parses a secret; undefined when it isn't ours. */
export function parseStoredKey(secret: string): StoredKey | undefined {
  try {
    return schema.safeParse(JSON.parse(secret)).data;
  } catch {
    // Not JSON: written by something else, which the caller reports.
    return undefined;
  }
}
