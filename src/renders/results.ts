/**
 * **Results**: what was paid for, once it's here. A result is delivered first (`downloader.ts`): fetched, checked, and
 * saved under a name that was free. From then on, everything that is done with it goes through this file, and none of
 * that spends, or needs a service, but deleting there.
 *
 * - `deliver` brings it once more: downloaded again, saved as another file, or taken up from the service's list.
 * - `staging` holds what is to replace a file, until the user has compared both and decided.
 * - `originals` keeps what was received of a fitted result, and `fitAgain` makes other sizes and formats of it.
 * - `thumbnails` are small copies, for lists and the gallery.
 * - `forget` and `deleteAtService` remove it: here with everything kept of it, or there.
 *
 * It promises that no file is replaced without a decision, that a file which changed since is never taken for the
 * result, and that a render is only forgotten once nothing but its money matters. Views of results use it: the
 * Generations view, the gallery, comparisons, render files. What they show is in `library.ts`, and what orders is
 * `orders.ts`.
 */

import { Readable } from 'node:stream';
import type { Clock } from '../base/clock';
import { wait } from '../base/concurrency';
import type { JsonObject } from '../base/json';
import type { CatalogClient } from '../catalog/client';
import { isEmbeddable } from '../files/embeddedMetadata';
import type { FileMetadata } from '../files/provenance';
import type { Spool } from '../files/spool';
import type { Downloader } from './downloader';
import type { Fitting } from './fitting';
import { isForgettable } from './forgetting';
import type { Ledger } from './ledger';
import type { Library, LibraryEntry } from './library';
import type { MetadataEmbedder } from './metadataEmbedder';
import { isMetadataOf } from './origin';
import type { RenderRecord, Spooled, Target } from './record';
import type { Staging } from './staging';
import type { Thumbnails } from './thumbnails';
import type { Hold } from './windowLease';

/** What brings a result to where the user wants it. */
type Delivery = Pick<Downloader, 'downloadAgain' | 'saveAs' | 'copy' | 'takeUp'>;

/** What holds results and what is made of them. */
interface Stores {
  readonly downloader: Downloader;
  readonly staging: Staging;
  readonly originals: Fitting;
  readonly thumbnails: Thumbnails;
}

/** A result couldn't be fitted; the log says why. */
export class NotFitted extends Error {
  override readonly name = 'NotFitted';
}

export class Results {
  readonly deliver: Delivery;
  /** Results waiting to be compared with the file they are to replace. */
  readonly staging: Staging;
  /** The received files of fitted results. */
  readonly originals: Fitting;
  /** Small copies of saved images. */
  readonly thumbnails: Thumbnails;
  private readonly downloader: Downloader;

  constructor(
    private readonly ledger: Ledger,
    private readonly library: Library,
    private readonly clock: Clock,
    { downloader, staging, originals, thumbnails }: Stores,
    private readonly spool: Spool,
    private readonly embedder: MetadataEmbedder,
  ) {
    this.deliver = this.downloader = downloader;
    this.staging = staging;
    this.originals = originals;
    this.thumbnails = thumbnails;
  }

  /**
   * The render that a file's metadata names, if its result can be fitted again: what was received is kept here, or is
   * in the file. Undefined also for a file that changed since. Rejects with LedgerError or FileProblem.
   */
  async renderOf(telling: FileMetadata): Promise<RenderRecord | undefined> {
    const { record: told, change } = telling;
    const { generationId } = told.provenance;
    if (generationId === undefined || change !== 'none' || this.ledger.readOnly) return undefined;
    const record = this.ledger
      .ofGeneration(generationId)
      .findLast((one) => isMetadataOf(told.provenance, one) && one.state === 'saved' && !one.staged && !one.forgotten);
    return record && (await this.isAtHand(record, telling)) ? record : undefined;
  }

