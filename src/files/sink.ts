/**
 * **Sink**: how a result gets to where it goes.
 *
 * A publication gives the file its final name in one step where the disk can; without hard links, an empty file holds
 * the name until then. Nothing under a name is replaced, and the record has the name before it appears, so that a crash
 * is made good by the next window. There is one sink for the computer's own disk (`localSink.ts`), and one for the
 * editor's other file systems (`workspaceSink.ts`). What the user agrees to replace goes by `replacement.ts`.
 * `renders/placement.ts` publishes with it, for the downloader.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Random } from '../base/clock';
import type { Spooled } from '../renders/record';
import { folded, isInstructions, numberedNames, safeName } from './names';
import { FileProblem, onDisk, problemOf } from './problem';
import type { Received, Spool } from './spool';

/** Saves results from the spool to where a user wants them. */
export interface Sink {
  /**
   * Resolves when nothing currently prevents saving results in a folder (as for `publish`); creates nothing. Otherwise
   * rejects with FileProblem as `publish` would.
   */
  prove(root: string, folder: string): Promise<void>;
  /**
   * Saves a result in a folder (`/` between segments) below the root (a URI) under the first free name, and resolves
   * when it's there permanently. Never replaces anything; a name exists only with the complete file. Rejects with
   * FileProblem `outsideFolder`, `folderGone`, `notWritable`, `diskFull`, or `cutFile` when the spool no longer holds
   * what it received. Reports a companion that couldn't be saved without rejecting.
   */
  publish(
    source: Spooled,
    root: string,
    folder: string,
    baseName: string,
    claim?: NameClaim,
    companion?: Companion,
  ): Promise<Published>;
  /**
   * Removes the empty file that a publication which didn't end may have left under the name (URI) that it recorded, and
   * nothing else. False if there's none. `prove` is as in NameClaim. Rejects with FileProblem. Undefined where none is
   * ever left.
   */
  free?(uri: string, prove: () => void): Promise<boolean>;
}

/** A small file to save next to a result, under the result's name plus this ending. */
export interface Companion {
  readonly ending: string;
  readonly text: string;
}

/** A saved result. */
export interface Published {
  readonly uri: string;
  /** Why the companion wasn't saved; undefined when it was, or there is none. */
  readonly companionProblem?: FileProblem;
}

/**
 * Prevents a second copy after a crash between the file and its record: the name is recorded before it's taken, so a
 * file with that name and the same bytes is known to be ours.
 */
export interface NameClaim {
  /** The last URI recorded for this result, if any. */
  readonly earlier?: string;
  /**
   * Called before a name is taken: true when the URI was recorded durably, false when another result is about to take
   * it. May be called again with the next name.
   */
  record(uri: string): boolean;
  /** True if the user agreed that the result becomes instructions for agents; see `isInstructions`. */
  readonly mayInstruct?: boolean;
  /** Throws once the publisher has lost the right to publish: called in the very step before a name is taken. */
  prove?(): void;
}

/** One verified folder. Names are those of its entries; failures are FileProblems. */
export interface Destination {
  uri(name: string): string;
  names(): Promise<readonly string[]>;
  /** The bytes of a file; undefined unless it is a plain file of that size. */
  read(name: string, size: number): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined>;
  /**
   * Links the file at a local path under a name here, without a copy, and sets its mode; false when that isn't
   * possible, or the file has changed since it was received.
   */
  adopt?(path: string, received: Received, name: string): Promise<boolean>;
  /** Creates a file; when it resolves, the bytes survive a power loss. */
  write(name: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** Rejects with `outsideFolder` when the folder is no longer the verified one. */
  prove(): Promise<void>;
  /**
   * Gives a written file its final name atomically; false when the name is taken. The old name may remain. `wasOurs`:
   * an earlier attempt recorded the name, so an empty file with it may be left from that.
   */
  take(written: string, name: string, wasOurs?: boolean): Promise<boolean>;
  /** Removes a file; succeeds if there is none. */
  remove(name: string): Promise<void>;
  /** When a file last changed, ms by the clock of its disk. */
  changedAt(name: string): Promise<number>;
  /** Resolves when its names survive a power loss. */
  sync(): Promise<void>;
}

/** Files that `Publication` writes before they get their names. */
const ours = /^\.[\da-f-]{36}\.[\da-f-]{36}(\.link)?\.part$/i;
/** No publication takes longer, ms. */
const longestMs = 60 * 60_000;

/** Publishes into one folder, as Sink specifies. */
export class Publication {
  constructor(
    private readonly destination: Destination,
    private readonly source: Spooled,
    private readonly claim: NameClaim | undefined,
    private readonly companion?: Companion,
  ) {}

