import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

const secret = 'canary7Qx2ZrT9vB4mK8sW1';

/** A key that opens nothing, and is looked for wherever our work leaves anything. */
export const canaryKey = `ai_live_${secret}`;

/** The guises in which a key may lie about: whole or in part, coded, backwards. */
const guises: readonly string[] = [canaryKey, `Bearer ${canaryKey}`].flatMap((text) => [
  ...inBase64(text),
  Buffer.from(text).toString('hex'),
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  Array.from(text, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
]);

/** Pieces of the secret part this long give it away: no other text has them. */
const piece = 8;
const pieces = Array.from({ length: secret.length - piece + 1 }, (_, at) => secret.slice(at, at + piece));
const needles: readonly Buffer[] = [
  ...guises.map((guise) => guise.toLowerCase()),
  ...[...pieces, ...pieces.map((text) => Array.from(text).reverse().join(''))].map((text) => text.toLowerCase()),
].flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);

/** How often the key, in any guise, is in there: case counts for nothing, so that base64 in any case is a hit too. */
export function canaryHits(bytes: Uint8Array | string): number {
  const text = Buffer.from(Buffer.from(bytes).toString('latin1').toLowerCase(), 'latin1');
  return needles.filter((needle) => text.includes(needle)).length;
}

/** As `canaryHits`, of everything a value shows to those who print it or walk it. */
export function canaryHitsIn(value: unknown): number {
  return canaryHits(inspect(value, { depth: 12, showHidden: true, maxStringLength: 200_000, maxArrayLength: 1000 }));
}

/** As `canaryHits`, of every file below a folder and of its names. */
export function canaryHitsBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        canaryHits(entry.name) + (entry.isFile() ? canaryHits(readFileSync(join(entry.parentPath, entry.name))) : 0),
    )
    .reduce((sum, hits) => sum + hits, 0);
}

/** The part of a text's base64 that is the same whatever stands before and after it, for each of the three ways it can fall. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.from('\0'.repeat(before) + text).toString('base64url');
    return coded.slice(before === 0 ? 0 : before + 1, -4);
  });
}
