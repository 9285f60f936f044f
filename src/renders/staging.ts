import { Readable } from 'node:stream';
import type { Clock, Random } from '../base/clock';
import type { Log } from '../base/log';
import { fileNameOf, safeName, savedName, spelledOut } from '../files/names';
import { sidecarEnding } from '../files/provenance';
import {
  type AgreedReplacement,
  type Earlier,
  type Found,
  replaceFile,
  type Replacing,
  writeNew,
} from '../files/replacement';
import { below, afterRename, isInside, pathBelow, type Renamed, spelled } from '../files/sameFile';
import type { Spool } from '../files/spool';
import type { Copy, Downloader } from './downloader';
import type { Ledger } from './ledger';
import { find } from './library';
import { type Sinks, stagedFolder } from './placement';
import { besides, type Progress, type RenderRecord, type Spooled, type Target } from './record';
import { Undelivered } from './undelivered';

/** Disposes of files that a user gave up. */
export interface Places {
  /** Replaces files in the folder of this one, below the root; both are URIs. Rejects with FileProblem. */
  replacing(file: string, root: string): Promise<Replacing>;
  /** Moves a file to the trash; false where there is none. Never rejects. */
  trash(file: string): Promise<boolean>;
}

/** A file to be replaced, as shown to the user for confirmation. */
export interface Look extends AgreedReplacement {
  /** It changed since the order, or is gone. */
  readonly isChanged: boolean;
}

/** The outcome of accepting. */
export interface Accepted {
  /** URI of the file that now holds the new image. */
  readonly file: string;
  /** URI of the earlier file, kept next to it when there is no trash. */
  readonly kept?: string;
}

/** What became of a result that a user doesn't keep. */
export type Removal = 'removed' | 'noTrash' | 'changed';

/**
 * Results that wait to be compared with the file they are to replace. Such a result is saved like any other, in a
 * folder of ours, so it's on disk and found again whatever happens. Its record's target names the file to replace,
 * fixed with the order, and follows renames of that file. There is no state besides the ledger that could be lost or
 * contradict it, and each decision is one step in the ledger: if interrupted, it can be made again.
 */
export class Staging {
  constructor(
    /** URI of the folder with the staging folders. */
    private readonly root: string,
    private readonly ledger: Ledger,
    private readonly downloader: Pick<Downloader, 'alone' | 'copy' | 'forget' | 'saveAs'>,
    private readonly spool: Spool,
    private readonly places: Places,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
  ) {}

  /** The file to be replaced, as it is now. Rejects with FileProblem. */
  async look({ target }: RenderRecord): Promise<Look> {
    const { replaces, root = '' } = target;
    if (!replaces) return { sha256: undefined, isReadOnly: false, isChanged: false };
    const now = await this.seen(replaces.uri, root);
    return { ...now, isChanged: now.sha256 !== replaces.sha256 };
  }

  /**
   * Replaces the file that the user confirmed with the result; the earlier file goes to the trash. Undefined when the
   * result no longer waits. Rejects as `replaceFile`, or with Undelivered when the staged result is gone or altered;
   * then the file is unchanged.
   */
  accept(key: string, agreed: AgreedReplacement): Promise<Accepted | undefined> {
    return this.downloader.alone(key, async (hold) => {
      const record = this.waiting(key);
      if (!record) return undefined;
      const { file: staged, target } = record;
      const { uri: file } = target.replaces;
      const ours = await this.places.replacing(staged, this.root);
      const theirs = await this.places.replacing(file, target.root ?? '');
      const whole = await this.toPlace(record, ours, theirs);
      const earlier = await replaceFile(theirs, file, whole, agreed, this.random, () => hold.prove());
      await this.exchangeSidecars(staged, file, earlier?.uri, ours, theirs);
      this.settle(record, { file, claimed: file });
      const accepted = await this.over(file, earlier);
      await this.clear(staged, ours);
      return accepted;
    });
  }

  /**
   * Replaces a file (URI, directly below the root) that the user just confirmed with the result, and records it as
   * saved there; the earlier file goes to the trash. A result in another format than that file's is saved beside it.
   * Rejects as `accept`, `Downloader.copy`, or `Downloader.saveAs`; then the file is unchanged, and the result is where
   * it was.
   */
  async saveOver(key: string, file: string, root: string): Promise<Accepted | undefined> {
    // A download may take long. The file that the user agreed to lose is the one there now.
    const agreed = { ...(await this.seen(file, root)), isReadOnly: false };
    const copy = await this.downloader.copy(key);
    if (!copy) return undefined;
    const ours = await this.places.replacing(copy.uri, this.root);
    try {
      const named = savedName(fileNameOf(file), copy.spooled.extension);
      if (spelledOut(named) === fileNameOf(file)) return await this.putOver(key, file, root, agreed, copy, ours);
      const saved = await this.downloader.saveAs(key, { root, folder: '', ...named });
      return saved && { file: saved.file ?? file };
    } finally {
      await this.clear(copy.uri, ours);
    }
  }

