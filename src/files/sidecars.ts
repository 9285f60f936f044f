import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { folded } from './names';
import { readProvenance } from './provenance';
import type { Renamed } from './sameFile';

/** What stands beside files and tells how they were made; each is named here by the file (URI) it stands beside. */
export interface Beside {
  /** Undefined when there is none, or it is too large to be one. */
  read(file: string): Promise<string | undefined>;
  /** Rejects when something has the name, or it has another text by now. */
  move(from: string, to: string, text: string): Promise<void>;
  /** Moves it to the trash; rejects where that cannot be, or it has another text by now, and then it stays. */
  remove(file: string, text: string): Promise<void>;
  /**
   * Takes it from its name and loses nothing of it: it can be found again in the trash, or under another name. Rejects
   * when it has another text by now.
   */
  setAside(file: string, text: string): Promise<void>;
  /** Rejects when something has the name. */
  write(file: string, text: string): Promise<void>;
  /** Of the bytes of a file, hexadecimal; undefined where it is not there or too large. */
  sha256(file: string): Promise<string | undefined>;
}

/**
 * Has what stands beside a file share its lot. Only what can be read as the telling of how a file was made is touched,
 * and nothing is written over: what tells of a file that another was moved over makes room for that one’s. To be told
 * in the order in which things happened; what is not done yet is waited for. Never rejects.
 */
export class Sidecars {
  private readonly deletedWith = new Map<string, string>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly beside: Beside,
    private readonly log: Log,
  ) {}

  /** These files were renamed or moved, in this order. */
  renamed(files: readonly Renamed[]): Promise<void> {
    return this.each(files, async ({ from, to }) => {
      const text = await this.told(from);
      if (text === undefined) return;
      const replaced = await this.ofReplaced(from, to);
      if (replaced !== undefined) await this.beside.setAside(to, replaced);
      await this.beside.move(from, to, text);
    });
  }

  /** These files were deleted. */
  deleted(files: readonly string[]): Promise<void> {
    return this.each(files, async (file) => {
      const text = await this.told(file);
      if (text === undefined) return;
      await this.beside.remove(file, text);
      this.deletedWith.set(file, text);
    });
  }

  /**
   * These files were created: one that was deleted before may have been brought back. Another one of its name is told
   * nothing of.
   */
  created(files: readonly string[]): Promise<void> {
    return this.each(files, async (file) => {
      const text = this.deletedWith.get(file);
      if (text === undefined || !this.deletedWith.delete(file)) return;
      const told = readProvenance(text)?.sha256;
      if (told === undefined || told !== (await this.beside.sha256(file))) return;
      await this.beside.write(file, text);
    });
  }

  /** What stands at the new place, when it tells of a file that this one was moved over, and which is no more. */
  private async ofReplaced(from: string, to: string): Promise<string | undefined> {
    const there = await this.told(to);
    if (there === undefined) return undefined;
    // A name of which only the case changes is the same place still where the disk tells no case: then the same stands
    // there.
    return folded(from) !== folded(to) || there !== (await this.told(from)) ? there : undefined;
  }

  private each<T>(files: readonly T[], follow: (file: T) => Promise<void>): Promise<void> {
    this.last = this.last.then(async () => {
      // One after the other, as they were renamed: the new name of one can be the old name of another.
      for (const file of files)
        await follow(file).catch((error: unknown) =>
          this.log.warn(`Couldn’t move a sidecar file with its result: ${reasonOf(error)}`),
        );
    });
    return this.last;
  }

  private async told(file: string): Promise<string | undefined> {
    const text = await this.beside.read(file);
    return text !== undefined && readProvenance(text) ? text : undefined;
  }
}
