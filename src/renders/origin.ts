import type { Hashed } from '../files/hashed';
import { inscriptionIn } from '../files/inscription';
import { readProvenance, type Provenance } from '../files/provenance';
import type { Whereabouts } from './ledger';
import type { RenderRecord } from './record';

/** What there is of a file to find out how it was made. */
export interface Seen {
  /** Undefined when it is not there, or too large to be looked into. */
  readonly whole: Hashed | undefined;
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

/** A file that is proven to be of a render of ours, by a hash that was kept of it, or stands where one was saved. */
interface Ours {
  readonly record: RenderRecord;
  readonly told?: Told;
  /**
   * What became of it since: `none` it is as it was saved · `metadata` the picture is the one that was rendered, the
   * rest of the file is another · `replaced` it has the name of one of ours and may be any file · `unknown` so it may,
   * and cannot be looked into.
   */
  readonly change: 'none' | 'metadata' | 'replaced' | 'unknown';
}

/** A file of which we know nothing. What it says, it says of itself. */
interface Foreign {
  readonly record?: undefined;
  readonly told?: Told;
  /** Measured by what it says. */
  readonly change: 'none' | 'changed' | 'unknown';
}

/** How a file was made, as far as that can be told: with neither record nor words nobody knows. */
export type Origin = Ours | Foreign;

/** Finds the records whose result is, or was, where that says, the newest first. */
export type FindRecords = (isWanted: (result: Partial<Whereabouts>) => boolean) => Promise<readonly RenderRecord[]>;

/**
 * How a file was made. Ours is what has the bytes, or the picture, that were saved, wherever it was moved; then what
 * has the name of one of ours and says nothing else. What a file says of itself proves nothing: anybody can write the
 * ids of a published picture into another.
 */
export async function originOf(seen: Seen, find: FindRecords): Promise<Origin> {
  const sha256 = seen.whole?.sha256;
  const telling = tellingOf(seen);
  const { generationId } = telling?.told.provenance ?? {};
  const records = await find(
    (result) =>
      (sha256 !== undefined && result.sha256 === sha256) ||
      (generationId !== undefined && result.generationId === generationId) ||
      (typeof result.file === 'string' && seen.isAt(result.file)),
  );
  return ours(seen, records, sha256, telling) ?? { told: telling?.told, change: telling?.change ?? 'unknown' };
}

function ours(
  { isAt }: Seen,
  records: readonly RenderRecord[],
  sha256: string | undefined,
  telling: Telling | undefined,
): Ours | undefined {
  const told = telling?.told;
  const isHere = ({ file }: RenderRecord) => file !== undefined && isAt(file);
  const same = records.filter(({ spooled }) => sha256 !== undefined && spooled?.sha256 === sha256);
  const whole = same.find(isHere) ?? same[0];
  if (whole) return { record: whole, told, change: 'none' };
  const said = records.filter((record) => told && isOf(told.provenance, record));
  const picture = said.find(({ spooled }) => spooled && spooled.pictureSha256 === telling?.pictureSha256);
  if (picture?.spooled?.pictureSha256 !== undefined) return { record: picture, told, change: 'metadata' };
  const former = (told ? said : records).find(isHere);
  return former && { record: former, told, change: sha256 === undefined ? 'unknown' : 'replaced' };
}

/** What is told of a file, and how that fits it. */
interface Telling {
  readonly told: Told;
  readonly change: Foreign['change'];
  /** Of the picture as it is; undefined where only the file beside it tells. */
  readonly pictureSha256?: string;
}

function tellingOf({ whole, beside }: Seen): Telling | undefined {
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

function isOf({ generationId, modelId, service }: Provenance, record: RenderRecord): boolean {
  const isSame = generationId !== undefined && record.generationId === generationId && record.modelId === modelId;
  return isSame && (service === undefined || record.place === service);
}
