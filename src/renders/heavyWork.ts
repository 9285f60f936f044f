import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Larger databases are processed outside the host's own thread, bytes. */
const largest = 4 * 1024 * 1024;

/** The same in a worker thread. */
const worker = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(workerData.path);
  db.exec('PRAGMA busy_timeout = 5000');
  const rows = workerData.queries.map(({ sql, values = [] }) => db.prepare(sql).all(...values));
  db.close();
  parentPort.postMessage(rows);
`;

/** A statement, and the values of its parameters. */
export interface Query {
  readonly sql: string;
  readonly values?: readonly SQLInputValue[];
}

/** A row by the names of its columns. */
export type QueriedRow = Readonly<Record<string, string | number | null>>;

/**
 * Runs statements that go through a whole database, in order. `db` has it open at that path. Resolves with the rows of
 * each; rejects as SQLite does.
 */
export async function heavyWork(db: DatabaseSync, path: string, queries: readonly Query[]): Promise<QueriedRow[][]> {
  if (bytesOf(db) > largest) {
    const rows = await beside(path, queries).catch(() => undefined);
    if (rows) return rows;
  }
  // Also when there can be no thread: finishing the work matters more than the wait.
  return queries.map(({ sql, values = [] }) => db.prepare(sql).all(...values) as QueriedRow[]);
}

function bytesOf(db: DatabaseSync): number {
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get();
  return (size as { bytes: number }).bytes;
}

async function beside(path: string, queries: readonly Query[]): Promise<QueriedRow[][]> {
  const { Worker } = await import('node:worker_threads');
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { eval: true, workerData: { path, queries }, env: {}, execArgv: [] });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The ledger’s worker ended without a result')));
  });
}
