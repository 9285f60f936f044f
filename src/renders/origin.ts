import { createHash } from 'node:crypto';
import { inscriptionIn } from '../files/inscription';
import { readProvenance, type Provenance } from '../files/provenance';
import type { RenderRecord } from './record';

/** What there is of a file to find out how it was made. */
export interface Seen {
  /** Undefined when it is not there, or too large to be looked into. */
  readonly bytes: Uint8Array | undefined;
  /** What the file beside it says that is made for this; undefined when there is none. */
  readonly beside: string | undefined;
  /** True for the URI of this file. */
  readonly isAt: (uri: string) => boolean;
}

/** What a file says of itself, or the one beside it. Anybody can have written it. */
export interface Told {
  readonly provenance: Provenance;
  readonly where: 'inside' | 'beside';
}

/**
 * What became of a file since: `none` it is as it was saved · `metadata` the picture is the one that was rendered, the rest of the file is
 * another · `changed` · `replaced` it has the name of one of ours and may be any file · `unknown`.
 */
export type Change = 'none' | 'metadata' | 'changed' | 'replaced' | 'unknown';

/** How a file was made, as far as that can be told: with neither record nor words nobody knows. */
export interface Origin {
  /** Our own record of it. */
  readonly record?: RenderRecord;
  readonly told?: Told;
  /** Measured by the record, else by what is told. */
  readonly change: Change;
}

/**
 * How a file was made. Our records come first, in their order: found by the bytes wherever the file was moved, by the render it says it is
 * and, where it says nothing, by its name.
 */
export function originOf(seen: Seen, records: readonly RenderRecord[]): Origin {
  const sha256 = seen.bytes && createHash('sha256').update(seen.bytes).digest('hex');
  const isHere = ({ file }: RenderRecord) => file !== undefined && seen.isAt(file);
  const same = records.filter(({ spooled }) => sha256 !== undefined && spooled?.sha256 === sha256);
  const record = same.find(isHere) ?? same[0];
  const told = tellingOf(seen, sha256);
  if (record) return { record, told, change: 'none' };
  if (told) return byWords(told, records);
  const former = records.find(isHere);
  return { record: former, change: former && sha256 !== undefined ? 'replaced' : 'unknown' };
}

interface Telling extends Told {
  readonly change: Change;
}

function tellingOf({ bytes, beside }: Seen, sha256: string | undefined): Telling | undefined {
  const inside = bytes && inscriptionIn(bytes);
  const provenance = beside === undefined ? undefined : readProvenance(beside);
  const isOfThis = sha256 !== undefined && provenance?.sha256 === sha256;
  // A picture made from another may have taken over what that one says.
  if (inside && (inside.isOfThis || !isOfThis))
    return { ...inside, where: 'inside', change: inside.isOfThis ? 'none' : 'changed' };
  if (!provenance) return undefined;
  return { provenance, where: 'beside', change: sha256 === undefined ? 'unknown' : isOfThis ? 'none' : 'changed' };
}

function byWords(told: Telling, records: readonly RenderRecord[]): Origin {
  const record = records.find((one) => isOf(told.provenance, one));
  // It is not the file we saved, or its bytes would have been known.
  const isOnlyPicture = record !== undefined && told.where === 'inside' && told.change === 'none';
  return { record, told, change: isOnlyPicture ? 'metadata' : told.change };
}

function isOf({ generationId, modelId, service }: Provenance, record: RenderRecord): boolean {
  const isSame = generationId !== undefined && record.generationId === generationId && record.modelId === modelId;
  return isSame && (service === undefined || record.place === service);
}
