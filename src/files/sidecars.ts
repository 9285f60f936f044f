import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { folded } from './names';
import { readProvenance } from './provenance';
import type { Renamed } from './sameFile';

/** Sidecar files with how files were made; each is identified by the file (URI) it belongs to. */
export interface Beside {
  /** Undefined when it doesn't exist, or is too large to be one. */
  read(file: string): Promise<string | undefined>;
  /** Rejects when the name is taken. */
  move(from: string, to: string): Promise<void>;
  /** Moves it to the trash; rejects when that isn't possible, and it stays. */
  remove(file: string): Promise<void>;
  /** Frees its name without losing it: it's in the trash, or under another name. */
  setAside(file: string): Promise<void>;
  /** Rejects when the name is taken. */
  write(file: string, text: string): Promise<void>;
  /** Of a file's bytes, hexadecimal; undefined when it doesn't exist or is too large. */
  sha256(file: string): Promise<string | undefined>;
}

/**
 * Keeps sidecar files with their files. Touches only files that parse as sidecars, and overwrites nothing: the sidecar
 * of a file that was replaced by a move is set aside for the new one. Call in the order of events; each waits for the
 * previous one. Never rejects.
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

  /**
   * These files were created, perhaps by restoring one that was deleted. A different file of that name doesn't get the
   * sidecar.
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

  /** True when the sidecar at the new place is that of a file replaced by this move. */
  private async isOfReplaced(from: string, to: string): Promise<boolean> {
    const there = await this.told(to);
    if (there === undefined) return false;
    // On a case-insensitive disk a change of case keeps the same place, and so the same sidecar.
    return folded(from) !== folded(to) || there !== (await this.told(from));
  }

  private each<T>(files: readonly T[], follow: (file: T) => Promise<void>): Promise<void> {
    this.last = this.last.then(async () => {
      // In the order they were renamed: a new name may be another file's old name.
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
