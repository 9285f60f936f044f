import { type Clock, ageOf, type Moment, momentOf } from '../../../base/clock';
import { type Event, Emitter } from '../../../base/disposable';
import type { Log } from '../../../base/log';
import { firstFree, folded } from '../../../files/names';

/** How long a folder counts as it was read, ms: files also come and go without us. */
const knownMs = 2000;

/** How many folders are remembered: with a prompt in the folder's name, each key leads to another. */
const mostFolders = 50;

/** A folder as it was when it was read. */
interface Read {
  /** The extensions of its files, by their base name in the form for comparisons. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** When it was read; undefined once that's outdated. */
  at: Moment | undefined;
  isBeingRead: boolean;
}

/**
 * The names that are free in the folders of targets, for display: they're shown while somebody types, so nothing waits
 * for the disk. Until a folder was read, every name in it counts as free.
 */
export class FreeNames {
  private readonly folders = new Map<string, Read>();
  private readonly changed = new Emitter<void>();

  /** Other names may be free. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    /** The names of the files in a folder (URI); never rejects. */
    private readonly list: (folder: string) => Promise<readonly string[]>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * The base name, or the first numbered one after it that no file in the folder (URI) has, in any case, with an
   * extension that the result may get. Has the folder read again if that was a while ago.
   */
  first(folder: string, baseName: string, mayGet: (ending: string) => boolean): string {
    const read = this.folders.get(folder);
    if (!read?.isBeingRead && (!read?.at || ageOf(read.at, this.clock) > knownMs)) void this.read(folder, read?.files);
    return firstFree(baseName, (name) => read?.files.get(folded(name))?.some(mayGet) === true);
  }

  /** A result was saved. */
  renew(): void {
    for (const read of this.folders.values()) read.at = undefined;
    this.changed.announce(undefined, this.log);
  }

  private async read(folder: string, before: Read['files'] = new Map()): Promise<void> {
    const reading: Read = { files: before, at: momentOf(this.clock), isBeingRead: true };
    this.folders.set(folder, reading);
    const [oldest] = this.folders.keys();
    if (oldest !== undefined && this.folders.size > mostFolders) this.folders.delete(oldest);
    const files = byBaseName(await this.list(folder));
    // Of a result that was saved meanwhile, the list may not know.
    this.folders.set(folder, { files, at: reading.at && momentOf(this.clock), isBeingRead: false });
    const isSame = JSON.stringify([...files]) === JSON.stringify([...before]);
    if (!isSame || !reading.at) this.changed.announce(undefined, this.log);
  }
}

function byBaseName(names: readonly string[]): Read['files'] {
  const files = new Map<string, string[]>();
  for (const name of names) {
    const [, base, ending] = /^(.+)\.([^.]+)$/.exec(folded(name)) ?? [];
    if (base === undefined || ending === undefined) continue;
    const endings = files.get(base);
    if (endings) endings.push(ending);
    else files.set(base, [ending]);
  }
  return files;
}
