/**
 * **Ledger**: all records, in a SQLite file that all windows of one editor share.
 *
 * A change of a record is on disk when it returns, or it throws LedgerError and nothing has changed. Each carries the
 * version that it was made from, so that of two windows one is told to look again. Windows learn of each other's
 * changes by looking (`history.ts`). A window that delivers a result holds a lease on it; one that sends is the
 * record's owner (`windowLease.ts`). A row that can't be read is shown, and never sent, repaired, or deleted. What
 * sends, polls, downloads, and recovers writes to it; views read it through `library.ts`.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Emitter, type Event } from '../base/disposable';
import { givenImagesIn, isGivenImage, itemsOf } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import type { Clock } from '../base/clock';
import { type Log, silentLog } from '../base/log';
import { imagesIn, type GivenImages } from '../files/givenImages';
import { bytesIn, holdsImages } from '../files/recordedImages';
import { Bodies } from './bodies';
import { rememberFiles } from './fileIdentity';
import { moneyLine } from './forgetting';
import { heavyWork, type QueriedRow, type Query } from './heavyWork';
import { LedgerError } from './ledgerError';
import {
  changedProgress,
  durable,
  endedAtColumn,
  generationOf,
  hasLog,
  indexes,
  inputsInBody,
  type LedgerRow,
  namesOthers,
  prepare,
  readRow,
  resultJson,
  writeRow,
} from './ledgerRow';
import { nextLedger } from './openLedger';
import type { Counted, Decision, Progress, RenderRecord, RenderState, Spooled } from './record';

/** A balance that the service stated. */
export interface SeenBalance {
  /**
   * When it was requested and when the response arrived, ms since 1970: the balance held at some moment between the
   * two.
   */
  readonly askedAt: number;
  readonly at: number;
  readonly cents: number;
}

/** A row that can't be read: it is shown, and never sent, repaired, or deleted. */
export interface UnreadableRow {
  readonly key: string;
  readonly reason: string;
}

/** The place of a render's result, now or earlier. */
export interface Whereabouts extends Result {
  readonly index: number;
  readonly key: string;
}

/** Null or undefined when not recorded. */
interface Result {
  /** URIs. */
  readonly file?: string | null;
  readonly claimed?: string | null;
  /** Hexadecimal. */
  readonly sha256?: string | null;
  readonly generationId?: string | null;
}

/** A record that this window has changed. */
export interface LedgerChange {
  readonly now: RenderRecord;
  /** Undefined for one that is new, or that another window had recorded first. */
  readonly before?: RenderRecord;
}

/** Renders that are alike in all that limits and a project's sum depend on. */
export interface Alike extends Counted {
  readonly renders: number;
  readonly place: string;
  readonly root?: string;
  readonly realRoot?: string;
  /** It was sent, or about to be. */
  readonly isTried: boolean;
}

/** Consecutive rows, newest first. */
export interface HistoryPage {
  readonly records: readonly RenderRecord[];
  readonly unreadable: readonly UnreadableRow[];
  /** The index below which the next page begins; undefined on the last page. */
  readonly before: number | undefined;
}

/**
 * Every render, on disk, shared by all windows. A change is durable when the call returns (synchronous=FULL), and is a
 * compare-and-swap: when two windows change the same record, one wins and the other gets `undefined`.
 */
export class Ledger {
  private readonly changed = new Emitter<LedgerChange>();
  private readonly statements = new Map<string, StatementSync>();
  private readonly troubleChanged = new Emitter<void>();
  private seenVersion: unknown;
  /** The leases of all windows, each with the ticks since when this process has seen it unchanged. */
  private leases: Map<string, Lease> | undefined;
  private failing: LedgerError | undefined;
  private readonly servicesChanged = new Emitter<void>();
  /** What is known of pairs of URLs, by URL; undefined until it's read. */
  private related: ReadonlyMap<string, readonly Relation[]> | undefined;
  /** The URLs of each service, by each of them, as far as somebody has asked. */
  private readonly places = new Map<string, ReadonlySet<string>>();
  /** Path of the next ledger, should this one turn out damaged. */
  private readonly nextPath: string;
  private readonly hasLog: boolean;

