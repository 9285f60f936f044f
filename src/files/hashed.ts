import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock';
import { Turns } from '../base/turns';

/** Bytes, and their SHA-256 in hexadecimal. */
export interface Hashed {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Hashes bytes; if there are very many, other work runs in between. */
export async function hashed(bytes: Uint8Array, clock: Clock): Promise<Hashed> {
  const hash = createHash('sha256');
  const turns = new Turns(clock);
  for (let at = 0; at < bytes.length; at += atOnce) {
    await turns.next();
    hash.update(bytes.subarray(at, at + atOnce));
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Takes some ms. */
const atOnce = 1024 * 1024;
