import type { DatabaseSync } from 'node:sqlite';

/** Larger databases are processed outside the host's own thread, bytes. */
const largest = 4 * 1024 * 1024;

/** The same in a worker thread. */
const worker = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(workerData.path);
  db.exec('PRAGMA busy_timeout = 5000');
  let row;
  for (const sql of workerData.statements) row = db.prepare(sql).get();
  db.close();
  parentPort.postMessage({ row });
`;

type WorkRow = Record<string, unknown> | undefined;

/**
 * Runs statements that go through a whole database, in order. `db` has it open at that path. Resolves with the first
 * row of the last one; rejects as SQLite does.
 */
export async function heavyWork(db: DatabaseSync, path: string, statements: readonly string[]): Promise<WorkRow> {
  if (bytesOf(db) > largest) {
    const done = await beside(path, statements).catch(() => undefined);
    if (done) return done.row;
  }
  // Also when there can be no thread: finishing the work matters more than the wait.
  let row: WorkRow;
  for (const sql of statements) row = db.prepare(sql).get();
  return row;
}

function bytesOf(db: DatabaseSync): number {
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get();
  return (size as { bytes: number }).bytes;
}

async function beside(path: string, statements: readonly string[]): Promise<{ row: WorkRow }> {
  const { Worker } = await import('node:worker_threads');
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { eval: true, workerData: { path, statements }, env: {}, execArgv: [] });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The ledger’s worker ended without a result')));
  });
}
