/**
 * **Entry**: one render as every view shows it: our record joined with what the service lists.
 *
 * The library is the only reader that views have. It announces what changed, whichever window changed it, and what
 * ended. What can be done to an entry is in `features/rendering/model/actions.ts`.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock';
import { wait } from '../base/concurrency';
import { type Disposable, Disposables, Emitter } from '../base/disposable';
import { type Log, reasonOf, silentLog } from '../base/log';
import type { JsonObject } from '../base/json';
import { sandboxName } from '../catalog/session';
import { type Generation, isFinal, type Listing } from '../catalog/fields';
import { recordedImages } from '../files/recordedImages';
import { isInside, spelled } from '../files/sameFile';
import {
  type AccountInUse,
  responseOf,
  type Connected,
  isDenied,
  isThere,
  mayRead,
  maySend,
  type PlaceInUse,
  type Problem,
  type RenderRecord,
  type RenderState,
} from './record';
import { capReachedAt, History } from './history';
import type { QueriedRow, Query } from './heavyWork';
import type { Alike, Ledger, SeenBalance, Whereabouts } from './ledger';
import { recognized, tellsOf } from './proof';
import { applyStatus } from './statuses';
import type { WindowLease } from './windowLease';

/** The group of the tree that a render is in. */
export type RenderGroup = 'notSent' | 'active' | 'paidNotSaved' | 'unknown' | 'finished';

/** One render as every view shows it: our record joined with the service's list. */
export interface LibraryEntry {
  /** Our key, or `service:<generation id>` for one started elsewhere. */
  readonly id: string;
  readonly group: RenderGroup;
  /** Our state; undefined for a render started elsewhere. */
  readonly state?: RenderState;
  /** The service's own word. */
  readonly status?: string;
  readonly generationId?: string;
  readonly modelId: string | undefined;
  readonly inputs: JsonObject;
  /** The charge according to the service, euro cents. */
  readonly costCents?: number;
  readonly shownCents?: number;
  /** ms since 1970. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly file?: string;
  readonly mediaType?: string;
  /** A text model's response, instead of a file. */
  readonly textOutput?: string;
  readonly problem?: Problem;
  readonly record?: RenderRecord;
  readonly generation?: Generation;
  /** The URL that it was ordered at, while another service is in use. */
  readonly awayAt?: string;
}

/** What the service in use has of renders that were ordered at another URL. */
export interface Recognition {
  readonly place: string;
  readonly renders: number;
  /** Both URLs are of one service. If not, the user is asked. */
  readonly isCertain: boolean;
}

/** A changed record. */
export interface RenderChange {
  /** Undefined for a record that is new, or that another window changed and that wasn't read before. */
  readonly before: RenderRecord | undefined;
  readonly now: RenderRecord;
  /** True when this window changed it. */
  readonly isOurs: boolean;
}

/** How often the ledger is checked for other windows' changes, ms: while renders here are open, and otherwise. */
const watchMs = { open: 500, idle: 4000 };

/** The renders that views read: every record joined with the service's list. Changes only what that list proves. */
export class Library {
  private readonly changed = new Emitter<void>();
  private readonly ended = new Emitter<LibraryEntry>();
  private readonly doubled = new Emitter<LibraryEntry>();
  private readonly moved = new Emitter<RenderChange>();
  private readonly got = new Emitter<readonly Generation[]>();
  private readonly recognition = new Emitter<Recognition>();
  private readonly history: History;
  private listed: { place: string; account: string; list: Listing<Generation> } | undefined;
  private sorted: readonly LibraryEntry[] | undefined;
  private byId: ReadonlyMap<string, LibraryEntry> | undefined;
  private readonly made = new WeakMap<RenderRecord | Generation, LibraryEntry>();
  private refreshing: Promise<void> | undefined;
  private watch: Disposable | undefined;
  private readonly listening = new Disposables();

