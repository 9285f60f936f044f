import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import { hashed, type Hashed } from './hashed';
import { keepBeside, sibling, writeNew, type Replacing } from './replacement';
import type { Beside } from './sidecars';

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
 * Changes sidecar files whose text was read before. Each function rejects, and leaves the file alone, if a person has
 * changed that text since.
 */
export function besideFiles(
  places: BesidePlaces,
  clock: Clock,
  random: Random,
): Pick<Beside, 'move' | 'remove' | 'setAside' | 'write'> {
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
