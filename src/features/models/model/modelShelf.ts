import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';
import { isObject } from '../../../base/json';

/** The part of the editor's Memento that is used; all windows share it and, with Settings Sync, all machines. */
export interface SyncedStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
  setKeysForSync(keys: readonly string[]): void;
}

/** A model of a service; `place` as in `placeName`. */
interface Mark {
  readonly place: string;
  readonly modelId: string;
}

const keys = { favourites: 'models.favourites', recent: 'models.recent' } as const;
const mostRecent = 5;

/** A person's favorite models, which sync to other machines, and the recent ones. */
export class ModelShelf implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private told: string;

  /** `place` names the service in use; undefined without one. */
  constructor(
    private readonly store: SyncedStore,
    private readonly place: () => string | undefined,
  ) {
    store.setKeysForSync([keys.favourites]);
    this.told = this.written();
  }

  /** Favorites of the service in use, by id, in the order they were added. */
  get favourites(): readonly string[] {
    return this.here(keys.favourites);
  }

  /** Ids of the service in use that were rendered last, newest first, at most 5. */
  get recent(): readonly string[] {
    return this.here(keys.recent);
  }

  async addFavourite(modelId: string): Promise<void> {
    const place = this.place();
    if (place === undefined || this.favourites.includes(modelId)) return;
    await this.write(keys.favourites, [...this.marks(keys.favourites), { place, modelId }]);
  }

  async removeFavourite(modelId: string): Promise<void> {
    const place = this.place();
    await this.write(
      keys.favourites,
      this.marks(keys.favourites).filter((mark) => mark.place !== place || mark.modelId !== modelId),
    );
  }

  /** The model was rendered. */
  async use(modelId: string, place = this.place()): Promise<void> {
    const marks = this.marks(keys.recent);
    if (place === undefined || marks.find((mark) => mark.place === place)?.modelId === modelId) return;
    const here = marks.filter((mark) => mark.place === place && mark.modelId !== modelId).slice(0, mostRecent - 1);
    const elsewhere = marks.filter((mark) => mark.place !== place);
    await this.write(keys.recent, [{ place, modelId }, ...here, ...elsewhere]);
  }

  /** Picks up and announces changes by other windows. */
  look(): void {
    const written = this.written();
    if (written === this.told) return;
    this.told = written;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private here(key: string): readonly string[] {
    const place = this.place();
    return this.marks(key).flatMap((mark) => (mark.place === place ? [mark.modelId] : []));
  }

  private marks(key: string): readonly Mark[] {
    const kept = this.store.get(key);
    return Array.isArray(kept) ? kept.filter(isMark) : [];
  }

  private async write(key: string, marks: readonly Mark[]): Promise<void> {
    await this.store.update(key, marks);
    this.look();
  }

  private written(): string {
    return JSON.stringify([this.marks(keys.favourites), this.marks(keys.recent)]);
  }
}

/** The stored value may come from another version, through another machine. */
function isMark(value: unknown): value is Mark {
  return isObject(value) && typeof value.place === 'string' && typeof value.modelId === 'string';
}
