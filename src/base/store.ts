/** The part of the editor's Memento that is used. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** A store whose keys Settings Sync can carry to other machines. */
export interface SyncedStore extends Store {
  setKeysForSync(keys: readonly string[]): void;
}

/**
 * The store of all windows, written one update at a time. After each one, the editor replaces everything in a window's
 * copy by what was written: an update made in the meantime would be lost.
 */
export class SharedStore implements SyncedStore {
  private readonly pending = new Map<string, unknown>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: SyncedStore) {}

  get(key: string): unknown {
    return this.pending.has(key) ? this.pending.get(key) : this.store.get(key);
  }

  /** Resolves when it's written. Rejects when it can't be. */
  update(key: string, value: unknown): Promise<void> {
    const { pending, store } = this;
    pending.set(key, value);
    const written = this.last.then(() => store.update(key, value));
    const end = () => pending.get(key) === value && pending.delete(key);
    this.last = written.then(end, end);
    return written;
  }

  setKeysForSync(keys: readonly string[]): void {
    this.store.setKeysForSync(keys);
  }
}
