import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Event } from '../base/event';
import type { JsonObject } from '../base/json';
import { Emitter } from '../base/event';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import { Bodies } from './bodies';
import { rememberFiles } from './fileIdentity';
import { moneyLine } from './forgetting';
import { heavyWork } from './heavyWork';
import { LedgerError } from './ledgerError';
import { changedProgress, inputsIn, readRow, writeRow } from './ledgerRow';
import type { LedgerRow } from './ledgerRow';
import { nextLedger } from './ledgers';
import type { Decision, Progress, RenderRecord, RenderState, Spooled } from './record';

/** The layout this version writes; a ledger with a higher number was written by a newer version. */
const layout = 1;

/** A balance as the service stated it. */
export interface SeenBalance {
  /** When it was asked for and when the answer was there, ms since 1970: it was so at some moment between. */
  readonly askedAt: number;
  readonly at: number;
  readonly cents: number;
}

/** A row that cannot be read: shown, never sent, repaired or deleted. */
export interface UnreadableRow {
  readonly key: string;
  readonly reason: string;
}

/** Where the result of a render is, or was. */
export interface Whereabouts extends Result {
  readonly index: number;
  readonly key: string;
}

/** Null or undefined is what is not recorded. */
interface Result {
  /** URIs. */
  readonly file?: string | null;
  readonly claimed?: string | null;
  /** Hexadecimal. */
  readonly sha256?: string | null;
  readonly generationId?: string | null;
}

/** Some rows that follow on each other, the newest first. */
export interface HistoryPage {
  readonly records: readonly RenderRecord[];
  readonly unreadable: readonly UnreadableRow[];
  /** The index below which the next page begins; undefined when this is the last one. */
  readonly before: number | undefined;
}

/**
 * Every render, on disk, shared by all windows. A change is durable when the call returns (WAL, synchronous=FULL), and
 * is a compare-and-swap: of two windows that change the same record, one wins and the other gets `undefined`.
 */
export class Ledger {
  private readonly changed = new Emitter<RenderRecord>();
  private readonly statements = new Map<string, StatementSync>();
  private readonly troubleChanged = new Emitter<void>();
  private seenVersion: unknown;
  /** The leases of all windows, each with the ticks since which this process has seen it unchanged. */
  private leases: Map<string, Lease> | undefined;
  private failing: LedgerError | undefined;
  /** Where the next one is begun once this one is found damaged. */
  private readonly nextPath: string;

  /**
   * After a change made through this object, which stands whatever a listener throws, and with what `plan` found; those
   * of other windows are told by `changedElsewhere`.
   */
  readonly onDidChange: Event<RenderRecord> = this.changed.event;

  /** `trouble` came, or is over. */
  readonly onDidChangeTrouble: Event<void> = this.troubleChanged.event;

  private constructor(
    private readonly db: DatabaseSync,
    /** A newer version's ledger: it is read, nothing is written or sent. */
    readonly readOnly: boolean,
    private readonly path: string,
    /** False once the file that is written to is no longer the one its path stands for. */
    private readonly isInPlace: () => boolean,
    private readonly bodies: Bodies,
    private readonly log: Log,
  ) {
    this.nextPath = nextLedger(path);
  }

  /** Throws LedgerError: `unavailable` (no SQLite, no permission, no disk) or `damaged`. */
  static async open(path: string, log: Log = silentLog): Promise<Ledger> {
    const { DatabaseSync: Database } = await import('node:sqlite').catch((error: unknown) => {
      throw new LedgerError('unavailable', 'This editor has no SQLite', error);
    });
    let db: DatabaseSync | undefined;
    try {
      db = new Database(path);
      const readOnly = prepare(db);
      const health = readOnly ? 'ok' : await healthOf(db, path);
      if (health !== 'ok') throw new LedgerError('damaged', `The ledger is damaged: ${health}`);
      // What was committed last is in the log beside it.
      const isInPlace = rememberFiles([path, `${path}-wal`]);
      return new Ledger(db, readOnly, path, isInPlace, new Bodies(`${path}.bodies`), log);
    } catch (error) {
      db?.close();
      throw asLedgerError(error);
    }
  }

