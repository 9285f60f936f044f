import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import { withoutImages } from './givenImage';
import { ProblemDetails, say } from './problem';

/** The states of a render (specification: States and transitions). */
export type Status = 'queued' | 'succeeded' | 'failed' | 'refunded';

/** A render as the account stores it. */
export interface Generation {
  readonly id: string;
  readonly status: Status;
  readonly costCents: number;
  readonly modelId: string;
  /** As sent. */
  readonly inputs: JsonObject;
  /** ms since 1970. */
  readonly createdAt: number;
  /** The earliest time the result may be ready, ms since 1970. */
  readonly readyAt: number;
  readonly finishedAt?: number;
  readonly textOutput?: string;
  readonly hasContent: boolean;
  /** Why it failed. */
  readonly reason?: string;
}

/** A result file. */
export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The result of a render: a file, or a text model's response. */
export type Result = { readonly content: Content } | { readonly text: string };

/** A request to start a render, priced. */
export interface Start {
  readonly key: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  readonly costCents: number;
  readonly readyAt: number;
  readonly idempotencyKey?: string;
}

export interface Opening {
  /** The opening balance, cents; an existing account keeps its own. */
  readonly balanceCents: number;
  /** The key's daily cap, cents; undefined leaves it unchanged, initially uncapped. */
  readonly dailyCapCents?: number;
  /** Revokes the existing keys and creates another. */
  readonly newKey?: boolean;
}

const schema = `
  CREATE TABLE IF NOT EXISTS keys (
    key TEXT PRIMARY KEY, created_at INTEGER NOT NULL, daily_cap_cents INTEGER, revoked INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL REFERENCES keys(key),
    status TEXT NOT NULL, cost_cents INTEGER NOT NULL, model_id TEXT NOT NULL, inputs TEXT NOT NULL,
    created_at INTEGER NOT NULL, ready_at INTEGER NOT NULL, finished_at INTEGER, text_output TEXT, reason TEXT,
    idempotency_key TEXT, request_hash TEXT NOT NULL,
    worker TEXT, worker_until INTEGER, deleted INTEGER NOT NULL DEFAULT 0,
    UNIQUE (key, idempotency_key)) STRICT;
  CREATE TABLE IF NOT EXISTS contents (
    generation_id TEXT PRIMARY KEY REFERENCES generations(id), type TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS book (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, cents INTEGER NOT NULL,
    key TEXT, generation_id TEXT REFERENCES generations(id), UNIQUE (generation_id, kind)) STRICT;
  PRAGMA user_version = 1;`;

const columns = `id, status, cost_cents, model_id, inputs, created_at, ready_at, finished_at, text_output, reason,
  EXISTS (SELECT 1 FROM contents WHERE generation_id = id) AS has_content`;

/**
 * The account in a single file: keys, renders, and bookings that add up to the balance. Any number of processes may
 * have it open. Each method is one transaction, so a process may end at any time.
 */
export class Account {
  /** The valid key. */
  readonly key: string;
  private readonly file: DatabaseSync;