  /**
   * Saves the result next to the file it was to replace, under the first free name. Undefined when it no longer waits.
   * Rejects as `Downloader.saveAs`.
   */
  async keepBoth(key: string): Promise<RenderRecord | undefined> {
    const record = this.waiting(key);
    if (!record) return undefined;
    const { file: staged, spooled, target } = record;
    const ours = await this.places.replacing(staged, this.root);
    const bytes = (await this.whole(spooled, ours, staged))?.bytes;
    // A result that's still here needn't be downloaded again.
    if (bytes && spooled) {
      const whole = { length: bytes.length, maxBytes: bytes.length };
      await this.downloader.alone(key, (hold) =>
        this.spool.receive(spooled.name, Readable.from([bytes]), { ...whole, hold }),
      );
    }
    const saved = await this.downloader.saveAs(key, besides(target));
    await this.clear(staged, ours);
    return saved;
  }

  /** Removes the local result; it isn't deleted from the service. Rejects with FileProblem. */
  async discard(key: string): Promise<void> {
    await this.downloader.alone(key, async (hold) => {
      const record = this.waiting(key);
      if (!record) return;
      const ours = await this.places.replacing(record.file, this.root);
      hold.prove();
      await ours.remove(record.file);
      await this.clear(record.file, ours);
      this.settle(record, { file: undefined });
    });
  }

  /**
   * Removes a saved result, into the trash unless it's to be `deleted`: its render stays in the history, and the
   * service may still have it. The file stays where there is no trash, or if it isn't the result anymore. Rejects with
   * FileProblem.
   */
  remove(key: string, how: 'trashed' | 'deleted'): Promise<Removal> {
    return this.downloader.alone(key, async (hold) => {
      const { file, staged, spooled, target } = this.ledger.get(key) ?? {};
      if (file === undefined || staged) return 'removed';
      const files = await this.places.replacing(file, target?.root ?? '');
      const found = await files.read(file);
      hold.prove();
      if (found && found.sha256 !== spooled?.sha256) return 'changed';
      for (const gone of [file, file + sidecarEnding]) {
        if (how === 'deleted') await files.remove(gone);
        else if (!(await this.places.trash(gone)) && gone === file) return 'noTrash';
      }
      this.ledger.advance(key, (now) => (now.file === file ? { file: undefined } : undefined));
      return 'removed';
    });
  }

  /**
   * These files and folders were renamed or moved: results that are to replace one of them use its new name, as long as
   * that is below one of these roots (URIs). A render that isn't accepted yet is left alone: nothing may change between
   * the record of an attempt and its bytes. Rejects with LedgerError.
   */
  async renamed(renamed: readonly Renamed[], roots: readonly string[]): Promise<void> {
    const coming = this.ledger.inStates('accepted', 'succeeded', 'unknown');
    const folder = below(this.root, [stagedFolder]);
    const waiting = await find(this.ledger, this.clock, ({ file }) => isInside(file ?? undefined, folder));
    for (const { key } of [...coming, ...waiting]) {
      this.ledger.advance(key, ({ target }) => {
        const moved = renamedTarget(target, renamed, roots);
        return moved && { moved };
      });
    }
  }

  /** Replaces the file with the copy. */
  private putOver(
    key: string,
    file: string,
    root: string,
    agreed: AgreedReplacement,
    { uri, spooled }: Copy,
    ours: Replacing,
  ): Promise<Accepted> {
    return this.downloader.alone(key, async (hold) => {
      const theirs = await this.places.replacing(file, root);
      const whole = await this.whole(spooled, ours, uri);
      if (!whole) throw new Undelivered({ code: 'cutFile' });
      const earlier = await replaceFile(theirs, file, whole, agreed, this.random, () => hold.prove());
      await this.exchangeSidecars(uri, file, earlier?.uri, ours, theirs);
      const saved = {
        state: 'saved',
        file,
        claimed: file,
        staged: undefined,
        spooled,
        problem: undefined,
        retry: undefined,
      } as const;
      this.ledger.advance(key, () => saved);
      await this.downloader.forget(key);
      return this.over(file, earlier);
    });
  }

  private async seen(file: string, root: string): Promise<AgreedReplacement> {
    const now = await (await this.places.replacing(file, root)).read(file);
    return { sha256: now?.sha256, isReadOnly: now?.isReadOnly === true };
  }

  /** Cleans up after a file was replaced and the ledger says so. */
  private async over(file: string, earlier: Earlier | undefined): Promise<Accepted> {
    if (earlier) await this.follow(file, earlier);
    return { file, kept: earlier && (await this.putAway(earlier.uri)) };
  }

  private waiting(key: string): StagedRecord | undefined {
    const record = this.ledger.get(key);
    return record?.staged === true && record.file !== undefined && record.target.replaces
      ? (record as StagedRecord)
      : undefined;
  }