  /**
   * Why the last render that was to be written could not be: as long as it stands, what is under way cannot be
   * recorded. Or `lost`: then what is under way is, and nothing is begun.
   */
  get trouble(): LedgerError | undefined {
    return this.failing;
  }

  /**
   * Why what begins here would be unknown to every window to come, looked at now: the file is no longer where it was
   * opened, or another window has found it damaged and begun the next. Undefined as long as neither is so.
   */
  get lost(): LedgerError | undefined {
    if (!this.isInPlace()) return new LedgerError('gone', 'The ledger was deleted, moved or replaced');
    if (existsSync(this.nextPath))
      return new LedgerError('setAside', 'Another window has found the ledger damaged and begun the next');
    return undefined;
  }

  /**
   * Puts a decision on disk, before anything of it leaves; where another window has come first with it, the record is
   * the one there is. Throws LedgerError when it cannot be kept.
   */
  plan(decision: Decision, owner: string): RenderRecord {
    return this.insert(decision, { state: 'planned', attempt: 0, unanswered: 0, owner });
  }

  /** Takes up a render that was started elsewhere: it has a generation, so it can be delivered and never sent. */
  takeUp(decision: Decision, progress: Progress & { generationId: string }): RenderRecord {
    return this.insert(decision, progress);
  }

  /**
   * Moves a record on; undefined when another window moved it first (read it again). Throws LedgerError when it cannot
   * be kept.
   */
  change(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    const moved = this.recording(() => this.move(record, next));
    if (moved?.isApart && !needsBody(moved)) this.bodies.forget(moved.key);
    return this.told(moved);
  }

