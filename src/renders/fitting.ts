import { Readable } from 'node:stream';
import { type Log, reasonOf } from '../base/log';
import { isEmbeddable, largestEmbeddable } from '../files/embeddedMetadata';
import type { Spool } from '../files/spool';
import type { Fitter } from '../files/fit/fitter';
import type { RenderRecord, Spooled } from './record';
import type { Hold } from './windowLease';

/**
 * Fits results to the size and format that their target states, and keeps what was received until the render is
 * forgotten. A failure never stops a delivery.
 */
export class Fitting {
  constructor(
    private readonly spool: Spool,
    /** Holds the received files of fitted results, by the key of their render. */
    private readonly originals: Spool,
    private readonly fitter: Fitter,
    private readonly log: Log,
  ) {}

  /**
   * Fits a received result, and returns the spooled file; what was received is then on disk among the originals. Never
   * rejects: a result that can't be fitted stays as it is, and the record says so.
   */
  async fitted({ key, target }: RenderRecord, received: Spooled, hold?: Hold): Promise<Spooled> {
    const { fit } = target;
    if (!fit) return received;
    try {
      if (!isEmbeddable(received.mediaType) || received.bytes > largestEmbeddable)
        throw new Error(`it’s ${received.mediaType} of ${received.bytes} bytes`);
      const bytes = await allOf(this.spool.read(received));
      const image = await this.fitter.fit(bytes, received.mediaType, fit);
      if (!image) return { ...received, fitted: true };
      const { length } = bytes;
      const original = await this.originals.receive(key, Readable.from([bytes]), { length, maxBytes: length, hold });
      const { mediaType, extension } = image;
      const spooled = await this.spool.replace({ ...received, mediaType, extension }, [image.bytes], hold);
      return { ...spooled, fitted: true, original };
    } catch (error) {
      this.log.warn(`The image of render ${key} was saved as it came, since it couldn’t be fitted: ${reasonOf(error)}`);
      return { ...received, fitted: false };
    }
  }

  /** True while the received file of a fitted result is kept. Rejects with FileProblem. */
  has({ name }: Spooled): Promise<boolean> {
    return this.originals.has(name);
  }

  /** The received file of a fitted result. Rejects with FileProblem when it's gone or has changed. */
  original(spooled: Spooled): Promise<Uint8Array> {
    return allOf(this.originals.read(spooled));
  }

  /** Deletes the received file of a result. Never rejects: at worst it's left for `tidy`. */
  async forget(key: string): Promise<void> {
    await this.originals
      .remove(key)
      .catch((error: unknown) => this.log.warn(`Couldn’t delete the original of render ${key}: ${reasonOf(error)}`));
  }

  /** Deletes the received files of renders that were forgotten. Never rejects. */
  async tidy(isForgotten: (key: string) => boolean): Promise<void> {
    await this.originals
      .sweep(isForgotten)
      .catch((error: unknown) => this.log.warn(`Couldn’t clean up the originals: ${reasonOf(error)}`));
  }
}

/** All bytes of a file. */
export async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
