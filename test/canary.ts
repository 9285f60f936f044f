import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { codeOf } from '../src/files/problem';

const secret = 'canary7Qx2ZrT9vB4mK8sW1';

/** The key of every test's service, and others that a test needs. Everything we leave behind is searched for it. */
export const canaryKey = `ai_live_${secret}`;
export const otherCanaryKey = `${canaryKey}-other`;
export const wrongCanaryKey = `${canaryKey}-wrong`;

/** The forms in which a key may occur: complete or in part, encoded, reversed. */
const guises: readonly string[] = [canaryKey, `Bearer ${canaryKey}`].flatMap((text) => [
  ...inBase64(text),
  Buffer.from(text).toString('hex'),
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  Array.from(text, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
]);

/** Parts of the secret this long reveal it, since they occur in no other text. */
const piece = 8;
const pieces = Array.from({ length: secret.length - piece + 1 }, (_, at) => secret.slice(at, at + piece));
const needles: readonly Buffer[] = [
  ...guises.map((guise) => guise.toLowerCase()),
  ...[...pieces, ...pieces.map((text) => Array.from(text).reverse().join(''))].map((text) => text.toLowerCase()),
].flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);

/** How often the key occurs, in any form. Ignores case, so that base64 in any case is found too. */
export function canaryHits(bytes: Uint8Array | string): number {
  const text = Buffer.from(Buffer.from(bytes).toString('latin1').toLowerCase(), 'latin1');
  return needles.filter((needle) => text.includes(needle)).length;
}

/** As `canaryHits`, for everything that a value shows when printed or walked. */
export function canaryHitsIn(value: unknown): number {
  return canaryHits(inspect(value, { depth: 12, showHidden: true, maxStringLength: 200_000, maxArrayLength: 1000 }));
}

/** The result of searching a folder. */
export interface Search {
  readonly files: number;
  readonly bytes: number;
  /** The files with the key in their content or name. */
  readonly hits: readonly string[];
}

/** Searches the content and name of every file below a folder, without following links. */
export function searchBelow(folder: string): Search {
  let bytes = 0;
  const files = entriesBelow(folder).filter((entry) => !entry.isDirectory());
  const hits = files.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? contentOf(file) : Buffer.alloc(0);
    bytes += content.length;
    return canaryHits(content) + canaryHits(entry.name) > 0 ? [file] : [];
  });
  return { files: files.length, bytes, hits };
}

/** Empty if it was removed since it was listed: a window may still be tidying up. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Done by hand, since `readdir` itself follows links to folders. */
function entriesBelow(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry, ...entriesBelow(join(folder, entry.name))] : [entry],
  );
}

/** The part of a text's base64 that doesn't depend on its surroundings, for each of its three possible alignments. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.from('\0'.repeat(before) + text).toString('base64url');
    return coded.slice(before === 0 ? 0 : before + 1, -4);
  });
}