  /**
   * Moves a record on from wherever it stands by then, as often as another window comes first. `next` sees the fresh
   * record and says what changes, or undefined when there is nothing to change any more. Returns the record as it
   * stands at the end.
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
   * Keeps of a render that has ended what it cost, and none of its words. Undefined when another window moved it first.
   * What stood in the files before is in them until `scrub`. Throws LedgerError when it cannot be kept.
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
    return this.told(this.get(key));
  }

  /**
   * Takes what was forgotten out of the files too, where no window can read it any more but somebody else could.
   * Rejects with LedgerError.
   */
  async scrub(): Promise<void> {
    try {
      await heavyWork(this.db, this.path, ['VACUUM', 'PRAGMA wal_checkpoint(TRUNCATE)']);
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /**
   * Records the name (URI) that a result is about to take, and the result: false when another one on its way to the
   * disk has recorded that name, also one that a crash stopped there, unless the person gave it up. One step for all
   * windows: a name is one result's.
   */
  claim(key: string, claimed: string, spooled: Spooled): boolean {
    const moved = this.recording(() =>
      this.atOnce(() => {
        const record = this.get(key);
        const isAnothers = this.inStates('succeeded').some(
          (other) => other.key !== key && other.claimed === claimed && other.deleted !== true,
        );
        return record && !isAnothers ? this.move(record, { claimed, spooled }) : undefined;
      }),
    );
    return this.told(moved) !== undefined;
  }

  get(key: string): RenderRecord | undefined {
    const row = this.statement(`SELECT ${columns} FROM renders WHERE key = ?`).get(key);
    return row && this.readable([row as unknown as LedgerRow])[0];
  }

  /** The newest rows below that index, `most` of them. */
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

  /** The index of the newest render; 0 when there is none. */
  get lastIndex(): number {
    return this.last('SELECT max(id) AS last FROM renders');
  }

  /** Stands for what any window has changed so far. */
  get mark(): number {
    return this.readOnly ? 0 : this.last('SELECT max(mark) AS last FROM changes');
  }

  /** The records that any window has changed since that mark, the newest first. */
  changedSince(mark: number): readonly RenderRecord[] {
    // What a newer version's ledger tells of changes nobody knows yet.
    if (this.readOnly) return this.page(Number.MAX_SAFE_INTEGER, 1000).records;
    const rows = this.statement(
      `SELECT ${columns} FROM renders WHERE key IN (SELECT key FROM changes WHERE mark > ?) ORDER BY id DESC`,
    ).all(mark);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** The renders that have this generation id, oldest first. */
  ofGeneration(id: string): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE ${generationOf} = ? ORDER BY id`).all(id);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** The records of more than one render at the service. */
  ofSeveral(): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE ${namesOthers}`).all();
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** The records that were sent more than once: of each try but the last, nobody may have heard what became. */
  repeated(): RenderRecord[] {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE attempt > 1`).all();
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /** Where the results of the newest renders below that index are, `most` of them. */
  whereabouts(below: number, most: number): Whereabouts[] {
    const rows = this.statement(
      `SELECT id, key, ${result} AS result FROM renders WHERE id < ? ORDER BY id DESC LIMIT ?`,
    ).all(below, most) as { id: number; key: string; result: string }[];
    return rows.map(({ id, key, result: told }) => ({ ...(JSON.parse(told) as Result), index: id, key }));
  }

  /** The renders of a model that succeeded, the newest first: `most` of them, among the last 2,000 of all. */
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

  /** The failed renders that ended since then (ms since 1970), oldest first. */
  failedSince(since: number): RenderRecord[] {
    const rows = this.statement(
      `SELECT ${columns} FROM renders WHERE state = 'failed' AND ${endOf} >= ? ORDER BY id`,
    ).all(since);
    return this.readable(rows as unknown as LedgerRow[]);
  }

  /**
   * The exact bytes every attempt sends, read now; undefined when they are not there. Whether they are the decided ones
   * is for `isIntact` to say.
   */
  bodyOf({ key, isApart }: RenderRecord): Uint8Array | undefined {
    if (isApart) return this.bodies.read(key);
    const row = this.statement('SELECT body FROM renders WHERE key = ?').get(key) as Pick<Decision, 'body'> | undefined;
    return row?.body;
  }

  /**
   * True when the record on disk is the decision that was made, and these are its bytes: what must hold before they may
   * leave.
   */
  isIntact(record: RenderRecord, body: Uint8Array): boolean {
    const kept = this.bodyOf(record);
    const row = this.statement('SELECT seal FROM renders WHERE key = ?').get(record.key) as
      { seal: string } | undefined;
    return kept !== undefined && row?.seal === seal({ ...record, body }) && Buffer.compare(kept, body) === 0;
  }

  /**
   * What was put in, whole, as the record only has large inputs cut short. Throws LedgerError `altered` when it is not
   * what was decided.
   */
  inputsOf(record: RenderRecord): JsonObject {
    if (!record.isApart) return record.inputs;
    const body = this.bodyOf(record);
    if (!body || !this.isIntact(record, body)) throw new LedgerError('altered', 'The inputs of the render are lost');
    return inputsIn(body);
  }

  /**
   * Removes large bodies that were written before `before` (ms since 1970) and that no row needs, as after a crash: it
   * never came about, or has ended.
   */
  sweep(before: number): void {
    const rows = this.statement(`SELECT ${columns} FROM renders WHERE key = ?`);
    this.bodies.sweep(before, (key) => {
      const row = rows.get(key) as unknown as LedgerRow | undefined;
      const read = row && readRow(row);
      // What a row that cannot be read needs, nobody knows.
      return read !== undefined && (!('record' in read) || needsBody(read.record));
    });
  }

  /**
   * Takes a lease; false while another owner renews it. One that nobody renews for `ms` is free. Every process counts
   * these by its own ticks, from when it saw the last renewal: no clock that is set, and no two that differ, can end a
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

  /** Shows that the owner is alive; false when it has lost the lease, even if that is free again by now. */
  renew(name: string, owner: string, ms: number, clock: Clock): boolean {
    const result = this.passing(() =>
      this.statement('UPDATE leases SET until = ? WHERE name = ? AND owner = ?').run(clock.now() + ms, name, owner),
    );
    return Number(result.changes) === 1;
  }

  /** Keeps what the service said of an account's balance; of many that are the same in a row the first and the last. */
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

  /** What `see` kept, in the order it was so. */
  seen(place: string, account: string): SeenBalance[] {
    return this.statement(
      'SELECT asked_at AS askedAt, at, cents FROM balances WHERE place = ? AND account = ? ORDER BY at',
    ).all(place, account) as unknown as SeenBalance[];
  }

  /** True while somebody renews the lease, or did less than `ms` ago. */
  isLeased(name: string, ms: number, clock: Clock): boolean {
    const lease = this.watchedLease(name, clock);
    return lease !== undefined && !isSilent(lease, ms, clock);
  }

  release(name: string, owner: string): void {
    this.passing(() => this.statement('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner));
  }

  /** True once after another window changed something; that it is `lost` becomes its `trouble`. */
  changedElsewhere(): boolean {
    const { lost } = this;
    if (lost) this.fail(lost);
    const { data_version: version } = this.statement('PRAGMA data_version').get() as { data_version: unknown };
    const changed = this.seenVersion !== undefined && this.seenVersion !== version;
    this.seenVersion = version;
    return changed;
  }

  close(): void {
    this.changed.dispose();
    this.troubleChanged.dispose();
    this.db.close();
  }

  /**
   * The lease as it is now. All of them are watched from the first look on, so that a window that starts after a crash
   * waits once for all.
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

  private insert(decision: Decision, progress: Progress): RenderRecord {
    const { key, place, account } = decision;
    const isApart = decision.body.length > largestBody;
    const row = writeRow(decision, progress, isApart);
    // A row of before bodies were kept apart has one: what is empty there is altered to that version, and never sent by
    // it.
    const body = isApart ? new Uint8Array() : decision.body;
    const [inserted] = this.recording(() => {
      this.mustBeInUse();
      if (isApart) this.bodies.keep(key, decision.body);
      // A conflict changes nothing: it only makes the statement answer with the row there is, so that nothing has to be
      // read after it. It is committed once all its rows were taken, and `get` takes but one.
      return this.statement(
        `INSERT INTO renders (key, state, attempt, version, place, account, body, seal, decision, progress)
         VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING ${columns}`,
      ).all(key, progress.state, progress.attempt, place, account, body, seal(decision), row.decision, row.progress);
    });
    const read = readRow(inserted as unknown as LedgerRow);
    if ('reason' in read) throw new LedgerError('altered', read.reason);
    this.changed.announce(read.record, this.log);
    return read.record;
  }

  private move(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    const { moved: target = record.target } = next;
    const moved: RenderRecord = { ...record, ...next, target, version: record.version + 1 };
    if (record.state === 'planned' && moved.state === 'sent') this.mustBeInUse();
    const { key, state, attempt, version } = record;
    const row = this.statement('SELECT progress FROM renders WHERE key = ?').get(key) as
      Pick<LedgerRow, 'progress'> | undefined;
    if (!row) return undefined;
    const result = this.statement(
      'UPDATE renders SET state = ?, attempt = ?, version = ?, progress = ? WHERE key = ? AND state = ? AND attempt = ? AND version = ?',
    ).run(moved.state, moved.attempt, moved.version, changedProgress(row.progress, next), key, state, attempt, version);
    return Number(result.changes) === 1 ? moved : undefined;
  }

  private told(moved: RenderRecord | undefined): RenderRecord | undefined {
    if (moved) this.changed.announce(moved, this.log);
    return moved;
  }

  private mustBeInUse(): void {
    const { lost } = this;
    if (lost) throw lost;
  }

  /** No other window writes between what is read and what is written. */
  private atOnce<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      this.db.exec('COMMIT');
      return done;
    } catch (error) {
      // A disk that is full may have ended it already.
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

  /** Writes a render, and tells when that begins to fail and when it succeeds again. */
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
   * Writes what a loss of power may take, as it takes all windows with it: seen by the others at once, and not waited
   * for until it is on disk.
   */
  private passing<T>(write: () => T): T {
    return this.writing(() => {
      this.db.exec('PRAGMA synchronous = NORMAL');
      try {
        return write();
      } finally {
        this.db.exec(durable);
      }
    });
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return statement;
  }
}

/** A commit is on disk when it returns. */
const durable = 'PRAGMA synchronous = FULL';

/** A lease as it was seen in the ledger. */
interface Lease {
  readonly owner: string;
  /**
   * Another one with each renewal. It is when the lease ends by the wall clock, which windows of earlier versions go
   * by.
   */
  readonly until: number;
  /** Ticks of this process. */
  readonly since: number;
}

function isSilent({ since }: Lease, ms: number, clock: Clock): boolean {
  return clock.ticks() - since >= ms;
}

/** False once nobody sends it, repeats it or renders it again any more. */
function needsBody({ state, deleted, forgotten }: RenderRecord): boolean {
  return state !== 'discarded' && !deleted && !forgotten;
}

const columns = 'id, key, state, attempt, version, place, account, length(body) = 0 AS apart, decision, progress';

/** How many of the newest renders are searched for those of one model: some ms of work. */
const lookedBack = 2000;

/** Longer bodies are not kept in the rows, bytes. */
const largestBody = 65_536;

const tables = `
  CREATE TABLE renders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    version INTEGER NOT NULL,
    place TEXT NOT NULL,
    account TEXT NOT NULL,
    body BLOB NOT NULL,
    seal TEXT NOT NULL,
    decision TEXT NOT NULL,
    progress TEXT NOT NULL
  );
  CREATE INDEX renders_state ON renders (state);
  CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
  PRAGMA user_version = ${layout};
`;

/** Written so that a row whose progress was damaged has none, and keeps nobody from the others. */
const generationOf = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.generationId') END";

const endOf = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.endedAt') END";

/** As JSON; of what can't be read nothing is known. */
const result = `CASE WHEN json_valid(progress) THEN json_object(
  'file', progress ->> '$.file', 'claimed', progress ->> '$.claimed', 'sha256', progress ->> '$.spooled.sha256',
  'generationId', progress ->> '$.generationId') ELSE '{}' END`;

/** So few that they have an index of their own. */
const namesOthers = `instr(progress, '"otherIds"') > 0`;

/** Came after the first ledgers were written; what does not know them leaves them alone. */
const indexes = [
  `CREATE INDEX IF NOT EXISTS renders_generation ON renders (${generationOf})`,
  `CREATE INDEX IF NOT EXISTS renders_several ON renders (id) WHERE ${namesOthers}`,
  `CREATE INDEX IF NOT EXISTS renders_repeated ON renders (id) WHERE attempt > 1`,
  `CREATE INDEX IF NOT EXISTS renders_failed ON renders (${endOf}) WHERE state = 'failed'`,
];

/**
 * So did this: which renders were changed, in the order of their last changes. Written by the database itself, so that
 * what versions change that don't know it is there as well.
 */
const changes = `
  CREATE TABLE IF NOT EXISTS changes (mark INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
  ${['INSERT', 'UPDATE']
    .map(
      (event) => `CREATE TRIGGER IF NOT EXISTS changes_${event.toLowerCase()} AFTER ${event} ON renders BEGIN
        DELETE FROM changes WHERE key = new.key;
        INSERT INTO changes (key) VALUES (new.key);
      END;`,
    )
    .join('\n')}
`;

/** And this. */
const balances = `
  CREATE TABLE IF NOT EXISTS balances (
    place TEXT NOT NULL, account TEXT NOT NULL, at INTEGER NOT NULL, asked_at INTEGER NOT NULL, cents INTEGER NOT NULL,
    PRIMARY KEY (place, account, at)) WITHOUT ROWID;
`;

/** Makes the tables where there are none; true when the ledger is a newer version's and may only be read. */
function prepare(db: DatabaseSync): boolean {
  db.exec(`PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; ${durable};`);
  const stated = () => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (stated() > layout) return true;
  db.exec('BEGIN IMMEDIATE');
  // Another window may have made them since.
  if (stated() === 0) db.exec(tables);
  db.exec(balances);
  db.exec(changes);
  db.exec('COMMIT');
  return false;
}

/** `ok`, or what is damaged. */
async function healthOf(db: DatabaseSync, path: string): Promise<string> {
  const look = await heavyWork(db, path, [...indexes, 'PRAGMA quick_check(1)']);
  return String(look?.['quick_check']);
}

/** Ties the bytes to the key, the place and the account they were decided for. */
function seal(decision: Pick<Decision, 'key' | 'place' | 'account' | 'body'>): string {
  const hash = createHash('sha256');
  for (const part of [decision.key, decision.place, decision.account]) hash.update(`${part.length}:${part}`);
  return hash.update(decision.body).digest('hex');
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/not a database|malformed/i.test(message)) return new LedgerError('damaged', message, error);
  if (/full/i.test(message)) return new LedgerError('full', message, error);
  return new LedgerError('unavailable', message, error);
}