  /**
   * After a change made through this object, and with what `plan` found. The change stands even if a listener throws.
   * `changedElsewhere` reports those of other windows.
   */
  readonly onDidChange: Event<LedgerChange> = this.changed.event;

  /** Two URLs turned out to be one service's, or not, here or in another window. */
  readonly onDidChangeServices: Event<void> = this.servicesChanged.event;

  /** `trouble` began or ended. */
  readonly onDidChangeTrouble: Event<void> = this.troubleChanged.event;

  private constructor(
    private readonly db: DatabaseSync,
    /** A newer version's ledger: it is only read; nothing is written or sent. */
    readonly readOnly: boolean,
    private readonly path: string,
    /** False once the open file is no longer the one at its path. */
    private readonly isInPlace: () => boolean,
    private readonly bodies: Bodies,
    private readonly images: GivenImages,
    private readonly log: Log,
  ) {
    this.nextPath = nextLedger(path);
    this.hasLog = hasLog(db);
  }

  /**
   * `isLocal`: no other computer can have that file open. Throws LedgerError: `unavailable` (no SQLite, no permission,
   * no disk), `inUse`, or `damaged`.
   */
  static async open(
    path: string,
    isLocal = true,
    log: Log = silentLog,
    images = imagesIn(dirname(path)),
  ): Promise<Ledger> {
    const { DatabaseSync: Database } = await import('node:sqlite').catch((error: unknown) => {
      throw new LedgerError('unavailable', 'This editor has no SQLite', error);
    });
    let db: DatabaseSync | undefined;
    try {
      db = new Database(path);
      const readOnly = prepare(db, isLocal);
      const health = readOnly ? 'ok' : await healthOf(db, path);
      if (health !== 'ok') throw new LedgerError('damaged', `The ledger is damaged: ${health}`);
      // The latest commits are in the write-ahead log next to it, if it has one.
      const isInPlace = rememberFiles([path, `${path}-wal`]);
      return new Ledger(db, readOnly, path, isInPlace, new Bodies(`${path}.bodies`), images, log);
    } catch (error) {
      db?.close();
      throw asLedgerError(error);
    }
  }

  /**
   * Why the last attempt to write a render failed. Until it clears, renders in progress can't be recorded. `lost`:
   * those are recorded, but nothing new begins.
   */
  get trouble(): LedgerError | undefined {
    return this.failing;
  }

  /**
   * Why a new render would be invisible to later windows, checked now: the file was moved, or another window found it
   * damaged and began the next ledger. Undefined when neither is so.
   */
  get lost(): LedgerError | undefined {
    if (!this.isInPlace()) return new LedgerError('gone', 'The ledger was deleted, moved, or replaced');
    if (existsSync(this.nextPath))
      return new LedgerError('setAside', 'Another window found the ledger damaged and started a new one');
    return undefined;
  }

  /**
   * Writes decisions to disk before any of them is sent, all of them or none: their owner is about to send them.
   * Undefined when any render has changed since `mark`, unless another window has recorded just these: then those are
   * returned. Throws LedgerError.
   */
  plan(decisions: Iterable<Decision>, owner: string, mark: number): readonly RenderRecord[] | undefined {
    return this.insert(decisions, { state: 'planned', attempt: 0, unanswered: 0, owner, due: true }, mark);
  }

  /**
   * Adopts a render that was started elsewhere: it has a generation, so it can be delivered and is never sent. Throws
   * LedgerError.
   */
  takeUp(decision: Decision, progress: Progress & { generationId: string }): RenderRecord {
    const [record] = this.insert([decision], progress) ?? [];
    if (!record) throw new LedgerError('unavailable', 'The render wasn’t recorded');
    return record;
  }

  /** Advances a record; undefined when another window was first (read it again). Throws LedgerError. */
  change(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    const moved = this.recording(() => this.move(record, next));
    if (moved?.isApart && !needsBody(moved)) this.bodies.forget(moved.key);
    return this.told(moved, record);
  }

