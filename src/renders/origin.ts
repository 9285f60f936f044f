import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock';
import { promptOf } from '../catalog/fields';
import {
  type Provenance,
  type Readable,
  type FileMetadata,
  fileMetadataOf,
  type FileRecord,
} from '../files/provenance';
import type { Whereabouts } from './ledger';
import type { RenderRecord } from './record';

/** A file's readable parts, for finding out how it was made. */
export interface Seen extends Readable {
  /** True for the URI of this file. */
  readonly isAt: (uri: string) => boolean;
}

/** A file from a render of ours: one of its stored hashes proves that, or the file is where a result was saved. */
interface Ours {
  readonly record: RenderRecord;
  readonly fileRecord?: FileRecord;
  /**
   * Changes since then: `none`: unchanged · `metadata`: the image is the rendered one, the rest of the file differs ·
   * `replaced`: it has the name of one of our results and may be any file · `unknown`: it may be either, and can't be
   * read.
   */
  readonly change: 'none' | 'metadata' | 'replaced' | 'unknown';
}

/** A file we have no record of. Only its own metadata describes it. */
interface Foreign {
  readonly record?: undefined;
  readonly fileRecord?: FileRecord;
  /** Judged by its own metadata. */
  readonly change: FileMetadata['change'];
}

/** How a file was made, as far as records and metadata can tell. */
export type Origin = Ours | Foreign;

/** Finds the records whose result is, or was, at a place that `isWanted` accepts, newest first. */
export type FindRecords = (isWanted: (result: Partial<Whereabouts>) => boolean) => Promise<readonly RenderRecord[]>;

/**
 * How a file was made. It's ours if it has the saved bytes or image, wherever it was moved; else if it has the name of
 * one of our results and says nothing different. A file's statements about itself prove nothing: anyone can write the
 * ids of a published image into another.
 */
export async function originOf(seen: Seen, find: FindRecords, clock: Clock): Promise<Origin> {
  const sha256 = seen.whole?.sha256;
  const metadata = await fileMetadataOf(seen, clock);
  const { generationId } = metadata?.record.provenance ?? {};
  const records = await find(
    (result) =>
      (sha256 !== undefined && result.sha256 === sha256) ||
      (generationId !== undefined && result.generationId === generationId) ||
      (typeof result.file === 'string' && seen.isAt(result.file)),
  );
  return (
    ours(seen, records, sha256, metadata) ?? { fileRecord: metadata?.record, change: metadata?.change ?? 'unknown' }
  );
}

function ours(
  { isAt }: Seen,
  records: readonly RenderRecord[],
  sha256: string | undefined,
  metadata: FileMetadata | undefined,
): Ours | undefined {
  const fileRecord = metadata?.record;
  const isHere = ({ file }: RenderRecord) => file !== undefined && isAt(file);
  const same = records.filter(({ spooled }) => sha256 !== undefined && spooled?.sha256 === sha256);
  const whole = same.find(isHere) ?? same[0];
  if (whole) return { record: whole, fileRecord, change: 'none' };
  const matching = records.filter((record) => fileRecord && isMetadataOf(fileRecord.provenance, record));
  const image = matching.find(({ spooled }) => spooled && spooled.pictureSha256 === metadata?.pictureSha256);
  if (image?.spooled?.pictureSha256 !== undefined) return { record: image, fileRecord, change: 'metadata' };
  const former = (fileRecord ? matching : records).find(isHere);
  return former && { record: former, fileRecord, change: sha256 === undefined ? 'unknown' : 'replaced' };
}

/** True if metadata names this render. Anyone can have written it. */
export function isMetadataOf({ generationId, modelId, service }: Provenance, record: RenderRecord): boolean {
  const isSame = generationId !== undefined && record.generationId === generationId && record.modelId === modelId;
  return isSame && (service === undefined || record.place === service);
}

/**
 * The render before the one in a file: the latest earlier one saved to the same file, else the latest one of the same
 * model and prompt, since the file is then another try. Undefined when there is none. `isAt` recognizes the file's URI;
 * `record` is the file's render, undefined when it isn't ours: then every render saved there is earlier.
 */
export function previousOf(
  record: RenderRecord | undefined,
  isAt: (uri: string) => boolean,
  records: readonly RenderRecord[],
): RenderRecord | undefined {
  const earlier = records
    .filter((one) => one.state === 'saved' && one.deleted !== true && (!record || one.plannedAt < record.plannedAt))
    .filter((one) => !record?.spooled || one.spooled?.sha256 !== record.spooled.sha256)
    .sort((a, b) => b.plannedAt - a.plannedAt);
  return (
    earlier.find(({ file, claimed }) => [file, claimed].some((uri) => uri !== undefined && isAt(uri))) ??
    // A discarded render has no file, and nobody wants to see it again.
    earlier.find((one) => record && one.file !== undefined && isAnotherTry(one, record))
  );
}

function isAnotherTry(one: RenderRecord, record: RenderRecord): boolean {
  const prompt = promptOf(undefined, record.inputs);
  return (
    one.modelId === record.modelId &&
    (isDeepStrictEqual(one.inputs, record.inputs) || (prompt !== '' && promptOf(undefined, one.inputs) === prompt))
  );
}
