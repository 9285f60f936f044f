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
  return { bytes, sha256: await sha256Of([bytes], clock) };
}

/** The SHA-256 of pieces in a row, in hexadecimal; if they are very long, other work runs in between. */
export async function sha256Of(pieces: readonly Uint8Array[], clock: Clock): Promise<string> {
  const hash = createHash('sha256');
  const turns = new Turns(clock);
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += atOnce) {
      await turns.next();
      hash.update(piece.subarray(at, at + atOnce));
    }
  return hash.digest('hex');
}

/** Takes some ms. */
const atOnce = 1024 * 1024;