  readonly onDidChange = this.changed.event;
  /**
   * Fires once for every render that ends while this window is open and that this window or a closed one ordered; also
   * when a paid result couldn't be saved, or an order couldn't be sent and waits for the user.
   */
  readonly onDidEnd = this.ended.event;
  /**
   * Fires when the service turns out to have several renders for one of ours, or one that it may be, in the window that
   * reports its end.
   */
  readonly onDidFindSeveral = this.doubled.event;
  /** Fires for every change of a record, in any window. */
  readonly onDidMove = this.moved.event;
  /** Fires with each list read of the service in use. */
  readonly onDidGetList = this.got.event;
  /** Fires once for two URLs, in one window: the service in use turns out to be another one too, or may be. */
  readonly onDidRecognize = this.recognition.event;

  /** Why the service's list is missing; undefined when it isn't, or wasn't requested. */
  problem: string | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: AccountInUse,
    private readonly place: PlaceInUse,
    private readonly window: WindowLease,
    private readonly clock: Clock,
    private readonly log: Log = silentLog,
  ) {
    this.listening.add(ledger.onDidChange(({ now, before }) => this.take(now, true, before)));
    this.listening.add(ledger.onDidChangeServices(() => this.tell()));
    this.history = new History(ledger, clock, log, () => this.tell());
    this.watchLater();
  }

  /** In progress first, then newest first. An unchanged entry stays the same object. */
  get entries(): readonly LibraryEntry[] {
    this.sorted ??= this.join();
    return this.sorted;
  }

  /** Results with a file that came from services not in use, newest first, as far as they're held. */
  get elsewhere(): readonly LibraryEntry[] {
    const connected = this.connection();
    const isElsewhere = (record: RenderRecord) =>
      connected !== undefined && record.file !== undefined && isKept(record) && !this.isListed(record);
    const records = [...this.history.records].filter(isElsewhere);
    return records.map((record) => this.entryOf(record, undefined)).sort(activeThenNewest);
  }

  /** The entry with that id, even if it is older than those in `entries`. */
  get(id: string): LibraryEntry | undefined {
    this.byId ??= new Map(this.entries.map((entry) => [entry.id, entry]));
    const entry = this.byId.get(id);
    if (entry) return entry;
    const record = this.record(id);
    return record && this.isListed(record) ? this.entryOf(record, undefined) : undefined;
  }

  /** The entry of a record, even of an account not in use. */
  ofRecord(key: string): LibraryEntry | undefined {
    const record = this.record(key);
    return record && this.entryOf(record, undefined);
  }

  /** How many renders are too old to be in `entries`: of these workspace folders (URIs) if there are any, else all. */
  countOlder(folders: readonly string[] = []): number {
    const connected = this.connection();
    const places = connected && [connected.place, ...(connected.alsoAt ?? [])];
    const held = [...this.history.records].flatMap(({ index }) => (index < this.history.floor ? index : []));
    // What hasn't ended is held, and so is what is unknown.
    const sql = `SELECT count(*) AS older FROM renders WHERE gone = 0
      AND state IN ('saved', 'failed', 'refunded', 'refused') AND +id < ? AND +id NOT IN (SELECT value FROM json_each(?))
      ${places ? `AND ${isAmongPlaces}` : ''}
      ${folders.length > 0 ? `AND ${isOfFolders}` : ''}`;
    const values = [held, ...(places ? [places] : []), ...(folders.length > 0 ? [folders, startsIn(folders)] : [])];
    const [row] = this.ledger.rows({
      sql,
      values: [this.history.floor, ...values.map((value) => JSON.stringify(value))],
    });
    return Number(row?.['older']);
  }

  /** As `Ledger.look`. */
  look(queries: readonly Query[]): Promise<QueriedRow[][]> {
    return this.ledger.look(queries);
  }

  /** The full inputs of a render, which lists shorten. Throws LedgerError when they're lost. */
  inputsOf({ record, inputs, generation }: Pick<LibraryEntry, 'record' | 'inputs' | 'generation'>): JsonObject {
    return record ? this.ledger.inputsOf(record) : (generation?.inputs ?? inputs);
  }

  /**
   * As `find`: records whose result is, or was, at a place that `isWanted` accepts, newest first. Rejects with
   * LedgerError.
   */
  find(isWanted: (result: Whereabouts) => boolean): Promise<RenderRecord[]> {
    return find(this.ledger, this.clock, isWanted);
  }

  /** As `Ledger.placesOf`. */
  placesOf(place: string): ReadonlySet<string> {
    return this.ledger.placesOf(place);
  }

  /** The balances seen of an account, at any URL of its service, in chronological order. */
  seenBalances(place: string, account: string): SeenBalance[] {
    const seen = [...this.placesOf(place)].flatMap((one) => this.ledger.seen(one, account));
    return seen.sort((a, b) => a.at - b.at);
  }

  /** Adds the next page of older renders to `entries`. Rejects with LedgerError. */
  showOlder(): Promise<void> {
    return this.history.holdOlder();
  }

  /** Adds matching older renders to `entries`, at most a page. Rejects with LedgerError, or when aborted. */
  findOlder(isWanted: (entry: LibraryEntry) => boolean, signal: AbortSignal): Promise<void> {
    return this.history.holdWanted((record) => this.isListed(record) && isWanted(entryOf(record, undefined)), signal);
  }

  /** Requests the service's list; joins a running request. Never rejects: a failure is in `problem`. */
  refresh(): Promise<void> {
    this.refreshing ??= this.ask().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /** Announces the renders of the account now in use. */
  accountChanged(): void {
    this.tell();
  }

  /** Drops a render of the service's list that was deleted there. */
  forget(generationId: string): void {
    if (!this.listed) return;
    const { list } = this.listed;
    this.listed = { ...this.listed, list: { ...list, items: list.items.filter(({ id }) => id !== generationId) } };
    this.tell();
  }

  /** The service says that its list isn't complete. */
  get isIncomplete(): boolean {
    return this.listed?.list.incomplete ?? false;
  }

  /**
   * The charges that the service in use states since `from` (ms since 1970) for renders of this editor, with any key,
   * euro cents; refunds excluded. Undefined without a service. Throws LedgerError.
   */
  spentSince(from: number): number | undefined {
    const inUse = this.place();
    if (inUse === undefined) return undefined;
    const sql = `SELECT coalesce(sum(cost_cents), 0) AS spent FROM renders WHERE ${isAmongPlaces} AND at >= ?
      AND coalesce(accepted_at, 0) >= ? AND state <> 'refunded'`;
    const [row] = this.ledger.rows({ sql, values: [JSON.stringify([...this.ledger.placesOf(inUse)]), from, from] });
    return Number(row?.['spent']);
  }

  /** The same for renders of all time that were ordered for one of these workspace folders (URIs). */
  spentFor(folders: readonly string[]): number | undefined {
    const isHere = this.isHere();
    if (!isHere) return undefined;
    return this.alike()
      .filter((one) => isHere(one) && folders.includes(one.root ?? '') && one.state !== 'refunded')
      .reduce((sum, { renders, costCents = 0 }) => sum + renders * costCents, 0);
  }

  /** As `Ledger.alike`. */
  alike(since?: number): Alike[] {
    return this.ledger.alike(since);
  }

  /** All records of all accounts, newest first. Rejects with LedgerError. */
  slices(): AsyncIterable<readonly RenderRecord[]> {
    return this.history.slices();
  }

  /** Recorded renders that aren't sent, of all accounts. */
  get planned(): readonly RenderRecord[] {
    return [...this.history.records].filter(({ state }) => state === 'planned');
  }

  /** Picks up other windows' changes now. Throws when the ledger can't be read. */
  catchUp(): void {
    for (const record of this.history.changes()) this.take(record, false);
  }

  /** When the key in use reached its daily cap, ms since 1970; see `capReachedAt`. */
  capReachedSince(from: number): number | undefined {
    const connected = this.connection();
    if (!connected) return undefined;
    const ours = [...this.history.records].filter((record) => maySend(record, connected));
    return capReachedAt(ours, from);
  }

  /** True while renders ordered by this window wait for their turn, are in progress, or are being delivered. */
  get ownsOpen(): boolean {
    return [...this.history.records].some(
      (record) => record.owner === this.window.id && record.state !== 'sent' && groupOf(record) === 'active',
    );
  }

  /** The number of renders about to be sent to the service in use, being sent, or rendered there. */
  get activeCount(): number {
    return this.here().filter(({ state, due }) => due === true || state === 'sent' || state === 'accepted').length;
  }

  dispose(): void {
    this.listening.dispose();
    this.watch?.dispose();
    this.history.dispose();
    this.got.dispose();
    this.recognition.dispose();
    this.moved.dispose();
    this.changed.dispose();
    this.ended.dispose();
    this.doubled.dispose();
  }

  private async ask(): Promise<void> {
    const connected = this.connection();
    if (!connected) return;
    try {
      const { value: list } = await connected.client.generations({ all: true });
      const { place, client } = connected;
      this.listed = { place, account: client.account, list: { ...list, items: this.recognised(list.items) } };
      this.history.holdGenerations(list.items.map(({ id }) => id));
      this.problem = undefined;
      this.recognize(list.items, connected);
      // Its service may have been found to have another URL.
      this.applyList(list, this.connection() ?? connected);
      this.got.announce(list.items, this.log);
    } catch (error) {
      this.problem = reasonOf(error);
    }
    this.tell();
  }

  /**
   * Looks for a render that was ordered at another URL at the service in use. `certain`: both are of one service.
   * `possible`: the user has to say so, in `settleService`. Rejects with ServiceError.
   */
  async findHere(key: string): Promise<'certain' | 'possible' | undefined> {
    const connected = this.connection();
    const record = this.record(key);
    if (!connected || record?.generationId === undefined || !mayBeThere(record, connected)) return undefined;
    try {
      const { value } = await connected.client.generation(record.generationId);
      this.recognize([value], connected);
      return this.ledger.isOneService(record.place, connected.place)
        ? 'certain'
        : recognized(record, value, connected) && 'possible';
    } catch (error) {
      if (isDenied(error, record, connected)) return undefined;
      throw error;
    }
  }

  /** The user's word that a URL is of the service in use too, or of another one. Throws LedgerError. */
  settleService(place: string, isSame: boolean): void {
    const inUse = this.place();
    if (inUse !== undefined) this.ledger.relate(place, inUse, isSame, true);
  }

  /** True while renders that were ordered at another URL may be on the list of the service in use. */
  get mayRecognize(): boolean {
    const connected = this.connection();
    return connected !== undefined && [...this.history.records].some((record) => this.isStrange(record, connected));
  }

  /**
   * Finds out whether the service in use is that of renders which were ordered at another URL: it's proven if it states
   * one of them as it was ordered; with its ID alone, the user is asked, once, if it isn't over.
   */
  private recognize(list: readonly Generation[], connected: Connected): void {
    if (this.ledger.readOnly) return;
    const listed = new Map(list.map((generation) => [generation.id, generation]));
    const found = { certain: new Map<string, number>(), possible: new Map<string, number>() };
    for (const record of [...this.history.records]) {
      const generation = listed.get(record.generationId ?? '');
      const is = generation && this.isStrange(record, connected) && recognized(record, generation, connected);
      if (!is || (is === 'possible' && groupOf(record) === 'finished')) continue;
      found[is].set(record.place, (found[is].get(record.place) ?? 0) + 1);
    }
    for (const [place, renders] of found.certain)
      if (this.ledger.relate(place, connected.place, true))
        this.recognition.announce({ place, renders, isCertain: true }, this.log);
    for (const [place, renders] of found.possible)
      if (this.ledger.relate(place, connected.place, undefined))
        this.recognition.announce({ place, renders, isCertain: false }, this.log);
  }

  /** Whether its URL and the one in use are of one service isn't known. */
  private isStrange(record: RenderRecord, connected: Connected): boolean {
    return mayBeThere(record, connected) && this.ledger.isOneService(record.place, connected.place) === undefined;
  }

  /** The list may be the first to state a refund. It may also hold renders of another key. */
  private applyList(list: Listing<Generation>, connected: Connected): void {
    if (this.ledger.readOnly) return;
    const listed = new Map(list.items.map((generation) => [generation.id, generation]));
    for (const record of [...this.history.records]) {
      const generation = listed.get(record.generationId ?? '');
      if (!generation || !tellsOf(record, generation, connected)) continue;
      if (record.state === 'failed' || record.state === 'unknown' || generation.status === 'refunded')
        applyStatus(this.ledger, record.key, generation, connected, this.clock);
      else if (!mayRead(record, connected))
        this.ledger.advance(record.key, () => ({ readBy: connected.client.account }));
    }
  }

  /** The same renders, reusing the previous list's objects where nothing changed. */
  private recognised(items: readonly Generation[]): Generation[] {
    const before = new Map(this.listed?.list.items.map((generation) => [generation.id, generation]));
    return items.map((generation) => {
      const known = before.get(generation.id);
      return known && isDeepStrictEqual(known, generation) ? known : generation;
    });
  }

  /** Found however old it is, and whichever window recorded it. */
  private record(key: string): RenderRecord | undefined {
    const held = this.history.get(key);
    if (held) return held;
    const record = this.ledger.get(key);
    // One that is merely too old to be held hasn't changed.
    if (record) this.take(record, false, record.index < this.history.floor ? record : undefined);
    return record;
  }

  /** `known`: the record before, in case it isn't held. */
  private take(record: RenderRecord, here: boolean, known?: RenderRecord): void {
    const held = this.history.get(record.key);
    if (held?.version === record.version) return;
    const before = held ?? known;
    this.history.hold(record);
    this.tell();
    this.moved.announce({ before, now: record, isOurs: here }, this.log);
    if (!before || !this.isToAnnounce(record, here)) return;
    if (endsNow(before, record)) this.ended.announce(entryOf(record, undefined), this.log);
    const several = severalIds(record);
    const isFound =
      record.state === 'unknown' && record.problem?.code === 'oneFound' && held?.problem?.code !== 'oneFound';
    if (isFound || (held && several !== undefined && several !== severalIds(held)))
      this.doubled.announce(entryOf(record, undefined), this.log);
  }

  private isToAnnounce({ owner }: RenderRecord, here: boolean): boolean {
    return owner === this.window.id || (here && !this.window.isAlive(owner));
  }

  private tell(): void {
    this.sorted = this.byId = undefined;
    this.changed.announce(undefined, this.log);
  }

  private watchLater(): void {
    const open = this.activeCount > 0 || this.here().some(({ state }) => state === 'succeeded');
    this.watch = this.clock.after(open ? watchMs.open : watchMs.idle, () => {
      try {
        this.catchUp();
      } catch (error) {
        this.log.error(`Couldn’t read the renders of other windows: ${reasonOf(error)}`);
      }
      this.watchLater();
    });
  }

  /** The held records of the service in use, whatever their key: replacing a key doesn't discard what it paid for. */
  private here(): RenderRecord[] {
    const isHere = this.isHere();
    return isHere ? [...this.history.records].filter(isHere) : [];
  }

  /** Whether a render is of the service in use, at any of its URLs; undefined without one. */
  private isHere(): ((record: Pick<RenderRecord, 'place'>) => boolean) | undefined {
    const inUse = this.place();
    const places = inUse === undefined ? undefined : this.ledger.placesOf(inUse);
    return places && (({ place }) => places.has(place));
  }

  private join(): LibraryEntry[] {
    const connected = this.connection();
    const list =
      connected && this.listed?.place === connected.place && this.listed.account === connected.client.account
        ? this.listed.list.items
        : [];
    const listed = new Map(list.map((generation) => [generation.id, generation]));
    const known = new Set<string>();
    const entries: LibraryEntry[] = [];
    for (const record of this.history.records) {
      const stated = listed.get(record.generationId ?? '');
      const own = stated && connected && tellsOf(record, stated, connected) ? stated : undefined;
      if (own) known.add(own.id);
      if (this.isListed(record)) entries.push(this.entryOf(record, own));
    }
    for (const generation of list) if (!known.has(generation.id)) entries.push(this.foreign(generation));
    return entries.sort(activeThenNewest);
  }

  /**
   * Hides what was given up before sending, deleted, or forgotten; always shows what needs the user, whatever service
   * is in use.
   */
  private isListed(record: RenderRecord): boolean {
    if (!isKept(record)) return false;
    const connected = this.connection();
    return !connected || isThere(record, connected) || groupOf(record) !== 'finished';
  }

  private entryOf(record: RenderRecord, generation: Generation | undefined): LibraryEntry {
    const connected = this.connection();
    const awayAt = !connected || isThere(record, connected) ? undefined : record.place;
    const before = this.made.get(record);
    if (before && before.generation === generation && before.awayAt === awayAt) return before;
    const entry = { ...entryOf(record, generation), awayAt };
    this.made.set(record, entry);
    return entry;
  }

  private foreign(generation: Generation): LibraryEntry {
    const entry = this.made.get(generation) ?? foreign(generation);
    this.made.set(generation, entry);
    return entry;
  }
}

