import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Event } from '../base/event';
import { Emitter } from '../base/event';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import { LedgerError } from './ledgerError';
import { readRow, writeRow } from './ledgerRow';
import type { Row } from './ledgerRow';
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

/**
 * Every render, on disk, shared by all windows. A change is durable when the call returns (WAL, synchronous=FULL), and is a
 * compare-and-swap: of two windows that change the same record, one wins and the other gets `undefined`.
 */
export class Ledger {
  private readonly changed = new Emitter<RenderRecord>();
  private readonly statements = new Map<string, StatementSync>();
  private readonly troubleChanged = new Emitter<void>();
  private seenVersion: unknown;
  private failing: LedgerError | undefined;

  /**
   * After a change made through this object, which stands whatever a listener throws, and with what `plan` found; those of other windows are
   * told by `changedElsewhere`.
   */
  readonly onDidChange: Event<RenderRecord> = this.changed.event;

  /** `trouble` came, or is over. */
  readonly onDidChangeTrouble: Event<void> = this.troubleChanged.event;

  private constructor(
    private readonly db: DatabaseSync,
    /** A newer version's ledger: it is read, nothing is written or sent. */
    readonly readOnly: boolean,
    /** Where the next one is begun by a window that finds this one damaged. */
    private readonly next: string,
    private readonly log: Log,
  ) {}

  /** Throws LedgerError: `unavailable` (no SQLite, no permission, no disk) or `damaged`. */
  static async open(path: string, log: Log = silentLog): Promise<Ledger> {
    const { DatabaseSync: Database } = await import('node:sqlite').catch((error: unknown) => {
      throw new LedgerError('unavailable', 'This editor has no SQLite', error);
    });
    let db: DatabaseSync | undefined;
    try {
      db = new Database(path);
      return new Ledger(db, prepare(db), nextLedger(path), log);
    } catch (error) {
      db?.close();
      throw asLedgerError(error);
    }
  }

  /**
   * Why the last render that was to be written could not be: as long as it stands, what is under way cannot be recorded. Or that the ledger is
   * set aside: then what is under way is, and nothing is begun.
   */
  get trouble(): LedgerError | undefined {
    return this.failing;
  }

  /** True once another window has found this ledger damaged and begun the next. */
  get isSetAside(): boolean {
    return existsSync(this.next);
  }

  /**
   * Puts a decision on disk, before anything of it leaves; where another window has come first with it, the record is the one there is. Throws
   * LedgerError when it cannot be kept.
   */
  plan(decision: Decision, owner: string): RenderRecord {
    return this.insert(decision, { state: 'planned', attempt: 0, unanswered: 0, owner });
  }

  /** Takes up a render that was started elsewhere: it has a generation, so it can be delivered and never sent. */
  takeUp(decision: Decision, progress: Progress & { generationId: string }): RenderRecord {
    return this.insert(decision, progress);
  }

  /** Moves a record on; undefined when another window moved it first (read it again). Throws LedgerError when it cannot be kept. */
  change(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    return this.told(this.recording(() => this.move(record, next)));
  }

  /**
   * Moves a record on from wherever it stands by then, as often as another window comes first. `next` sees the fresh record and
   * says what changes, or undefined when there is nothing to change any more. Returns the record as it stands at the end.
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
   * Records the name (URI) that a result is about to take, and the result: false when another one on its way to the disk has recorded that
   * name, also one that a crash stopped there, unless the person gave it up. One step for all windows: a name is one result's.
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
    return row && this.readable([row as unknown as Row])[0];
  }

  /** All records, newest first. */
  all(): RenderRecord[] {
    return this.readable(this.statement(`SELECT ${columns} FROM renders ORDER BY id DESC`).all() as unknown as Row[]);
  }

  /** The records that are not of the version known, newest first. */
  moved(known: (key: string) => number | undefined): RenderRecord[] {
    const rows = this.statement('SELECT key, version FROM renders ORDER BY id DESC').all() as unknown as Pick<
      Row,
      'key' | 'version'
    >[];
    return rows.flatMap(({ key, version }) => (known(key) === version ? [] : (this.get(key) ?? [])));
  }

  inStates(...states: RenderState[]): RenderRecord[] {
    const marks = states.map(() => '?').join(', ');
    return this.readable(
      this.statement(`SELECT ${columns} FROM renders WHERE state IN (${marks}) ORDER BY id`).all(
        ...states,
      ) as unknown as Row[],
    );
  }

  /** Rows this version cannot read. */
  unreadable(): UnreadableRow[] {
    const rows = this.statement(`SELECT ${columns} FROM renders ORDER BY id`).all() as unknown as Row[];
    return rows.flatMap((row) => {
      const read = readRow(row);
      return 'reason' in read ? [{ key: row.key, reason: read.reason }] : [];
    });
  }

