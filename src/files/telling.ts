import type { Clock } from '../base/clock';
import type { Hashed } from './hashed';
import { inscriptionIn } from './inscription';
import { readProvenance, type Provenance } from './provenance';

/** The largest file that is read, bytes. */
export const largestFile = 256 * 1024 * 1024;
/** The largest sidecar file that is read, bytes: that never blocks for 50 ms. */
export const largestSidecar = 4 * 1024 * 1024;

/** Metadata of a file, embedded or in its sidecar file. Anyone can have written it. */
export interface Told {
  readonly provenance: Provenance;
  readonly where: 'inside' | 'beside';
}

/** The content that may include metadata. */
export interface Readable {
  /** Undefined if the file doesn't exist or is too large. */
  readonly whole: Hashed | undefined;
  /** The text of the sidecar file; undefined if there is none. */
  readonly beside: string | undefined;
}

/** Parts of a file that exist but can't be read: it's too large, or its sidecar file is too large or isn't one. */
export type Unread = 'largeFile' | 'largeSidecar' | 'brokenSidecar';

/** Metadata of a file, and whether the file still matches it. */
export interface Telling {
  readonly told: Told;
  /** Whether the file has changed since; `unknown` if its content isn't available. */
  readonly change: 'none' | 'changed' | 'unknown';
  /** Of the image without metadata; undefined if only the sidecar file has some. */
  readonly pictureSha256?: string;
}

/** Finds a file’s metadata; undefined if it has none. */
export async function tellingOf({ whole, beside }: Readable, clock: Clock): Promise<Telling | undefined> {
  const sha256 = whole?.sha256;
  const inside = whole && (await inscriptionIn(whole.bytes, clock));
  const provenance = beside === undefined ? undefined : readProvenance(beside);
  const isOfThis = sha256 !== undefined && provenance?.sha256 === sha256;
  // An image made from another may have inherited that one's metadata.
  if (inside && (inside.isOfThis || !isOfThis)) {
    const told: Told = { provenance: inside.provenance, where: 'inside' };
    return { told, change: inside.isOfThis ? 'none' : 'changed', pictureSha256: inside.pictureSha256 };
  }
  if (!provenance) return undefined;
  const change = sha256 === undefined ? 'unknown' : isOfThis ? 'none' : 'changed';
  return { told: { provenance, where: 'beside' }, change };
}
