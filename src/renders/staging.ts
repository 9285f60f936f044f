import { Readable } from 'node:stream';
import type { Log } from '../base/log';
import type { Random } from '../base/random';
import { sidecarEnding } from '../files/provenance';
import { hashOf, replaceFile, type Earlier, type Replacing } from '../files/replacement';
import { spelled } from '../files/sameFile';
import type { Spool } from '../files/spool';
import type { Downloader } from './downloader';
import type { Ledger } from './ledger';
import { besides, type RenderRecord } from './record';
import { Undelivered } from './undelivered';

/** Whoever can put away files that a person gave up. */
export interface Places {
  /** What replaces files in the folder of this one, below the root; both are URIs. Rejects with FileProblem. */
  replacing(file: string, root: string): Promise<Replacing>;
  /** Moves a file to the trash; false where there is none. Never rejects. */
  trash(file: string): Promise<boolean>;
}

/** What accepting came to. */
export interface Accepted {
  /** URI of the file that the new picture is now. */
  readonly file: string;
  /** URI under which the earlier file is kept beside it, where there is no trash. */
  readonly kept?: string;
}

/**
 * Results that wait to be compared with the file they were rendered to replace. Such a result is saved like any other, into a folder of
 * our own: it is on disk, and found again, whatever happens. What it is to replace stands in its record's target, fixed with the order. So
 * there is nothing beside the ledger that could be lost or contradict it, and each decision is one step on from what the ledger says: broken
 * off half way, it can be made again.
 */
export class Staging {
  constructor(
    /** URI of the folder whose folders hold staged results. */
    private readonly root: string,
    private readonly ledger: Ledger,
    private readonly downloader: Downloader,
    private readonly spool: Spool,
    private readonly places: Places,
    private readonly random: Random,
    private readonly log: Log,
  ) {}

  /** True when the file to be replaced is not the one it was when the render was ordered; also when it has gone. Rejects with FileProblem. */
  async isChanged({ target }: RenderRecord): Promise<boolean> {
    const { replaces, root = '' } = target;
    if (!replaces) return false;
    const now = await (await this.places.replacing(replaces.uri, root)).read(replaces.uri);
    return now === undefined || hashOf(now) !== replaces.sha256;
  }

  /**
   * Puts the result in the place of the file, which goes to the trash. Undefined when it does not wait any more. Rejects with FileProblem, or
   * Undelivered when the staged result has gone; then the file is as it was.
   */
  accept(key: string): Promise<Accepted | undefined> {
    return this.downloader.alone(key, async () => {
      const record = this.waiting(key);
      if (!record) return undefined;
      const { file: staged, target } = record;
      const { uri: file } = target.replaces;
      const ours = await this.places.replacing(staged, this.root);
      const theirs = await this.places.replacing(file, target.root ?? '');
      const bytes = (await ours.read(staged)) ?? (await this.placed(record, theirs));
      if (!bytes) throw new Undelivered({ code: 'noContent' });
      const earlier = await replaceFile(theirs, file, bytes, this.random);
      await this.exchangeSidecars(staged, file, earlier?.uri, ours, theirs);
      this.ledger.advance(key, () => ({ file, claimed: file, staged: undefined }));
      if (earlier) this.follow(file, earlier);
      await this.clear(staged, ours);
      return { file, kept: earlier && (await this.putAway(earlier.uri)) };
    });
  }

  /** Saves the result beside the file it was to replace, under the first free name. Undefined when it does not wait any more. Rejects as `Downloader.saveAs`. */
  async keepBoth(key: string): Promise<RenderRecord | undefined> {
    const record = this.waiting(key);
    if (!record) return undefined;
    const { file: staged, spooled, target } = record;
    const ours = await this.places.replacing(staged, this.root);
    const bytes = await ours.read(staged);
    // What is at hand need not be fetched; what has gone is.
    if (bytes && spooled && hashOf(bytes) === spooled.sha256) {
      const whole = { length: bytes.length, maxBytes: bytes.length };
      await this.downloader.alone(key, () => this.spool.receive(spooled.name, Readable.from([bytes]), whole));
    }
    const saved = await this.downloader.saveAs(key, besides(target));
    await this.clear(staged, ours);
    return saved;
  }

  /** Removes the result here; the service keeps it. Rejects with FileProblem. */
  async discard(key: string): Promise<void> {
    await this.downloader.alone(key, async () => {
      const record = this.waiting(key);
      if (!record) return;
      const ours = await this.places.replacing(record.file, this.root);
      await ours.remove(record.file);
      await this.clear(record.file, ours);
      this.ledger.advance(key, () => ({ file: undefined, staged: undefined }));
    });
  }

  private waiting(key: string): Waiting | undefined {
    const record = this.ledger.get(key);
    return record?.staged === true && record.file !== undefined && record.target.replaces
      ? (record as Waiting)
      : undefined;
  }

  /** What was put in its place already, before this was broken off; undefined when the file is another. */
  private async placed({ target, spooled }: Waiting, theirs: Replacing): Promise<Uint8Array | undefined> {
    const bytes = await theirs.read(target.replaces.uri);
    return bytes && hashOf(bytes) === spooled?.sha256 ? bytes : undefined;
  }

  /** The file beside the earlier one goes with it; the new one's comes to the new one. What cannot be done stops nothing. */
  private async exchangeSidecars(
    staged: string,
    file: string,
    earlier: string | undefined,
    ours: Replacing,
    theirs: Replacing,
  ): Promise<void> {
    try {
      const former = file + sidecarEnding;
      if (earlier !== undefined && (await theirs.read(former)) && (await theirs.keep(former, earlier + sidecarEnding)))
        await theirs.remove(former);
      const bytes = await ours.read(staged + sidecarEnding);
      if (bytes) await theirs.write(former, bytes);
    } catch (error) {
      this.log.warn(`What stands beside ${file} may be of the earlier one: ${String(error)}`);
    }
  }

  /** The renders that were saved as the file were in the earlier one. */
  private follow(file: string, { uri, sha256 }: Earlier): void {
    for (const { key, spooled } of this.savedAs(file))
      if (spooled?.sha256 === sha256) this.ledger.advance(key, () => ({ file: uri }));
  }

  /** Its URI when it had to stay. */
  private async putAway(earlier: string): Promise<string | undefined> {
    if (!(await this.places.trash(earlier))) return earlier;
    await this.places.trash(earlier + sidecarEnding);
    for (const { key } of this.savedAs(earlier)) this.ledger.advance(key, () => ({ file: undefined }));
    return undefined;
  }

  private savedAs(uri: string): RenderRecord[] {
    return this.ledger.all().filter(({ file }) => file !== undefined && spelled(file) === spelled(uri));
  }

  /** What cannot be removed is in nobody's way. */
  private async clear(staged: string, ours: Replacing): Promise<void> {
    for (const file of [staged, staged + sidecarEnding])
      await ours.remove(file).catch((error: unknown) => this.log.warn(`${file} stays: ${String(error)}`));
  }
}

/** A record of a result that waits. */
type Waiting = RenderRecord & {
  readonly file: string;
  readonly target: { readonly replaces: NonNullable<RenderRecord['target']['replaces']> };
};
