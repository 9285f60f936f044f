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
  private readonly pending = new Map<string, { readonly value: unknown }>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: SyncedStore) {}

  get(key: string): unknown {
    const update = this.pending.get(key);
    return update ? update.value : this.store.get(key);
  }

  /** Resolves when it's written. Rejects when it can't be. */
  update(key: string, value: unknown): Promise<void> {
    const { pending, store } = this;
    const update = { value };
    pending.set(key, update);
    const written = this.last.then(() => store.update(key, value));
    const end = () => pending.get(key) === update && pending.delete(key);
    this.last = written.then(end, end);
    return written;
  }

  setKeysForSync(keys: readonly string[]): void {
    this.store.setKeysForSync(keys);
  }
}
