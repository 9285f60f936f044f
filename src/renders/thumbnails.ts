import { join } from 'node:path';
import type { Clock } from '../base/clock';
import { type Log, reasonOf } from '../base/log';
import { Yielder } from '../base/concurrency';
import type { Disk } from '../files/disk';
import { newFile } from '../files/names';
import { displayedSize } from '../files/imageSize';
import { codeOf } from '../files/problem';
import type { Fitter } from '../files/fit/fitter';

/** The longest side of a thumbnail: a tile's, on a screen with two pixels for one; pixels. */
const side = 400;
/** An image that isn't much larger is as quick to show itself. */
const leastSide = 600;
/** More aren't kept: about 50 MB. */
const most = 2000;

const ending = '.webp';

/** Their folder, in the extension's storage. */
export const thumbnailsFolder = 'thumbnails';

/**
 * Small copies of images, so that lists and the gallery needn't load the large ones. A cache on this computer, readable
 * only by this user: one for a render at most, deleted when that is forgotten.
 */
export class Thumbnails {
  /** The keys of renders that have one; those of this window last. */
  private readonly made = new Set<string>();
  /** Each is tried once in a window: an image that can't be read now can't be read later. */
  private readonly tried = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
    private readonly fitter: Fitter,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The path of a render's thumbnail; undefined if there is none. */
  of(key: string): string | undefined {
    return this.made.has(key) ? this.path(key) : undefined;
  }

  /** Finds those of earlier windows, and deletes those of renders that were forgotten. Never rejects. */
  async load(isForgotten: (key: string) => boolean): Promise<void> {
    const names = await this.disk.readdir(this.folder).catch(() => []);
    const turns = new Yielder(this.clock);
    for (const name of names) {
      await turns.next();
      const [key = ''] = name.split('.', 1);
      if (isForgotten(key)) await this.remove(join(this.folder, name));
      // What isn't complete may be another window's work.
      else if (name.endsWith(ending)) this.made.add(key);
    }
  }

  /**
   * Makes a render's thumbnail of its image; `read` is called when it's the image's turn, and undefined means that it's
   * gone. Does nothing if there is one, or for an image that is small. Never rejects.
   */
  make(key: string, mediaType: string, read: () => Promise<Uint8Array | undefined>): Promise<void> {
    if (this.made.has(key) || this.tried.has(key)) return Promise.resolve();
    this.tried.add(key);
    const made = this.last.then(() => this.write(key, mediaType, read));
    this.last = made.catch((error: unknown) => this.log.info(`Render ${key} has no thumbnail: ${reasonOf(error)}`));
    return this.last.then(() => undefined);
  }

  /** Deletes a render's thumbnail, and makes no other in this window. Never rejects. */
  async forget(key: string): Promise<void> {
    this.tried.add(key);
    // It may be about to be written.
    await this.last;
    this.made.delete(key);
    await this.remove(this.path(key));
  }

  private async write(key: string, mediaType: string, read: () => Promise<Uint8Array | undefined>): Promise<void> {
    const image = await read();
    const size = image && displayedSize(image);
    if (!image || !size || Math.max(size.width, size.height) < leastSide) return;
    const longest = size.width < size.height ? { height: side } : { width: side };
    const small = await this.fitter.fit(image, mediaType, { ...longest, mode: 'contain', format: 'webp' });
    if (!small) return;
    const part = `${this.path(key)}.part`;
    await this.disk.ownFolder(this.folder);
    // A window that ended while it wrote left its part.
    await this.remove(part);
    await newFile(this.disk, part, undefined, (file) => file.write(small.bytes));
    await this.disk.rename(part, this.path(key));
    this.made.add(key);
    await this.limit();
  }

  private async limit(): Promise<void> {
    const [oldest] = this.made;
    if (this.made.size <= most || oldest === undefined) return;
    this.made.delete(oldest);
    await this.remove(this.path(oldest));
  }

  private path(key: string): string {
    return join(this.folder, `${key}${ending}`);
  }

  private async remove(path: string): Promise<void> {
    try {
      await this.disk.unlink(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.log.warn(`Couldn’t delete a thumbnail: ${reasonOf(error)}`);
    }
  }
}