/** SQL: whether a row's place is one of a list. */
const isAmongPlaces = 'place IN (SELECT value FROM json_each(?))';

/** SQL: as `isOfProject`, for a list of folders and `startsIn` of it. The first is quick, and mostly enough. */
const isOfFolders = `(root IN (SELECT value FROM json_each(?))
  OR EXISTS (SELECT 1 FROM json_each(?) WHERE substr(file, 1, length(value)) = value))`;

/** How the URI of a file in one of these folders starts. */
function startsIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [folder, spelled(folder)].map((one) => (one.endsWith('/') ? one : `${one}/`)));
}

/** Where a render was ordered for, and where it was saved; URIs. */
interface Placed {
  readonly target: { readonly root?: string };
  readonly file?: string;
}

/**
 * Renders ordered for one of these workspace folders (URIs), or saved inside one; with no folder open, all of this
 * editor.
 */
export function isOfProject(record: Placed | undefined, folders: readonly string[]): boolean {
  if (!record) return false;
  const { target, file } = record;
  return folders.length === 0 || folders.some((folder) => target.root === folder || isInside(file, folder));
}

/** True for a render with an ID that another URL may have, too. The sandbox is no other service. */
function mayBeThere({ place, generationId }: RenderRecord, connected: Connected): boolean {
  return generationId !== undefined && place !== sandboxName && connected.place !== sandboxName;
}

