import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Log } from '../base/log';
import { below } from '../files/below';
import { fileKey } from '../files/sameFile';
import { hasVariables } from '../files/template';
import type { Library, LibraryEntry } from './library';
import type { Order, Target } from './record';

/**
 * The renders of files that documents and render files name, so that none is ordered twice: those of the library, and
 * confirmed orders that wait their turn and aren't recorded yet.
 */
export class FileRenders implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly waiting = new Map<string, { readonly target: Target; readonly entry: LibraryEntry }>();
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

  /** Counts confirmed orders as in progress, until each is placed or given up. */
  wait(orders: readonly Order[]): void {
    for (const order of orders) this.waiting.set(order.intent, { target: order.target, entry: waitingEntry(order) });
    this.look();
  }

  /** These orders are recorded, or never will be. */
  waitNoMore(orders: readonly Order[]): void {
    for (const { intent } of orders) this.waiting.delete(intent);
    this.look();
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private look(): void {
    const before = this.joined;
    this.joined = undefined;
    // Most renders aren't those of a named file.
    if (!before || !isSame(before, this.byFile)) this.changed.announce(undefined, this.log);
  }

  private join(): ReadonlyMap<string, LibraryEntry> {
    const byFile = new Map<string, LibraryEntry>();
    const add = (target: Target, entry: LibraryEntry) => {
      const file = namedFile(target);
      if (file === undefined) return;
      const key = fileKey(file);
      const known = byFile.get(key);
      if (!known || (isOver(known) && !isOver(entry))) byFile.set(key, entry);
    };
    for (const { target, entry } of this.waiting.values()) add(target, entry);
    // The newest come first.
    for (const entry of this.library.entries) if (entry.record) add(entry.record.target, entry);
    return byFile;
  }
}

/** True for a render that has ended and needs no decision. */
export function isOver({ group, record }: Pick<LibraryEntry, 'group' | 'record'>): boolean {
  return group === 'finished' && record?.staged !== true;
}

/** The URI of the file that a result replaces or becomes; undefined if its name comes from a template. */
export function namedFile({ root, folder, fileName, ending, replaces }: Target): string | undefined {
  if (replaces) return replaces.uri;
  if (root === undefined || (ending === undefined && hasVariables(fileName))) return undefined;
  const name = ending === undefined ? fileName : `${fileName}.${ending}`;
  return below(root, [...folder.split('/').filter(Boolean), name]);
}

function waitingEntry({ intent, modelId, inputs, shownCents }: Order): LibraryEntry {
  return { id: intent, group: 'active', status: 'queued', modelId, inputs, shownCents };
}

function isSame(one: ReadonlyMap<string, LibraryEntry>, other: ReadonlyMap<string, LibraryEntry>): boolean {
  return one.size === other.size && [...one].every(([file, entry]) => other.get(file) === entry);
}
