import { type Disposable, Emitter } from '../base/disposable';
import type { Log } from '../base/log';
import { below, fileKey } from '../files/sameFile';
import { hasVariables } from '../files/template';
import type { Library, LibraryEntry } from './library';
import type { Target } from './record';

/** The renders of files that documents and render files name, so that none is ordered twice. */
export class FileRenders implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listening: Disposable;
  private joined: ReadonlyMap<string, LibraryEntry> | undefined;

  /** Another render is that of a file, or has changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly library: Pick<Library, 'entries' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.listening = library.onDidChange(() => this.look());
  }

  /**
   * The render of each file, by `fileKey` of its URI: one that isn't over, else the newest. A name without an extension
   * gets that of the result.
   */
  get byFile(): ReadonlyMap<string, LibraryEntry> {
    this.joined ??= this.join();
    return this.joined;
  }

  /**
   * The render that leaves nothing to order for the target's file: one that isn't over, or that was saved since its
   * renders were those of `before`. Undefined if there's none.
   */
  otherFor(target: Target, before: FileRenders['byFile'] = this.byFile): LibraryEntry | undefined {
    const file = namedFile(target);
    if (file === undefined) return undefined;
    const key = fileKey(file);
    const entry = this.byFile.get(key);
    if (!entry || !isOver(entry)) return entry;
    return entry.state === 'saved' && entry.id !== before.get(key)?.id ? entry : undefined;
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private look(): void {
    const before = this.joined;
    this.joined = undefined;
    // Most renders aren't those of a named file.
    if (!before || !haveSameEntries(before, this.byFile)) this.changed.announce(undefined, this.log);
  }

  private join(): ReadonlyMap<string, LibraryEntry> {
    const byFile = new Map<string, LibraryEntry>();
    // The newest come first.
    for (const entry of this.library.entries) {
      const file = entry.record && namedFile(entry.record.target);
      if (file === undefined) continue;
      const key = fileKey(file);
      const known = byFile.get(key);
      if (!known || (isOver(known) && !isOver(entry))) byFile.set(key, entry);
    }
    return byFile;
  }
}

/** True for a render that has ended and needs no decision. */
export function isOver({ group, record }: LibraryEntry): boolean {
  return group === 'finished' && record?.staged !== true;
}

/** The URI of the file that a result replaces or becomes; undefined if its name comes from a template. */
export function namedFile({ root, folder, fileName, ending, replaces }: Target): string | undefined {
  if (replaces) return replaces.uri;
  if (root === undefined || (ending === undefined && hasVariables(fileName))) return undefined;
  const name = ending === undefined ? fileName : `${fileName}.${ending}`;
  return below(root, [...folder.split('/').filter(Boolean), name]);
}

function haveSameEntries(one: ReadonlyMap<string, LibraryEntry>, other: ReadonlyMap<string, LibraryEntry>): boolean {
  return one.size === other.size && [...one].every(([file, entry]) => other.get(file) === entry);
}