function isKept({ state, deleted, forgotten }: RenderRecord): boolean {
  return state !== 'discarded' && !deleted && !forgotten;
}

function entryOf(record: RenderRecord, generation: Generation | undefined): LibraryEntry {
  const { key, generationId, modelId, inputs, costCents, shownCents, file, problem } = record;
  // The list may have the service's last word before the poll that takes it over: it's never shown as in progress.
  const isOpen = record.state === 'accepted';
  const end = isOpen && isFinal(generation?.status) ? generation.status : undefined;
  const status = end ?? record.status ?? generation?.status;
  const state = isOpen && isFinal(status) ? status : record.state;
  return {
    id: key,
    group: groupOf({ ...record, state }),
    state,
    status,
    generationId,
    modelId,
    inputs,
    costCents,
    shownCents,
    startedAt: record.plannedAt,
    endedAt: record.endedAt,
    file,
    mediaType: record.spooled?.mediaType,
    textOutput: responseOf(record),
    problem,
    record,
    generation,
  };
}

function groupOf({ state, due, problem, settled }: RenderRecord): RenderGroup {
  switch (state) {
    case 'planned':
      return due ? 'active' : 'notSent';
    case 'sent':
    case 'accepted':
      return 'active';
    case 'succeeded':
      // Being saved, unless something blocks it.
      return problem ? 'paidNotSaved' : 'active';
    case 'unknown':
      return settled ? 'finished' : 'unknown';
    default:
      return 'finished';
  }
}

