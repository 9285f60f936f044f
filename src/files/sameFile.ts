import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { folded } from './names';

/** A file or folder with its new URI. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * One spelling for all URIs of the same file: they differ in percent-encoding and in the case of a drive letter. For
 * comparisons, not for opening.
 */
export function spelled(uri: string): string {
  return decoded(uri).replace(/^file:\/\/\/[A-Z]:/, (start) => start.toLowerCase());
}

/** The same for a folder, with or without a slash at its end. */
export function spelledFolder(uri: string): string {
  return spelled(uri).replace(/\/+$/, '');
}

/**
 * One key for all URIs that may mean the same file on any disk, including those that differ only in case or Unicode
 * form. No result is saved next to a file of such a name, so one render serves all of them.
 */
export function fileKey(uri: string): string {
  return folded(spelled(uri));
}

/** True when the file is somewhere below the folder; both are URIs, in any spelling. */
export function isInside(file: string | undefined, folder: string): boolean {
  return file !== undefined && isBelow(spelled(file), spelled(folder));
}

/** The same for URIs in the one spelling. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** A file's URI after it, or a folder above it, was renamed; undefined when neither was. */
export function afterRename(uri: string, { from, to }: Renamed): string | undefined {
  if (spelled(uri) === spelled(from)) return to;
  return isInside(uri, from) ? below(to, pathBelow(uri, from).split('/')) : undefined;
}

/** The path of a file relative to a folder that contains it; both are URIs. */
export function pathBelow(file: string, folder: string): string {
  return spelled(file).slice(spelled(folder).replace(/\/$/, '').length + 1);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A lone percent sign: use the URI as it is.
    return uri;
  }
}

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
  const turns = new Yielder(clock);
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += atOnce) {
      await turns.next();
      hash.update(piece.subarray(at, at + atOnce));
    }
  return hash.digest('hex');
}

/** Takes some ms. */
const atOnce = 1024 * 1024;

/** The URI of a path below another URI; a query, which some file systems need, stays at the end. */
export function below(root: string, segments: readonly string[]): string {
  const [, path = '', query = ''] = /^([^?#]*)(.*)$/.exec(root) ?? [];
  return [path.replace(/\/$/, ''), ...segments.map(encodeURIComponent)].join('/') + query;
}