  /** Opens the account in the folder, or creates it. Throws if the file can't be used. */
  constructor(
    folder: string,
    opening: Opening,
    private readonly clock: Clock,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'account.sqlite');
    this.file = new DatabaseSync(path);
    chmodSync(path, 0o600);
    try {
      this.file.exec(
        'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; ' +
          'PRAGMA secure_delete = ON',
      );
      this.key = this.write(() => this.open(opening));
    } catch (error) {
      this.file.close();
      throw error;
    }
  }

  close(): void {
    this.file.close();
  }

  /** Whether the key belongs to this account and isn't revoked. */
  accepts(key: string): boolean {
    const known = this.file.prepare('SELECT key FROM keys WHERE revoked = 0').all();
    return known.some((row) => same(String(row.key), key));
  }

  /** The remaining balance, cents. */
  balance(): number {
    return this.number('SELECT COALESCE(SUM(cents), 0) AS n FROM book');
  }

  /** The key's daily cap, cents; undefined if it has none. */
  dailyCap(key: string): number | undefined {
    const row = this.file.prepare('SELECT daily_cap_cents AS cents FROM keys WHERE key = ?').get(key);
    return row?.cents === null ? undefined : Number(row?.cents);
  }

  /** The key's spending since midnight UTC, cents, not counting refunds. */
  spentToday(key: string): number {
    const now = this.clock.now();
    const midnight = now - (now % 86_400_000);
    return this.number(
      `SELECT -COALESCE(SUM(cents), 0) AS n FROM book WHERE generation_id IN
        (SELECT generation_id FROM book WHERE kind = 'charge' AND key = ? AND at >= ?)`,
      key,
      midnight,
    );
  }

  addMoney(cents: number): void {
    this.write(() => this.enter('payment', cents));
  }

  /**
   * Charges the balance and queues a render. The same Idempotency-Key with the same request returns the earlier render
   * and charges nothing; with another request, it's a 422. Throws 402 if the balance is too low, and 409
   * API_KEY_DAILY_CAP if the render would exceed the cap. Then nothing is charged, and the Idempotency-Key stays
   * unused.
   */
  start(start: Start): Generation {
    const hash = createHash('sha256')
      .update(JSON.stringify([start.modelId, start.inputs]))
      .digest('hex');
    return this.write(() => this.repeated(start, hash) ?? this.charge(start, hash));
  }

  generation(id: string): Generation | undefined {
    const row = this.file.prepare(`SELECT ${columns} FROM generations WHERE id = ? AND deleted = 0`).get(id);
    return row && generationOf(row);
  }

  /** The latest renders, newest first. */
  generations(count: number): Generation[] {
    const rows = this.file.prepare(`SELECT ${columns} FROM generations WHERE deleted = 0 ORDER BY number DESC LIMIT ?`);
    return rows.all(count).map(generationOf);
  }

  /** Renders that aren't final: queued, or failed and not refunded yet. Oldest first. */
  unfinished(): Generation[] {
    const rows = this.file.prepare(
      `SELECT ${columns} FROM generations WHERE status IN ('queued', 'failed') ORDER BY number`,
    );
    return rows.all().map(generationOf);
  }

  content(id: string): Content | undefined {
    const row = this.file.prepare('SELECT type, bytes FROM contents WHERE generation_id = ?').get(id);
    return row && { type: String(row.type), bytes: row.bytes as Uint8Array };
  }

  /**
   * Reserves a queued render for one worker until a time (ms since 1970). False if another worker has it or it isn't
   * queued.
   */
  claim(id: string, worker: string, until: number): boolean {
    const claim = this.file.prepare(
      `UPDATE generations SET worker = ?, worker_until = ? WHERE id = ? AND status = 'queued'
        AND (worker IS NULL OR worker = ? OR worker_until <= ?)`,
    );
    return this.write(() => claim.run(worker, until, id, worker, this.clock.now()).changes === 1);
  }

  /** Lets others have the queued renders that a worker reserved. */
  release(worker: string): void {
    this.write(() =>
      this.file.prepare(`UPDATE generations SET worker = NULL WHERE worker = ? AND status = 'queued'`).run(worker),
    );
  }

  /** queued → succeeded, with its result. Does nothing if it's no longer queued. */
  succeed(id: string, result: Result): void {
    this.write(() => {
      const text = 'text' in result ? result.text : null;
      const won = this.file
        .prepare(
          `UPDATE generations SET status = 'succeeded', finished_at = ?, text_output = ? WHERE id = ? AND status = 'queued'`,
        )
        .run(this.clock.now(), text, id).changes;
      this.forgetImages(id);
      if (won === 0 || !('content' in result)) return;
      const { type, bytes } = result.content;
      this.file.prepare('INSERT INTO contents (generation_id, type, bytes) VALUES (?, ?, ?)').run(id, type, bytes);
    });
  }

  /** queued → failed. Does nothing if it's no longer queued. */
  fail(id: string, reason: string): void {
    this.write(() => {
      this.file
        .prepare(
          `UPDATE generations SET status = 'failed', finished_at = ?, reason = ? WHERE id = ? AND status = 'queued'`,
        )
        .run(this.clock.now(), reason, id);
      this.forgetImages(id);
    });
  }

  /** failed → refunded: pays back the charge, once. */
  refund(id: string): void {
    this.write(() => {
      const row = this.file
        .prepare(
          `UPDATE generations SET status = 'refunded' WHERE id = ? AND status = 'failed' RETURNING cost_cents, key`,
        )
        .get(id);
      if (row) this.enter('refund', Number(row.cost_cents), String(row.key), id);
    });
  }

  /** What has ended is never made again, so its images aren't needed. */
  private forgetImages(id: string): void {
    const row = this.file
      .prepare(`SELECT inputs FROM generations WHERE id = ? AND status <> 'queued' AND instr(inputs, 'data:image/')`)
      .get(id);
    if (!row) return;
    const inputs = withoutImages(JSON.parse(String(row.inputs)) as JsonObject);
    this.file.prepare('UPDATE generations SET inputs = ? WHERE id = ?').run(JSON.stringify(inputs), id);
  }

  /** Deletes a render, its inputs, and its result. Its bookings stay, and its Idempotency-Key stays used. */
  remove(id: string): void {
    this.write(() => {
      this.file.prepare('DELETE FROM contents WHERE generation_id = ?').run(id);
      this.file.prepare(`UPDATE generations SET deleted = 1, inputs = '{}', text_output = NULL WHERE id = ?`).run(id);
    });
  }

  private open({ balanceCents, dailyCapCents, newKey }: Opening): string {
    const version = this.number('SELECT user_version AS n FROM pragma_user_version');
    if (version > 1) throw new Error('The account file was made by a newer version of the sandbox.');
    if (version === 0) {
      this.file.exec(schema);
      this.enter('payment', balanceCents);
    }
    if (newKey) this.file.exec('UPDATE keys SET revoked = 1');
    const key = this.validKey() ?? this.makeKey();
    if (dailyCapCents !== undefined)
      this.file.prepare('UPDATE keys SET daily_cap_cents = ? WHERE key = ?').run(dailyCapCents, key);
    return key;
  }

  private validKey(): string | undefined {
    const row = this.file.prepare('SELECT key FROM keys WHERE revoked = 0').get();
    return row && String(row.key);
  }

  private makeKey(): string {
    const key = `ai_live_${randomBytes(24).toString('base64url')}`;
    this.file.prepare('INSERT INTO keys (key, created_at) VALUES (?, ?)').run(key, this.clock.now());
    return key;
  }

  private repeated(start: Start, hash: string): Generation | undefined {
    if (start.idempotencyKey === undefined) return undefined;
    const row = this.file
      .prepare(`SELECT ${columns}, request_hash FROM generations WHERE key = ? AND idempotency_key = ?`)
      .get(start.key, start.idempotencyKey);
    if (!row) return undefined;
    if (row.request_hash === hash) return generationOf(row);
    throw new ProblemDetails(422, 'IDEMPOTENCY_KEY_REUSED', say('This Idempotency-Key was used for another request.'));
  }

  private charge(start: Start, hash: string): Generation {
    const { key, modelId, inputs, costCents, readyAt, idempotencyKey } = start;
    this.mustAfford(key, costCents);
    const id = `gen_${randomBytes(12).toString('hex')}`;
    const row = this.file
      .prepare(
        `INSERT INTO generations (id, key, status, cost_cents, model_id, inputs, created_at, ready_at, idempotency_key, request_hash)
          VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
      )
      .get(
        id,
        key,
        costCents,
        modelId,
        JSON.stringify(inputs),
        this.clock.now(),
        readyAt,
        idempotencyKey ?? null,
        hash,
      );
    this.enter('charge', -costCents, key, id);
    return generationOf(row ?? {});
  }

  private mustAfford(key: string, costCents: number): void {
    const cap = this.dailyCap(key);
    if (cap !== undefined && this.spentToday(key) + costCents > cap) {
      throw new ProblemDetails(409, 'API_KEY_DAILY_CAP', say('This key has reached its daily cap of {0} cents.', cap));
    }
    const balance = this.balance();
    if (balance < costCents) {
      throw new ProblemDetails(
        402,
        'BALANCE_TOO_LOW',
        say('The render costs {0} cents, the balance is {1} cents.', costCents, balance),
      );
    }
  }

  private enter(kind: 'payment' | 'charge' | 'refund', cents: number, key?: string, generationId?: string): void {
    this.file
      .prepare('INSERT INTO book (at, kind, cents, key, generation_id) VALUES (?, ?, ?, ?, ?)')
      .run(this.clock.now(), kind, cents, key ?? null, generationId ?? null);
  }

  private number(sql: string, ...values: (string | number)[]): number {
    return Number(this.file.prepare(sql).get(...values)?.n);
  }

  /** Immediate: takes the write lock before reading, so that what was read still holds on write. */
  private write<T>(change: () => T): T {
    this.file.exec('BEGIN IMMEDIATE');
    try {
      const value = change();
      this.file.exec('COMMIT');
      return value;
    } catch (error) {
      this.file.exec('ROLLBACK');
      throw error;
    }
  }
}

function generationOf(row: Record<string, unknown>): Generation {
  return {
    id: String(row.id),
    status: row.status as Status,
    costCents: Number(row.cost_cents),
    modelId: String(row.model_id),
    inputs: JSON.parse(String(row.inputs)) as JsonObject,
    createdAt: Number(row.created_at),
    readyAt: Number(row.ready_at),
    finishedAt: row.finished_at === null ? undefined : Number(row.finished_at),
    textOutput: typeof row.text_output === 'string' ? row.text_output : undefined,
    hasContent: row.has_content === 1,
    reason: typeof row.reason === 'string' ? row.reason : undefined,
  };
}

/** Takes the same time for every wrong key. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