  /** Records a decision, unless another window recorded one. */
  private settle({ key, file }: StagedRecord, decided: Pick<Progress, 'file' | 'claimed'>): void {
    this.ledger.advance(key, (now) =>
      now.staged === true && now.file === file ? { ...decided, staged: undefined } : undefined,
    );
  }

  /** The result, even if an interrupted attempt has already put it in its place. Rejects with Undelivered. */
  private async toPlace(record: StagedRecord, ours: Replacing, theirs: Replacing): Promise<Found> {
    const { file: staged, spooled, target } = record;
    const found = (await this.whole(spooled, ours, staged)) ?? (await this.whole(spooled, theirs, target.replaces.uri));
    if (found) return found;
    throw new Undelivered({ code: (await ours.read(staged)) ? 'cutFile' : 'noContent' });
  }

  /** A file that has the bytes of the result. */
  private async whole(spooled: Spooled | undefined, files: Replacing, file: string): Promise<Found | undefined> {
    const found = await files.read(file);
    return found && found.sha256 === spooled?.sha256 ? found : undefined;
  }

  /** The earlier file's sidecar goes with it; the new one's takes its place. A failure stops nothing. */
  private async exchangeSidecars(
    staged: string,
    file: string,
    earlier: string | undefined,
    ours: Replacing,
    theirs: Replacing,
  ): Promise<void> {
    try {
      const former = file + sidecarEnding;
      const theirOwn = await theirs.read(former);
      if (earlier !== undefined && theirOwn) {
        const beside = earlier + sidecarEnding;
        if (await writeNew(theirs, beside, theirOwn, this.random, former)) await theirs.remove(former);
      }
      const made = await ours.read(staged + sidecarEnding);
      if (earlier === undefined && theirOwn && made) {
        // The same image, with a new description.
        const agreed = { sha256: theirOwn.sha256, isReadOnly: false };
        const old = await replaceFile(theirs, former, made, agreed, this.random, () => {});
        if (old) await this.places.trash(old.uri);
      } else if (made && !(await writeNew(theirs, former, made, this.random)))
        this.log.warn(`${former} isn’t ours, so it was kept`);
    } catch (error) {
      this.log.warn(`The sidecar file of ${file} may describe the previous file: ${String(error)}`);
    }
  }

  /** Updates renders whose saved file was the earlier one. */
  private async follow(file: string, { uri, sha256 }: Earlier): Promise<void> {
    for (const { key, spooled } of await this.savedAs(file))
      if (spooled?.sha256 === sha256) this.ledger.advance(key, () => ({ file: uri }));
  }

  /** Its URI when it had to stay. */
  private async putAway(earlier: string): Promise<string | undefined> {
    if (!(await this.places.trash(earlier))) return earlier;
    await this.places.trash(earlier + sidecarEnding);
    for (const { key } of await this.savedAs(earlier)) this.ledger.advance(key, () => ({ file: undefined }));
    return undefined;
  }

  private savedAs(uri: string): Promise<RenderRecord[]> {
    return find(this.ledger, this.clock, ({ file }) => typeof file === 'string' && spelled(file) === spelled(uri));
  }

  /** A file that can't be removed does no harm. */
  private async clear(staged: string, ours: Replacing): Promise<void> {
    for (const file of [staged, staged + sidecarEnding])
      await ours.remove(file).catch((error: unknown) => this.log.warn(`Couldn’t remove ${file}: ${String(error)}`));
  }
}

/** The record of a waiting result. */
type StagedRecord = RenderRecord & {
  readonly file: string;
  readonly target: { readonly replaces: NonNullable<RenderRecord['target']['replaces']> };
};

/**
 * The target of a result that is to replace a file, after these files and folders were renamed or moved. Undefined when
 * the file didn't move, or left these roots (URIs).
 */
function renamedTarget(target: Target, renamed: readonly Renamed[], roots: readonly string[]): Target | undefined {
  const { replaces } = target;
  if (!replaces) return undefined;
  const uri = renamed.map((one) => afterRename(replaces.uri, one)).find((to) => to !== undefined);
  const root = [target.root, ...roots].find((one) => one !== undefined && isInside(uri, one));
  if (uri === undefined || root === undefined) return undefined;
  const [, folder = '', base = ''] = /^(?:(.*)\/)?([^/]*?)(?:\.[^./]*)?$/.exec(pathBelow(uri, root)) ?? [];
  return { ...target, root, folder, fileName: safeName(base), replaces: { ...replaces, uri } };
}

/**
 * Resolves when nothing is known to keep a result from its target: checks the real location of its folder and of the
 * file it is to replace. Rejects with FileProblem as saving, accepting, or keeping both would. What this window can't
 * check counts as reachable.
 */
export async function proveReachable(target: Target, sinks: Sinks, places: Pick<Places, 'replacing'>): Promise<void> {
  const { root, folder, replaces } = target;
  if (root === undefined) return;
  await sinks(root)?.prove(root, folder);
  if (replaces) await (await places.replacing(replaces.uri, root)).read(replaces.uri);
}
