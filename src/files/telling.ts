import type { Hashed } from './hashed';
import { inscriptionIn } from './inscription';
import { readProvenance, type Provenance } from './provenance';

/** What a file says of itself, or the one beside it. Anybody can have written it. */
export interface Told {
  readonly provenance: Provenance;
  readonly where: 'inside' | 'beside';
}

/** What there is of a file that may say how it was made. */
export interface Readable {
  /** Undefined when it is not there, or too large to be looked into. */
  readonly whole: Hashed | undefined;
  /** What the file beside it says that is made for this; undefined when there is none. */
  readonly beside: string | undefined;
}

/** What is told of a file, and how that fits it. */
export interface Telling {
  readonly told: Told;
  /** Whether it is another file by now than the one that this was told of; `unknown` where it can't be looked into. */
  readonly change: 'none' | 'changed' | 'unknown';
  /** Of the picture as it is; undefined where only the file beside it tells. */
  readonly pictureSha256?: string;
}

/** How a file was made, by its own words or those beside it; undefined when nothing says so. */
export function tellingOf({ whole, beside }: Readable): Telling | undefined {
  const sha256 = whole?.sha256;
  const inside = whole && inscriptionIn(whole.bytes);
  const provenance = beside === undefined ? undefined : readProvenance(beside);
  const isOfThis = sha256 !== undefined && provenance?.sha256 === sha256;
  // A picture made from another may have taken over what that one says.
  if (inside && (inside.isOfThis || !isOfThis)) {
    const told: Told = { provenance: inside.provenance, where: 'inside' };
    return { told, change: inside.isOfThis ? 'none' : 'changed', pictureSha256: inside.pictureSha256 };
  }
  if (!provenance) return undefined;
  const change = sha256 === undefined ? 'unknown' : isOfThis ? 'none' : 'changed';
  return { told: { provenance, where: 'beside' }, change };
}
