import type { Clock, Random } from '../base/clock';
import { type Log, reasonOf } from '../base/log';
import { hashed, type Hashed, type Renamed } from './sameFile';
import { folded } from './names';
import { readProvenance } from './provenance';
import { keepBeside, type Replacing, sibling, writeNew } from './replacement';

/** Sidecar files with how files were made; each is identified by the file (URI) it belongs to. */
export interface SidecarFiles {
  /** Undefined when it doesn't exist, or is too large to be one. */
  read(file: string): Promise<string | undefined>;
  /** Rejects when something has the name, or it has another text by now. */
  move(from: string, to: string, text: string): Promise<void>;
  /** Moves it to the trash. Rejects, leaving it in place, if that isn't possible or it has another text by now. */
  remove(file: string, text: string): Promise<void>;
  /**
   * Frees its name without losing it: it's then in the trash, or under another name. Rejects if it has another text by
   * now.
   */
  setAside(file: string, text: string): Promise<void>;
  /** Rejects when something has the name. */
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
    private readonly beside: SidecarFiles,
    private readonly log: Log,
  ) {}

  /** These files were renamed or moved, in this order. */
  renamed(files: readonly Renamed[]): Promise<void> {
    return this.each(files, async ({ from, to }) => {
      const text = await this.textOf(from);
      if (text === undefined) return;
      const replaced = await this.ofReplaced(from, to);
      if (replaced !== undefined) await this.beside.setAside(to, replaced);
      await this.beside.move(from, to, text);
    });
  }

  /** These files were deleted. */
  deleted(files: readonly string[]): Promise<void> {
    return this.each(files, async (file) => {
      const text = await this.textOf(file);
      if (text === undefined) return;
      await this.beside.remove(file, text);
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
      const recorded = readProvenance(text)?.sha256;
      if (recorded === undefined || recorded !== (await this.beside.sha256(file))) return;
      await this.beside.write(file, text);
    });
  }

  /** The sidecar at the new place, if it belongs to a file that this move replaced. */
  private async ofReplaced(from: string, to: string): Promise<string | undefined> {
    const there = await this.textOf(to);
    if (there === undefined) return undefined;
    // If only the case changes and the disk ignores case, it's the same place, with the same sidecar.
    return folded(from) !== folded(to) || there !== (await this.textOf(from)) ? there : undefined;
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

  private async textOf(file: string): Promise<string | undefined> {
    const text = await this.beside.read(file);
    return text !== undefined && readProvenance(text) ? text : undefined;
  }
}

/** The locations of sidecar files; all are URIs. */
export interface BesidePlaces {
  /** The sidecar file’s URI, whether it exists or not. */
  besideOf(file: string): string;
  /** As `Places.replacing`. */
  replacing(file: string, root: string): Promise<Replacing>;
  /** Moves a file to the trash; false if there is no trash. Never rejects. */
  trash(file: string): Promise<boolean>;
}

/**
 * Changes sidecar files whose text was read before. Each function rejects, and leaves the file alone, if a user has
 * changed that text since.
 */
export function besideFiles(
  places: BesidePlaces,
  clock: Clock,
  random: Random,
): Pick<SidecarFiles, 'move' | 'remove' | 'setAside' | 'write'> {
  const opened = async (file: string) => {
    const uri = places.besideOf(file);
    return { uri, files: await places.replacing(uri, sibling(uri, '')) };
  };
  const asRead = async (file: string, text: string) => {
    const { uri, files } = await opened(file);
    const found = await files.read(uri);
    if (!found || new TextDecoder().decode(found.bytes) !== text) throw new Error(`${uri} has changed, so it was kept`);
    return { uri, files, found };
  };
  const create = async (file: string, whole: Hashed) => {
    const { uri, files } = await opened(file);
    if (!(await writeNew(files, uri, whole, random))) throw new Error(`${uri} already exists`);
  };
  return {
    move: async (from, to, text) => {
      const { uri, files, found } = await asRead(from, text);
      await create(to, found);
      // A change made meanwhile exists only there, so it stays.
      await files.remove(uri, found);
    },
    remove: async (file, text) => {
      const { uri } = await asRead(file, text);
      // The deleted file may be restored, so its sidecar file isn't deleted for good.
      if (!(await places.trash(uri))) throw new Error(`${uri} couldn’t be moved to the trash, so it was kept`);
    },
    setAside: async (file, text) => {
      const { uri, files, found } = await asRead(file, text);
      if (await places.trash(uri)) return;
      await keepBeside(files, uri, found, random);
      await files.remove(uri, found);
    },
    write: async (file, text) => create(file, await hashed(new TextEncoder().encode(text), clock)),
  };
}
