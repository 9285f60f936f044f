import type { DatabaseSync } from 'node:sqlite';

/** The layout that this version writes; a higher number in a ledger means a newer version wrote it. */
const layout = 1;

/** Makes a commit be on disk when it returns. */
export const durable = 'PRAGMA synchronous = FULL';

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

/** A row's generation id. One with damaged progress has none, and doesn't affect the others. */
export const generationOf = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.generationId') END";

/** When a render ended, ms since 1970. */
export const endOf = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.endedAt') END";

/** Where a render's result is, as JSON; nothing where it can't be read. */
export const resultJson = `CASE WHEN json_valid(progress) THEN json_object(
  'file', progress ->> '$.file', 'claimed', progress ->> '$.claimed', 'sha256', progress ->> '$.spooled.sha256',
  'generationId', progress ->> '$.generationId') ELSE '{}' END`;

/** Holds for rows with more than one render at the service: rare enough for a separate index. */
export const namesOthers = `instr(progress, '"otherIds"') > 0`;

/** Added after the first ledgers were written; versions that don't know them leave them alone. */
export const indexes = [
  `CREATE INDEX IF NOT EXISTS renders_generation ON renders (${generationOf})`,
  `CREATE INDEX IF NOT EXISTS renders_several ON renders (id) WHERE ${namesOthers}`,
  `CREATE INDEX IF NOT EXISTS renders_repeated ON renders (id) WHERE attempt > 1`,
  `CREATE INDEX IF NOT EXISTS renders_failed ON renders (${endOf}) WHERE state = 'failed'`,
];

/**
 * Also added later: renders in the order of their last changes. A trigger writes it, so that changes by versions that
 * don't know it are included.
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

/** Also added later. */
const balances = `
  CREATE TABLE IF NOT EXISTS balances (
    place TEXT NOT NULL, account TEXT NOT NULL, at INTEGER NOT NULL, asked_at INTEGER NOT NULL, cents INTEGER NOT NULL,
    PRIMARY KEY (place, account, at)) WITHOUT ROWID;
`;

/** Also added later: which URLs are one service's. `same` is 1 or 0; null if it's open, and the user was asked. */
const services = `
  CREATE TABLE IF NOT EXISTS services (
    place TEXT NOT NULL, other TEXT NOT NULL, same INTEGER, PRIMARY KEY (place, other)) WITHOUT ROWID;
`;

/**
 * Creates missing tables; true when the ledger is a newer version's and may only be read. `isLocal`: no other computer
 * can have its file open.
 */
export function prepare(db: DatabaseSync, isLocal: boolean): boolean {
  db.exec(`PRAGMA busy_timeout = 5000; ${durable};`);
  chooseJournal(db, isLocal);
  if (Number(pragma(db, 'user_version')) > layout) return true;
  db.exec('BEGIN IMMEDIATE');
  // Another window may have created them since.
  if (pragma(db, 'user_version') === 0) db.exec(tables);
  db.exec(balances);
  db.exec(services);
  db.exec(changes);
  db.exec('COMMIT');
  return false;
}

/**
 * A write-ahead log is the faster journal, but its index is in memory that all windows must share: those of two
 * computers with one home folder would overwrite each other's commits, unnoticed. So where another computer may have
 * the file open, changes go through a rollback journal, which needs no more than the file system's locks. There is one
 * ledger for all computers, not one for each, since limits, names, and results that are still to be fetched concern all
 * of them. Once it has that journal it keeps it: to the computer with the disk a shared folder looks local.
 */
function chooseJournal(db: DatabaseSync, isLocal: boolean): void {
  if (isLocal && (pragma(db, 'page_count') === 0 || hasLog(db))) db.exec('PRAGMA journal_mode = WAL');
  // A log that's left over is read without its shared index, and only while nobody else has the ledger open.
  // Truncating a journal is synced, unlike its removal, which a power loss could undo.
  else db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA locking_mode = NORMAL');
}

/** True with a write-ahead log, false with a rollback journal. */
export function hasLog(db: DatabaseSync): boolean {
  return pragma(db, 'journal_mode') === 'wal';
}

function pragma(db: DatabaseSync, name: string): unknown {
  return db.prepare(`PRAGMA ${name}`).get()?.[name];
}
