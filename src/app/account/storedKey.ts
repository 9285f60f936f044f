import * as z from 'zod/mini';

const schema = z.object({ origin: z.string(), key: z.string() });

/** What stands in a secret: the key with the origin it may travel to. */
export type StoredKey = z.infer<typeof schema>;

/** Reads a secret back; undefined when it is not one of ours. */
export function parseStoredKey(secret: string): StoredKey | undefined {
  try {
    return schema.safeParse(JSON.parse(secret)).data;
  } catch {
    // Not JSON: written by something else, which the caller tells.
    return undefined;
  }
}