  /** True when the record on disk is the decision that was made: what must hold before its bytes may leave. */
  isIntact(record: RenderRecord): boolean {
    const row = this.statement('SELECT seal, body FROM renders WHERE key = ?').get(record.key) as
      { seal: string; body: Uint8Array } | undefined;
    return row !== undefined && row.seal === seal(record) && Buffer.compare(row.body, record.body) === 0;
  }

  /** Takes or keeps a lease for `ms`; false when another owner has it. Leases of the past are free. */
  lease(name: string, owner: string, ms: number, clock: Clock): boolean {
    const now = clock.now();
    const result = this.passing(() =>
      this.statement(
        `INSERT INTO leases (name, owner, until) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
         WHERE owner = excluded.owner OR until < ? OR until > ?`,
        // A lease too far in the future comes from a clock that was set back since: free as well.
      ).run(name, owner, now + ms, now, now + longestLease),
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

  /** True while somebody keeps the lease. */
  isLeased(name: string, clock: Clock): boolean {
    const now = clock.now();
    const row = this.statement('SELECT until FROM leases WHERE name = ?').get(name) as { until: number } | undefined;
    return row !== undefined && row.until >= now && row.until <= now + longestLease;
  }

  release(name: string, owner: string): void {
    this.passing(() => this.statement('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner));
  }

  /** True once after another window changed something; that one has set it aside becomes its `trouble`. */
  changedElsewhere(): boolean {
    if (this.isSetAside) this.fail(setAside());
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

  private insert(decision: Decision, progress: Progress): RenderRecord {
    const row = writeRow(decision, progress);
    const { key, place, account, body } = decision;
    const [inserted] = this.recording(() => {
      this.mustBeInUse();
      // A conflict changes nothing: it only makes the statement answer with the row there is, so that nothing has to be read after it.
      // It is committed once all its rows were taken, and `get` takes but one.
      return this.statement(
        `INSERT INTO renders (key, state, attempt, version, place, account, body, seal, decision, progress)
         VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING ${columns}`,
      ).all(key, progress.state, progress.attempt, place, account, body, seal(decision), row.decision, row.progress);
    });
    const read = readRow(inserted as unknown as Row);
    if ('reason' in read) throw new LedgerError('altered', read.reason);
    this.changed.announce(read.record, this.log);
    return read.record;
  }

  private move(record: RenderRecord, next: Partial<Progress>): RenderRecord | undefined {
    const moved: RenderRecord = { ...record, ...next, version: record.version + 1 };
    if (record.state === 'planned' && moved.state === 'sent') this.mustBeInUse();
    const row = writeRow(moved, moved);
    const result = this.statement(
      'UPDATE renders SET state = ?, attempt = ?, version = ?, progress = ? WHERE key = ? AND state = ? AND attempt = ? AND version = ?',
    ).run(
      moved.state,
      moved.attempt,
      moved.version,
      row.progress,
      record.key,
      record.state,
      record.attempt,
      record.version,
    );
    return Number(result.changes) === 1 ? moved : undefined;
  }

  private told(moved: RenderRecord | undefined): RenderRecord | undefined {
    if (moved) this.changed.announce(moved, this.log);
    return moved;
  }

  /** What begins in a ledger that is set aside would be unknown to every window to come. */
  private mustBeInUse(): void {
    if (this.isSetAside) throw setAside();
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

  private readable(rows: Row[]): RenderRecord[] {
    return rows.flatMap((row) => {
      const read = readRow(row);
      return 'record' in read ? [read.record] : [];
    });
  }

  /** Writes a render, and tells when that begins to fail and when it succeeds again. */
  private recording<T>(write: () => T): T {
    try {
      const written = this.writing(write);
      this.fail(this.isSetAside ? setAside() : undefined);
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

  /** Writes what a loss of power may take, as it takes all windows with it: seen by the others at once, and not waited for until it is on disk. */
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

/** No lease is taken for longer, ms. */
const longestLease = 120_000;

const columns = 'id, key, state, attempt, version, place, account, body, decision, progress';

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

/** Came after the first ledgers were written; what does not know it leaves it alone. */
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
  db.exec('COMMIT');
  const { quick_check: health } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (health !== 'ok') throw new LedgerError('damaged', `The ledger is damaged: ${health}`);
  return false;
}

/** Ties the bytes to the key, the place and the account they were decided for. */
function seal(decision: Pick<Decision, 'key' | 'place' | 'account' | 'body'>): string {
  const hash = createHash('sha256');
  for (const part of [decision.key, decision.place, decision.account]) hash.update(`${part.length}:${part}`);
  return hash.update(decision.body).digest('hex');
}

function setAside(): LedgerError {
  return new LedgerError('setAside', 'Another window has found the ledger damaged and begun the next');
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/not a database|malformed/i.test(message)) return new LedgerError('damaged', message, error);
  if (/full/i.test(message)) return new LedgerError('full', message, error);
  return new LedgerError('unavailable', message, error);
}