  /**
   * Saves the result of a render again, as this target states. Like any result, it's staged if the target replaces a
   * file. `file` holds the bytes of its current file, as `renderOf` has judged it. Rejects with NotFitted, or as
   * `Downloader.saveMade`.
   */
  fitAgain(key: string, target: Target, file: Uint8Array): Promise<RenderRecord | undefined> {
    return this.downloader.saveMade(key, target, async (record, hold) => {
      const original = record.spooled?.original;
      const bytes = original ? await this.originals.original(original) : file;
      const made = await this.made({ ...record, target, spooled: undefined }, bytes, hold);
      // It stays kept, also when it has the requested size itself.
      return { ...made, original: made.original ?? original };
    });
  }

  private async made(record: RenderRecord, bytes: Uint8Array, hold: Hold): Promise<Spooled> {
    const { length } = bytes;
    const stream = Readable.from([bytes]);
    const received = await this.spool.receive(record.key, stream, { length, maxBytes: length, hold });
    const made = await this.embedder.embed(record, received, hold);
    if (record.target.fit && made.fitted !== true) throw new NotFitted(`Render ${record.key} can’t be fitted`);
    return made;
  }

  private async isAtHand({ spooled }: RenderRecord, telling: FileMetadata): Promise<boolean> {
    if (!spooled || !isEmbeddable((spooled.original ?? spooled).mediaType)) return false;
    return spooled.original ? this.originals.has(spooled.original) : isAsReceived(spooled, telling);
  }

  /** Deletes the render at the service (specification, section 10). Its record stays. Rejects with ServiceError. */
  async deleteAtService({ id, record, generationId = '' }: LibraryEntry, client: CatalogClient): Promise<void> {
    await client.delete(generationId);
    if (record) this.ledger.advance(id, () => ({ deleted: true, hidden: undefined }));
    this.library.forget(generationId);
  }

  /** As `hide`. */
  hide(key: string): void {
    hide(this.ledger, key);
  }

  /** Forgets the renders with these keys, as `forget`; calls `each` before each one. Rejects with LedgerError. */
  forget(keys: readonly string[], each: (record: RenderRecord) => Promise<void>): Promise<number> {
    const kept = [this.originals, this.thumbnails, this.downloader];
    return forget(this.ledger, this.clock, keys, async (record) => {
      await each(record);
      for (const one of kept) await one.forget(record.key);
    });
  }
}

/** True if the file has the result's image, and that was received in its size. */
function isAsReceived({ sha256, pictureSha256, fitted }: Spooled, { record: told }: FileMetadata): boolean {
  return fitted !== false && told.provenance.sha256 === (told.where === 'inside' ? pictureSha256 : sha256);
}

/** Removes an ended render from the lists; what it cost, or a refund, still counts. Throws LedgerError. */
export function hide(ledger: Ledger, key: string): void {
  const isShown = (record: RenderRecord) => isForgettable(record) && record.deleted !== true;
  ledger.advance(key, (record) => (isShown(record) ? { deleted: true, hidden: true } : undefined));
}

/**
 * Forgets the renders with these keys where allowed, and removes their traces from the ledger's files. Calls `each`
 * before each one. Works in small steps. Resolves with their number; rejects with LedgerError.
 */
export async function forget(
  ledger: Ledger,
  clock: Clock,
  keys: readonly string[],
  each: (record: RenderRecord) => Promise<void>,
): Promise<number> {
  let forgotten = 0;
  for (const key of keys) {
    const record = ledger.get(key);
    if (!record || !isForgettable(record)) continue;
    await each({ ...record, inputs: inputsOf(record, ledger) });
    if (ledger.forget(record)) forgotten += 1;
    await wait(clock, 0);
  }
  await ledger.scrub();
  return forgotten;
}

/** The full inputs, or what is left of them. */
function inputsOf(record: RenderRecord, ledger: Ledger): JsonObject {
  try {
    return ledger.inputsOf(record);
  } catch {
    return record.inputs;
  }
}
