import { Readable } from 'node:stream';
import { isEmbeddable } from '../files/embeddedMetadata';
import type { Spool } from '../files/spool';
import type { FileMetadata } from '../files/provenance';
import type { Downloader } from './downloader';
import type { Fitting } from './fitting';
import type { MetadataEmbedder } from './metadataEmbedder';
import type { Ledger } from './ledger';
import { isToldOf } from './origin';
import type { RenderRecord, Spooled, Target } from './record';
import type { Hold } from './windowLease';

/** A result couldn't be fitted; the log says why. */
export class NotFitted extends Error {
  override readonly name = 'NotFitted';
}

/**
 * Fits saved results to another size or format, without a render and without a service: from what was received, which
 * is kept while a result isn't saved as it came.
 */
export class Refitting {
  constructor(
    private readonly ledger: Ledger,
    private readonly downloader: Downloader,
    private readonly spool: Spool,
    private readonly fitting: Fitting,
    private readonly embedder: MetadataEmbedder,
  ) {}

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
      .findLast((one) => isToldOf(told.provenance, one) && one.state === 'saved' && !one.staged && !one.forgotten);
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
      const bytes = original ? await this.fitting.original(original) : file;
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
    return spooled.original ? this.fitting.has(spooled.original) : isAsReceived(spooled, telling);
  }
}

/** True if the file has the result's image, and that was received in its size. */
function isAsReceived({ sha256, pictureSha256, fitted }: Spooled, { record: told }: FileMetadata): boolean {
  return fitted !== false && told.provenance.sha256 === (told.where === 'inside' ? pictureSha256 : sha256);
}
