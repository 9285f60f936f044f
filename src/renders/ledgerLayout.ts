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

/** Creates missing tables; true when the ledger is a newer version's and may only be read. */
export function prepare(db: DatabaseSync): boolean {
  db.exec(`PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; ${durable};`);
  const stated = () => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (stated() > layout) return true;
  db.exec('BEGIN IMMEDIATE');
  // Another window may have created them since.
  if (stated() === 0) db.exec(tables);
  db.exec(balances);
  db.exec(changes);
  db.exec('COMMIT');
  return false;
}