  async run(spool: Spool, random: Random, baseName: string): Promise<Published> {
    const names = await this.destination.names();
    await this.removeLeftOvers(names);
    const earlier = names.find((name) => this.destination.uri(name) === this.claim?.earlier);
    if (earlier !== undefined && (await onDisk(this.holds(earlier, this.source)))) return this.settled(earlier, random);
    const unnamed = `.${this.source.name}.${random.uuid()}.part`;
    try {
      const bring = () => this.bring(spool, unnamed);
      const taken = new Set(names.map(folded));
      const name = await this.takeFirstFree(unnamed, bring, baseName, taken, earlier);
      const published = await this.settled(name, random);
      await this.sweep(names, name);
      return published;
    } finally {
      // A file that can't be removed now is removed by a later publication into this folder.
      await this.destination.remove(unnamed).catch(() => {});
    }
  }

  /** Gets the bytes into the folder: as a link to the spooled file on the same file system, else as a copy. */
  private async bring(spool: Spool, unnamed: string): Promise<void> {
    const received = await spool.untouched(this.source);
    if (received && (await this.destination.adopt?.(spool.path(this.source.name), received, unnamed))) return;
    await this.destination.write(unnamed, spool.read(this.source), this.source.bytes);
  }

  private async settled(name: string, random: Random): Promise<Published> {
    const companionProblem = await this.accompany(name, random);
    await this.destination.sync();
    return { uri: this.destination.uri(name), companionProblem };
  }

  /**
   * Saves the companion next to the file, and returns what prevented that. It replaces nothing; an existing one with
   * the same text counts.
   */
  private async accompany(file: string, random: Random): Promise<FileProblem | undefined> {
    if (!this.companion) return undefined;
    const name = file + this.companion.ending;
    const bytes = Buffer.from(this.companion.text);
    const draft = `.${this.source.name}.${random.uuid()}.part`;
    try {
      await this.destination.write(draft, Readable.from([bytes]), bytes.length);
      await this.prove();
      if (await this.destination.take(draft, name)) return undefined;
      const same = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
      if (await onDisk(this.holds(name, same))) return undefined;
      return new FileProblem('notWritable', `another file has the name '${name}'`);
    } catch (error) {
      return problemOf(error);
    } finally {
      // A file that can't be removed now is removed by a later publication into this folder.
      await this.destination.remove(draft).catch(() => {});
    }
  }

  /** Files left by a crash while publishing this result; no other publication uses these names. */
  private async removeLeftOvers(names: readonly string[]): Promise<void> {
    const leftOvers = names.filter((name) => name.startsWith(`.${this.source.name}.`) && name.endsWith('.part'));
    for (const name of leftOvers) await this.destination.remove(name);
  }

  /**
   * Removes what another publication left in the folder and couldn't remove, by its name and by how long before `saved`
   * it changed. Never rejects: another time will do.
   */
  private async sweep(names: readonly string[], saved: string): Promise<void> {
    try {
      for (const name of names.filter((one) => ours.test(one))) {
        const age = (await this.destination.changedAt(saved)) - (await this.destination.changedAt(name));
        if (age > longestMs) await this.destination.remove(name);
      }
    } catch {
      // The result itself is saved.
    }
  }

  private async holds(name: string, what: Pick<Spooled, 'bytes' | 'sha256'>): Promise<boolean> {
    const bytes = await this.destination.read(name, what.bytes);
    if (!bytes) return false;
    const hash = createHash('sha256');
    for await (const chunk of bytes) hash.update(chunk);
    return hash.digest('hex') === what.sha256;
  }

  private async prove(): Promise<void> {
    await this.destination.prove();
    this.claim?.prove?.();
  }

  /** Names that differ only in case or Unicode form count as taken: the project may be opened on another system. */
  private async takeFirstFree(
    unnamed: string,
    bring: () => Promise<void>,
    baseName: string,
    taken: ReadonlySet<string>,
    earlier: string | undefined,
  ): Promise<string> {
    let isHere = false;
    for (const name of numberedNames(safeName(baseName), this.source.extension)) {
      if (taken.has(folded(name)) && name !== earlier) continue;
      if (isInstructions(name) && this.claim?.mayInstruct !== true) continue;
      if (this.claim?.record(this.destination.uri(name)) === false) continue;
      if (!isHere) await bring();
      isHere = true;
      await this.prove();
      if (await this.destination.take(unnamed, name, name === earlier)) return name;
    }
    throw new FileProblem('notWritable', `no free name for '${baseName}.${this.source.extension}'`);
  }
}