function foreign(generation: Generation): LibraryEntry {
  const { id, status, modelId, inputs, costCents, createdAt } = generation;
  return {
    id: `service:${id}`,
    group: isFinal(status) ? 'finished' : 'active',
    status,
    generationId: id,
    modelId,
    inputs: recordedImages(inputs ?? {}),
    costCents,
    textOutput: responseOf({ ...generation, textOutput: generation.excerpt }),
    startedAt: createdAt,
    generation,
  };
}

const ends: ReadonlySet<RenderState> = new Set(['saved', 'failed', 'refunded', 'refused', 'unknown']);

function endsNow(before: RenderRecord, now: RenderRecord): boolean {
  if (now.state === 'succeeded') return now.problem !== undefined && before.problem?.code !== now.problem.code;
  // Whoever sends it is asked.
  if (now.state === 'planned' && isFound(now)) return false;
  if (now.state === 'planned')
    return before.state === 'sent' || (now.problem !== undefined && before.problem === undefined);
  return now.state !== before.state && ends.has(now.state);
}

/** True for a render that the service lists one or several times, as far as anyone can tell. */
export function isFound({ problem }: RenderRecord): boolean {
  return problem?.code === 'oneFound' || problem?.code === 'twoFound';
}

function activeThenNewest(a: LibraryEntry, b: LibraryEntry): number {
  const rank = (entry: LibraryEntry) => (entry.group === 'active' ? 0 : 1);
  return rank(a) - rank(b) || (b.startedAt ?? 0) - (a.startedAt ?? 0);
}

