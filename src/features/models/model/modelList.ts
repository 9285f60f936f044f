import { type Disposable, Emitter, type Lazy } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import { isObject } from '../../../base/json';
import type { Store, SyncedStore } from '../../../base/store';
import type { CatalogClient } from '../../../catalog/client';
import { isLimit, ServiceError } from '../../../catalog/errors';
import { type KnownKinds, type Place, placeName, type Session } from '../../../catalog/session';
import type { Listing, ModelKind, ModelSummary } from '../../../catalog/fields';
import { madeKind } from '../../../renders/madeKind';
import type { RenderRecord } from '../../../renders/record';
import type { KeptModels, ListOwner } from './keptModels';

/** The models as views show them. */
export interface ShownModels {
  readonly listing: Listing<ModelSummary>;
  /** When the service returned this list, ms since 1970. */
  readonly at: number;
  /** The service isn't returning its list: this is an earlier one. */
  readonly kept: boolean;
  /** Its last price with default inputs, euro cents; undefined while unknown. */
  readonly costOf: (modelId: string) => number | undefined;
}

/** The part of the session that is used. */
export type ListSession = Pick<Session, 'state' | 'models' | 'modelsAt'> & {
  readonly client: Pick<CatalogClient, 'account' | 'language'> | undefined;
};

/** The list of models for views: the service's own or, while it isn't returning that, its last one. */
export class ModelList {
  private written: Listing<ModelSummary> | undefined;

  constructor(
    private readonly session: ListSession,
    private readonly keeping: Lazy<Pick<KeptModels, 'read' | 'write'>>,
    private readonly costOf: ShownModels['costOf'],
    private readonly log: Log,
  ) {}

  /** Rejects with ServiceError when there is neither. */
  async read(): Promise<ShownModels> {
    const owner = ownerOf(this.session);
    try {
      const listing = await this.session.models();
      // A list requested meanwhile may have just arrived.
      const at = this.session.modelsAt ?? Date.now();
      if (owner && listing !== this.written) void this.keep(owner, listing, at);
      return { listing, at, kept: false, costOf: this.costOf };
    } catch (error) {
      const kept = owner && isAway(error) ? await this.keptOf(owner) : undefined;
      if (!kept) throw error;
      if (!this.isOf(owner)) throw new ServiceError('cancelled', 'The list is from an earlier connection');
      return { ...kept, kept: true, costOf: this.costOf };
    }
  }

  /** Never rejects: without the copy there's only less to show another day. */
  private async keep(owner: ListOwner, listing: Listing<ModelSummary>, at: number): Promise<void> {
    this.written = listing;
    try {
      await (await this.keeping.get()).write(owner, listing, at);
    } catch (error) {
      this.log.warn(`Couldn’t save the list of models: ${reasonOf(error)}`);
    }
  }

  private async keptOf(owner: ListOwner) {
    try {
      return await (await this.keeping.get()).read(owner);
    } catch (error) {
      this.log.warn(`Couldn’t read the saved list of models: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private isOf(owner: ListOwner | undefined): boolean {
    const now = ownerOf(this.session);
    return now?.place === owner?.place && now?.account === owner?.account;
  }
}

/** Undefined for the sandbox, which is always available. */
export function ownerOf({ client, state }: ListSession): ListOwner | undefined {
  if (!client || !state.place || state.place.sandbox) return undefined;
  return { place: placeName(state.place), account: client.account, language: client.language };
}

/** True when the service can't be reached, has an outage, or declines for now. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.kind === 'noAnswer' || isLimit(error) || (error.kind === 'status' && (error.status ?? 0) >= 500);
}

const key = 'models.kinds';
/** Beyond this, the oldest are dropped. */
const mostKept = 500;

type KindRow = readonly [place: string, modelId: string, kind: ModelKind];

/**
 * The kinds of models whose service doesn't state them: learned from their results, else from the user, who is asked
 * once.
 */
export class ModelKinds implements KnownKinds, Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private known: ReadonlyMap<string, ModelKind>;

  constructor(private readonly store: Store) {
    this.known = mapOf(this.kept());
  }

  of(place: Place, modelId: string): ModelKind | undefined {
    return this.known.get(modelKeyOf(placeName(place), modelId));
  }

  /** Records the user's answer. */
  async say(place: Place, modelId: string, kind: ModelKind): Promise<void> {
    await this.keep([[placeName(place), modelId, kind]]);
  }

  /** Learns from results, oldest first; they override the user's answer. */
  async learn(records: Iterable<Pick<RenderRecord, 'place' | 'modelId' | 'spooled' | 'textOutput'>>): Promise<void> {
    const learned = new Map<string, KindRow>();
    for (const { place, modelId, spooled, textOutput } of records) {
      const kind = madeKind({ mediaType: spooled?.mediaType, textOutput });
      if (kind) learned.set(modelKeyOf(place, modelId), [place, modelId, kind]);
    }
    const news = [...learned].filter(([name, [, , kind]]) => this.known.get(name) !== kind);
    if (news.length > 0) await this.keep(news.map(([, row]) => row));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async keep(rows: readonly KindRow[]): Promise<void> {
    const names = new Set(rows.map(([place, modelId]) => modelKeyOf(place, modelId)));
    // Keep what other windows have learned meanwhile.
    const others = this.kept().filter(([place, modelId]) => !names.has(modelKeyOf(place, modelId)));
    const all = [...others, ...rows].slice(-mostKept);
    this.known = mapOf(all);
    await this.store.update(key, all);
    this.changed.fire();
  }

  private kept(): readonly KindRow[] {
    const kept = this.store.get(key);
    return Array.isArray(kept) ? kept.filter(isRow) : [];
  }
}

function mapOf(rows: readonly KindRow[]): ReadonlyMap<string, ModelKind> {
  return new Map(rows.map(([place, modelId, kind]) => [modelKeyOf(place, modelId), kind]));
}

/** The stored value may come from another version. */
function isRow(row: unknown): row is KindRow {
  if (!Array.isArray(row)) return false;
  const [place, modelId, kind] = row as readonly unknown[];
  const isKind = kind === 'image' || kind === 'text' || kind === 'other';
  return typeof place === 'string' && typeof modelId === 'string' && isKind;
}

/** A URL can't contain a line break. */
function modelKeyOf(place: string, modelId: string): string {
  return `${place}\n${modelId}`;
}

/** A model of a service; `place` as in `placeName`. */
interface Mark {
  readonly place: string;
  readonly modelId: string;
}

const keys = { favourites: 'models.favourites', recent: 'models.recent' } as const;
const mostRecent = 5;

/** A user's favorite models, which sync to other machines, and the recent ones. */
export class ChosenModels implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private shown: string;

  /** `place` names the service in use; undefined without one. */
  constructor(
    private readonly store: SyncedStore,
    private readonly place: () => string | undefined,
  ) {
    store.setKeysForSync([keys.favourites]);
    this.shown = this.written();
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
    if (written === this.shown) return;
    this.shown = written;
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