  /**
   * Advances a record from its latest state, as often as another window is first. `next` gets the current record and
   * returns the change, or undefined when there is none. Returns the final record.
   */
  advance(key: string, next: (record: RenderRecord) => Partial<Progress> | undefined): RenderRecord | undefined {
    for (;;) {
      const record = this.get(key);
      const change = record && next(record);
      if (!record || !change) return record;
      const moved = this.change(record, change);
      if (moved) return moved;
    }
  }

  /**
   * Keeps of an ended render what it cost and none of its words. Undefined when another window was first. The words
   * remain in the files until `scrub`. Throws LedgerError.
   */
  forget(record: RenderRecord): RenderRecord | undefined {
    const { key, version } = record;
    const { decision, progress } = moneyLine(record);
    const result = this.recording(() =>
      this.statement(
        `UPDATE renders SET version = version + 1, body = zeroblob(0), seal = '', decision = ?, progress = ?
         WHERE key = ? AND version = ?`,
      ).run(JSON.stringify(decision), JSON.stringify(progress), key, version),
    );
    if (Number(result.changes) !== 1) return undefined;
    this.bodies.forget(key);
    for (const image of givenImagesIn(record.inputs)) this.images.forget(image);
    return this.told(this.get(key), record);
  }

  /**
   * Removes forgotten words from the files too: no window reads them anymore, but someone else could. Rejects with
   * LedgerError.
   */
  async scrub(): Promise<void> {
    try {
      await heavyWork(this.db, this.path, [{ sql: 'VACUUM' }, { sql: 'PRAGMA wal_checkpoint(TRUNCATE)' }]);
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /**
   * Records the name (URI) that a result is about to take, and the result. False when another pending result has
   * recorded that name, even one stopped by a crash, unless the user gave it up. Atomic across windows: a name
   * belongs to one result.
   */
  claim(key: string, claimed: string, spooled: Spooled): boolean {
    let before: RenderRecord | undefined;
    const moved = this.recording(() =>
      this.atOnce(() => {
        const record = (before = this.get(key));
        const isAnothers = this.inStates('succeeded').some(
          (other) => other.key !== key && other.claimed === claimed && other.deleted !== true,
        );
        return record && !isAnothers ? this.move(record, { claimed, spooled }) : undefined;
      }),
    );
    return this.told(moved, before) !== undefined;
  }

  get(key: string): RenderRecord | undefined {
    const row = this.statement(`SELECT ${columns} FROM renders WHERE key = ?`).get(key);
    return row && this.readable([row as unknown as LedgerRow])[0];
  }

  /** The newest rows below that index, at most `most`. */
  page(below: number, most: number): HistoryPage {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE id < ? ORDER BY id DESC LIMIT ?`).all(
      below,
      most,
    ) as unknown as LedgerRow[];
    const records: RenderRecord[] = [];
    const unreadable: UnreadableRow[] = [];
    for (const row of rows) {
      const read = readRow(row);
      if ('record' in read) records.push(read.record);
      else unreadable.push({ key: row.key, reason: read.reason });
    }
    return { records, unreadable, before: rows.length < most ? undefined : rows.at(-1)?.id };
  }

  /** How many renders were sent since a time (ms since 1970), or ever, that are alike. Throws LedgerError. */
  alike(since?: number): Alike[] {
    const sql = `SELECT alike, count(*) AS renders FROM renders
      WHERE alike IS NOT NULL ${since === undefined ? '' : 'AND sent_at >= ?'} GROUP BY ${since === undefined ? '' : '+'}alike`;
    return this.rows({ sql, values: since === undefined ? [] : [since] }).map(({ alike, renders }) => {
      const [place, root, realRoot, state, isTried, cost, shown, others, confirmed] = JSON.parse(String(alike)) as [
        ...[place: string, root: string | null, realRoot: string | null, state: RenderState, isTried: 0 | 1],
        ...[cost: number | null, shown: number | null, others: number, confirmed: 0 | 1 | null],
      ];
      return {
        renders: Number(renders),
        ...{ place, root: root ?? undefined, realRoot: realRoot ?? undefined, state, isTried: isTried === 1 },
        ...{ costCents: cost ?? undefined, shownCents: shown ?? undefined, otherIds: { length: others } },
        settled: confirmed === null ? undefined : { charged: confirmed === 1 },
      };
    });
  }

  /** The folders (URIs with a slash at their end) that results were saved in. Rejects with LedgerError. */
  async resultFolders(): Promise<string[]> {
    const sql = "SELECT DISTINCT rtrim(file, replace(file, '/', '')) AS folder FROM renders WHERE file IS NOT NULL";
    const [rows = []] = await this.look([{ sql }]);
    return rows.map(({ folder }) => String(folder));
  }

  /** The rows of a query, read at once: for what an index answers. Throws LedgerError. */
  rows({ sql, values = [] }: Query): QueriedRow[] {
    return this.statement(sql).all(...values) as QueriedRow[];
  }

  /** The rows of each query, without holding this thread where the history is long. Rejects with LedgerError. */
  async look(queries: readonly Query[]): Promise<QueriedRow[][]> {
    try {
      return await heavyWork(this.db, this.path, queries);
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /** The index of the newest render; 0 when there are none. */
  get lastIndex(): number {
    return this.last('SELECT max(id) AS last FROM renders');
  }

  /** Marks everything that any window has changed so far. */
  get mark(): number {
    return this.readOnly ? 0 : this.last('SELECT max(mark) AS last FROM changes');
  }

  /** The records that any window has changed since that mark, newest first. */
  changedSince(mark: number): readonly RenderRecord[] {
    // The change log of a newer version's ledger can't be relied on.
    if (this.readOnly) return this.page(Number.MAX_SAFE_INTEGER, 1000).records;
    const rows = this.statement(
      `SELECT ${columns} FROM renders WHERE key IN (SELECT key FROM changes WHERE mark > ?) ORDER BY id DESC`,
    ).all(mark);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** The renders with this generation id, oldest first. */
  ofGeneration(id: string): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE ${generationOf} = ? ORDER BY id`).all(id);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** Records that have more than one render at the service. */
  ofSeveral(): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE ${namesOthers}`).all();
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** Records sent more than once: the outcome of all attempts but the last may be unknown. */
  repeated(): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE attempt > 1`).all();
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** The places of the newest renders' results below that index, at most `most`. */
  whereabouts(below: number, most: number): Whereabouts[] {
    const rows = this.statement(
      `SELECT id, key, ${resultJson} AS result FROM renders WHERE id < ? ORDER BY id DESC LIMIT ?`,
    ).all(below, most) as { id: number; key: string; result: string }[];
    return rows.map(({ id, key, result: told }) => ({ ...(JSON.parse(told) as Result), index: id, key }));
  }

  /** Successful renders of a model, newest first: at most `most`, among the last 2,000 of all. */
  newestSuccesses(place: string, modelId: string, most: number): RenderRecord[] {
    const rows = this.statement(
      `SELECT ${columns} FROM renders WHERE id > ? AND place = ? AND state IN ('succeeded', 'saved')
       AND json_valid(decision) AND decision ->> '$.modelId' = ? ORDER BY id DESC LIMIT ?`,
    ).all(this.lastIndex - lookedBack, place, modelId, most);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  inStates(...states: RenderState[]): RenderRecord[] {
    const marks = states.map(() => '?').join(', ');
    return this.readable(
      this.statement(`SELECT ${columns} FROM renders WHERE state IN (${marks}) ORDER BY id`).all(
        ...states,
      ) as unknown as LedgerRow[],
    );
  }

  /** True when any render has succeeded: it may yet be refunded. */
  get hasSuccesses(): boolean {
    return this.statement(`SELECT 1 FROM renders WHERE state IN ('succeeded', 'saved') LIMIT 1`).get() !== undefined;
  }

  /** Failed renders that ended since then (ms since 1970), oldest first. */
  failedSince(since: number): RenderRecord[] {
    const rows = this.statement(
      `SELECT ${columns} FROM renders WHERE state = 'failed' AND ${endedAtColumn} >= ? ORDER BY id`,
    ).all(since);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /**
   * The exact bytes of every attempt, read now; undefined when they're missing. `isIntact` says whether they are the
   * ones decided on.
   */
  bodyOf({ key, isApart }: RenderRecord): Uint8Array | undefined {
    if (isApart) return this.bodies.read(key);
    const row = this.statement('SELECT body FROM renders WHERE key = ?').get(key) as Decision | undefined;
    return row?.body;
  }

  /** True when the record on disk and these bytes are the decision that was made. Required before they're sent. */
  isIntact(record: RenderRecord, body: Uint8Array): boolean {
    const kept = this.bodyOf(record);
    const row = this.statement('SELECT seal FROM renders WHERE key = ?').get(record.key) as
      { seal: string } | undefined;
    return kept !== undefined && row?.seal === seal({ ...record, body }) && Buffer.compare(kept, body) === 0;
  }

  /**
   * The full inputs, since the record holds only the beginnings of large ones. Their images are kept again, so that
   * they can be rendered again. Throws LedgerError `altered` when they differ from the decision.
   */
  inputsOf(record: RenderRecord): JsonObject {
    if (!record.isApart) return record.inputs;
    const body = this.bodyOf(record);
    if (!body || !this.isIntact(record, body)) throw new LedgerError('altered', 'The inputs of the render are lost');
    this.keepImages(inputsInBody(body, {}), record.inputs);
    return inputsInBody(body, record.inputs);
  }

  /**
   * Removes large bodies written before `before` (ms since 1970) that no row needs: the row was never written because
   * of a crash, or has ended.
   */
  sweep(before: number): void {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE key = ?`);
    this.bodies.sweep(before, (key) => {
      const row = rows.get(key) as unknown as LedgerRow | undefined;
      const read = row && readRow(row);
      // It's unknown what an unreadable row needs.
      return read !== undefined && (!('record' in read) || needsBody(read.record));
    });
  }

  /**
   * Takes a lease; false while another owner renews it. A lease that isn't renewed for `ms` is free. Every process
   * counts these by its own ticks from the last renewal it saw, so no clock change and no clock difference can end a
   * lease.
   */
  lease(name: string, owner: string, ms: number, clock: Clock): boolean {
    const before = this.watchedLease(name, clock);
    const free = before && isSilent(before, ms, clock) ? before : undefined;
    const result = this.passing(() =>
      this.statement(
        `INSERT INTO leases (name, owner, until) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
         WHERE owner = excluded.owner OR (owner = ? AND until = ?)`,
      ).run(name, owner, clock.now() + ms, free?.owner ?? owner, free?.until ?? 0),
    );
    return Number(result.changes) === 1;
  }

  /** Renews the owner's lease; false when it was lost, even if it is free again by now. */
  renew(name: string, owner: string, ms: number, clock: Clock): boolean {
    const result = this.passing(() =>
      this.statement('UPDATE leases SET until = ? WHERE name = ? AND owner = ?').run(clock.now() + ms, name, owner),
    );
    return Number(result.changes) === 1;
  }

  /** Stores an account's balance; of equal ones in a row only the first and the last. */
  see(place: string, account: string, { askedAt, at, cents }: SeenBalance): void {
    this.passing(() => {
      const before = this.statement(
        'SELECT at, cents FROM balances WHERE place = ? AND account = ? ORDER BY at DESC LIMIT 2',
      ).all(place, account) as unknown as SeenBalance[];
      this.statement(
        'INSERT OR REPLACE INTO balances (place, account, at, asked_at, cents) VALUES (?, ?, ?, ?, ?)',
      ).run(place, account, at, askedAt, cents);
      const [last] = before;
      if (last && last.at !== at && before.length === 2 && before.every((seen) => seen.cents === cents))
        this.statement('DELETE FROM balances WHERE place = ? AND account = ? AND at = ?').run(place, account, last.at);
    });
  }

  /** The stored balances in chronological order. */
  seen(place: string, account: string): SeenBalance[] {
    return this.statement(
      'SELECT asked_at AS askedAt, at, cents FROM balances WHERE place = ? AND account = ? ORDER BY at',
    ).all(place, account) as unknown as SeenBalance[];
  }

  /** The URLs of the service at this one, with it, as was proven or as the user says. */
  placesOf(place: string): ReadonlySet<string> {
    const known = this.places.get(place);
    if (known) return known;
    const places = new Set([place]);
    for (const one of places) for (const { other, same } of this.relationsOf(one)) if (same) places.add(other);
    this.places.set(place, places);
    return places;
  }

  /** Whether two URLs are of one service; undefined while nobody knows. */
  isOneService(place: string, other: string): boolean | undefined {
    const places = this.placesOf(place);
    if (places.has(other)) return true;
    const others = this.placesOf(other);
    const isApart = (one: string) => this.relationsOf(one).some((its) => !its.same && others.has(its.other));
    return [...places].some(isApart) ? false : undefined;
  }

  /**
   * Records whether two URLs are of one service: as the user says, or what was proven while the user hasn't said
   * anything. Undefined: the user is asked. False when it changes nothing, as when another window was first. Throws
   * LedgerError.
   */
  relate(place: string, other: string, same: boolean | undefined, isUsersWord = false): boolean {
    if (place === other || (!isUsersWord && this.isOneService(place, other) !== undefined)) return false;
    const result = this.recording(() =>
      this.statement(
        `INSERT INTO services (place, other, same) VALUES (?, ?, ?)
         ON CONFLICT (place, other) DO UPDATE SET same = excluded.same
         WHERE excluded.same IS NOT NULL AND (services.same IS NULL OR (? AND services.same <> excluded.same))`,
      ).run(...[place, other].sort(), same === undefined ? null : Number(same), Number(isUsersWord)),
    );
    this.readServices();
    return Number(result.changes) === 1;
  }

  /** True while the lease is renewed, or was less than `ms` ago. */
  isLeased(name: string, ms: number, clock: Clock): boolean {
    const lease = this.watchedLease(name, clock);
    return lease !== undefined && !isSilent(lease, ms, clock);
  }

  release(name: string, owner: string): void {
    this.passing(() => this.statement('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner));
  }

  /** True once after another window changed something. Being `lost` becomes its `trouble`. */
  changedElsewhere(): boolean {
    const { lost } = this;
    if (lost) this.fail(lost);
    const { data_version: version } = this.statement('PRAGMA data_version').get() as { data_version: unknown };
    const changed = this.seenVersion !== undefined && this.seenVersion !== version;
    this.seenVersion = version;
    if (changed) this.readServices();
    return changed;
  }

  close(): void {
    this.changed.dispose();
    this.troubleChanged.dispose();
    this.servicesChanged.dispose();
    this.db.close();
  }

  private relationsOf(place: string): readonly Relation[] {
    this.related ??= this.readRelations();
    return this.related.get(place) ?? [];
  }

  private readRelations(): ReadonlyMap<string, readonly Relation[]> {
    const rows = this.statement(
      'SELECT place, other, same FROM services WHERE same IS NOT NULL ORDER BY place, other',
    ).all();
    this.places.clear();
    const related = new Map<string, Relation[]>();
    for (const { place, other, same } of rows as { place: string; other: string; same: number }[])
      for (const [one, its] of [[place, other] as const, [other, place] as const]) {
        const all = related.get(one) ?? [];
        related.set(one, all);
        all.push({ other: its, same: same === 1 });
      }
    return related;
  }

  /** This window or another one may have changed them. */
  private readServices(): void {
    const before = this.related;
    this.related = this.readRelations();
    if (before && !isDeepStrictEqual(before, this.related)) this.servicesChanged.announce(undefined, this.log);
  }

  /**
   * The current lease. All leases are watched from the first call on, so that a window that starts after a crash waits
   * only once.
   */
  private watchedLease(name: string, clock: Clock): Lease | undefined {
    const since = clock.ticks();
    type LeaseRow = { name: string; owner: string; until: number };
    if (!this.leases) {
      const rows = this.statement('SELECT name, owner, until FROM leases').all() as LeaseRow[];
      this.leases = new Map(rows.map((row) => [row.name, { ...row, since }]));
    }
    const row = this.statement('SELECT owner, until FROM leases WHERE name = ?').get(name) as LeaseRow | undefined;
    const before = this.leases.get(name);
    if (!row) this.leases.delete(name);
    else if (before?.owner !== row.owner || before.until !== row.until) this.leases.set(name, { ...row, since });
    return this.leases.get(name);
  }

  /** In one transaction. Undefined when any render has changed since `mark`, unless all of them are recorded. */
  private insert(
    decisions: Iterable<Decision>,
    progress: Progress,
    mark?: number,
  ): readonly RenderRecord[] | undefined {
    // Large bodies are on disk before their rows, and only one at a time is held in memory.
    const rows = Array.from(decisions, (decision) => this.recording(() => this.rowOf(decision, progress)));
    const inserted = this.recording(() =>
      this.atOnce(() => {
        const isKnown = ([key]: NewRow) => this.statement(isRecorded).get(key) !== undefined;
        if (mark !== undefined && mark !== this.mark && !rows.every(isKnown)) return undefined;
        return rows.map((row) => this.insertRow(row));
      }),
    );
    const records = inserted?.map((row) => {
      const read = readRow(row);
      if ('reason' in read) throw new LedgerError('altered', read.reason);
      return read.record;
    });
    for (const now of records ?? []) this.changed.announce({ now }, this.log);
    return records;
  }

  /** The values of a new row, once its body is on disk if that is stored apart. */
  private rowOf(decision: Decision, progress: Progress): NewRow {
    this.mustBeInUse();
    const { key, place, account } = decision;
    // The ledger itself holds no image, however small.
    const isApart = decision.body.length > largestBody || holdsImages(decision.inputs);
    if (isApart) this.bodies.keep(key, decision.body);
    const row = writeRow(decision, progress, isApart);
    // Rows from before bodies were stored apart have one. To that version an empty body is an altered one, which it
    // never sends.
    const body = isApart ? new Uint8Array() : decision.body;
    const { state, attempt } = progress;
    return [key, state, attempt, place, account, body, seal(decision), row.decision, row.progress];
  }

  private insertRow(row: NewRow): LedgerRow {
    // A conflict changes nothing: it only makes the statement return the existing row, so that no second read is
    // needed. The statement is done once all its rows were read, and `get` reads only one.
    const [inserted] = this.statement(
      `INSERT INTO renders (key, state, attempt, version, place, account, body, seal, decision, progress)
       VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING ${columns}`,
    ).all(...row);
    return inserted as unknown as LedgerRow;
  }

  private move(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    const { moved: target = record.target } = next;
    const moved: RenderRecord = { ...record, ...next, target, version: record.version + 1 };
    if (record.state === 'planned' && moved.state === 'sent') this.mustBeInUse();
    const { key, state, attempt, version } = record;
    const row = this.statement('SELECT progress FROM renders WHERE key = ?').get(key) as LedgerRow | undefined;
    if (!row) return undefined;
    const result = this.statement(
      'UPDATE renders SET state = ?, attempt = ?, version = ?, progress = ? WHERE key = ? AND state = ? AND attempt = ? AND version = ?',
    ).run(moved.state, moved.attempt, moved.version, changedProgress(row.progress, next), key, state, attempt, version);
    return Number(result.changes) === 1 ? moved : undefined;
  }

  private told(now: RenderRecord | undefined, before: RenderRecord | undefined): RenderRecord | undefined {
    if (now) this.changed.announce({ now, before }, this.log);
    return now;
  }

  private mustBeInUse(): void {
    const { lost } = this;
    if (lost) throw lost;
  }

  /** No other window writes between the read and the write. */
  private atOnce<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      this.db.exec('COMMIT');
      return done;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  private last(sql: string): number {
    return (this.statement(sql).get() as { last: number | null }).last ?? 0;
  }

  private readable(rows: LedgerRow[]): RenderRecord[] {
    return rows.flatMap((row) => {
      const read = readRow(row);
      return 'record' in read ? [read.record] : [];
    });
  }

  /** Writes a render, and announces when that begins to fail and when it works again. */
  private recording<T>(write: () => T): T {
    try {
      const written = this.writing(write);
      this.fail(this.lost);
      return written;
    } catch (error) {
      this.fail(asLedgerError(error));
      throw error;
    }
  }

  private fail(error: LedgerError | undefined): void {
    if (error?.code === this.failing?.code) return;
    this.failing = error;
    this.troubleChanged.announce(undefined, this.log);
  }

  private writing<T>(write: () => T): T {
    if (this.readOnly) throw new LedgerError('newer', 'The ledger was written by a newer version');
    try {
      return write();
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /**
   * Writes what may be lost in a power failure, since that ends all windows too. Others see it at once; the write
   * doesn't wait for the disk, except where a power failure could damage the file then.
   */
  private passing<T>(write: () => T): T {
    return this.writing(() => {
      if (!this.hasLog) return write();
      this.db.exec('PRAGMA synchronous = NORMAL');
      try {
        return write();
      } finally {
        this.db.exec(durable);
      }
    });
  }

  private keepImages(sent: JsonObject, recorded: JsonObject): void {
    for (const [name, input] of Object.entries(recorded)) {
      const items = itemsOf(sent[name]);
      for (const [index, image] of itemsOf(input).entries()) {
        if (!isGivenImage(image) || this.images.has(image)) continue;
        const bytes = bytesIn(items[index]);
        if (bytes) this.images.keep(bytes, image.file);
      }
    }
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return statement;
  }
}

/** The values of a new row. */
type NewRow = readonly [key: string, ...others: SQLInputValue[]];

/** What is known of a URL and another one: whether both are one service's. */
interface Relation {
  readonly other: string;
  readonly same: boolean;
}

/** A lease as seen in the ledger. */
interface Lease {
  readonly owner: string;
  /** Changes with each renewal. Windows of earlier versions take it as the wall-clock time at which the lease ends. */
  readonly until: number;
  /** Ticks of this process. */
  readonly since: number;
}

function isSilent({ since }: Lease, ms: number, clock: Clock): boolean {
  return clock.ticks() - since >= ms;
}

/** False once it's never again sent, repeated, or rendered again. */
function needsBody({ state, deleted, forgotten }: RenderRecord): boolean {
  return state !== 'discarded' && !deleted && !forgotten;
}

const isRecorded = 'SELECT 1 FROM renders WHERE key = ?';
const columns = 'id, key, state, attempt, version, place, account, length(body) = 0 AS apart, decision, progress';

/** How many of the newest renders are searched for those of one model: a few ms of work. */
const lookedBack = 2000;

/** Longer bodies are stored outside the rows, bytes. */
const largestBody = 65_536;

/** `ok`, or a description of the damage. */
async function healthOf(db: DatabaseSync, path: string): Promise<string> {
  const rows = await heavyWork(
    db,
    path,
    [...indexes, 'PRAGMA quick_check(1)'].map((sql) => ({ sql })),
  );
  return String(rows.at(-1)?.[0]?.['quick_check']);
}

/** Ties the bytes to the key, place, and account they were decided for. */
function seal(decision: Decision): string {
  const hash = createHash('sha256');
  for (const part of [decision.key, decision.place, decision.account]) hash.update(`${part.length}:${part}`);
  return hash.update(decision.body).digest('hex');
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/not a database|malformed/i.test(message)) return new LedgerError('damaged', message, error);
  if (/locked/i.test(message)) return new LedgerError('inUse', message, error);
  if (/full/i.test(message)) return new LedgerError('full', message, error);
  return new LedgerError('unavailable', message, error);
}