/** Rows examined at a time, which takes a few ms. */
const mostLookedAt = 1000;

/**
 * The records whose result is, or was, at a place that `isWanted` accepts, newest first. A long history is searched in
 * pieces, so as not to block other work. Rejects with LedgerError.
 */
export async function find(
  ledger: Ledger,
  clock: Clock,
  isWanted: (result: Whereabouts) => boolean,
): Promise<RenderRecord[]> {
  const found: RenderRecord[] = [];
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const results = ledger.whereabouts(below, mostLookedAt);
    for (const result of results) if (isWanted(result)) found.push(...[ledger.get(result.key) ?? []].flat());
    const last = results.at(-1);
    if (!last || results.length < mostLookedAt) return found;
    below = last.index;
    await wait(clock, 0);
  }
}

/**
 * The ids of several renders at the service that one of our renders is or may be: the service ignored the key, or lists
 * several that could be an unknown one. Undefined while there is no doubt.
 */
export function severalIds({ state, generationId, otherIds = [], problem }: RenderRecord): string | undefined {
  if (generationId !== undefined && otherIds.length > 0) return [generationId, ...otherIds].join(', ');
  return state === 'unknown' && problem?.code === 'twoFound' ? problem.detail : undefined;
}

/**
 * The amount that our pages state for a render, euro cents: what it was charged, even if that came back, else its
 * quote. Undefined where they state none. A press next to it agrees to as much again, and to no more.
 */
export function seenCentsOf({ costCents, shownCents, state, status }: LibraryEntry): number | undefined {
  if ((state ?? status) === 'refunded') return costCents === 0 ? undefined : costCents;
  return costCents ?? (state === 'refused' ? undefined : shownCents);
}

/**
 * The price on a button that renders it again, euro cents; undefined for none: without a charge, the next one may well
 * be charged.
 */
export function againCentsOf(entry: LibraryEntry): number | undefined {
  return seenCentsOf(entry) || undefined;
}
