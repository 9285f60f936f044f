import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { folded } from './names';
import { readProvenance } from './provenance';

/** What stands beside files and tells how they were made; each is named here by the file (URI) it stands beside. */
export interface Beside {
  /** Undefined when there is none, or it is too large to be one. */
  read(file: string): Promise<string | undefined>;
  /** Rejects when something has the name. */
  move(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Takes it from its name and loses nothing of it: it can be found again in the trash, or under another name. */
  setAside(file: string): Promise<void>;
  /** Rejects when something has the name. */
  write(file: string, text: string): Promise<void>;
  /** True for a file that is there without a byte in it. */
  isEmpty(file: string): Promise<boolean>;
}

/** A file with its new URI. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * Has what stands beside a file share its lot. Only what can be read as the telling of how a file was made is touched, and nothing is
 * written over: what tells of a file that another was moved over makes room for that one’s. To be told in the order in which things happened; what is not done yet is waited for. Never rejects.
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
      if ((await this.told(from)) === undefined) return;
      if (await this.isOfReplaced(from, to)) await this.beside.setAside(to);
      await this.beside.move(from, to);
    });
  }

  /** These files were deleted. */
  deleted(files: readonly string[]): Promise<void> {
    return this.each(files, async (file) => {
      const text = await this.told(file);
      if (text === undefined) return;
      await this.beside.remove(file);
      this.deletedWith.set(file, text);
    });
  }

  /** These files were created: one that was deleted before may have been brought back. A new one of its name is empty. */
  created(files: readonly string[]): Promise<void> {
    return this.each(files, async (file) => {
      const text = this.deletedWith.get(file);
      if (text === undefined || !this.deletedWith.delete(file) || (await this.beside.isEmpty(file))) return;
      await this.beside.write(file, text);
    });
  }

  /** True when what stands at the new place tells of a file that this one was moved over, and which is no more. */
  private async isOfReplaced(from: string, to: string): Promise<boolean> {
    // A name of which only the case changes can be the same place still.
    return folded(from) !== folded(to) && (await this.told(to)) !== undefined;
  }

  private each<T>(files: readonly T[], follow: (file: T) => Promise<void>): Promise<void> {
    this.last = this.last.then(async () => {
      // One after the other, as they were renamed: the new name of one can be the old name of another.
      for (const file of files)
        await follow(file).catch((error: unknown) =>
          this.log.warn(`What tells how a file was made could not follow it: ${reasonOf(error)}`),
        );
    });
    return this.last;
  }

  private async told(file: string): Promise<string | undefined> {
    const text = await this.beside.read(file);
    return text !== undefined && readProvenance(text) ? text : undefined;
  }
}
