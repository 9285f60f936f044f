import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/renders/ledger';
import type { RenderRecord } from '../../../src/renders/record';
import { recordsOf } from '../../recordsOf';
import type { LedgerFile } from './simulation';

/**
 * A ledger's file for consecutive schedules: real SQLite, in memory where possible, since this simulates the end of
 * processes and not SQLite's own guarantees. `dispose` removes it.
 */
export async function openLedgerFile(): Promise<LedgerFile & { dispose(): void }> {
  const memory = '/dev/shm';
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'model-catalog-simulation-'));
  const storage = join(folder, 'storage');
  const away = join(folder, 'away');
  mkdirSync(storage);
  const path = join(storage, 'renders.db');
  const ledger = await Ledger.open(path);
  const db = new DatabaseSync(path);
  let known: readonly RenderRecord[] | undefined;
  // Readers that run every few seconds of a schedule reread only after a change.
  const records = () => {
    if (ledger.changedElsewhere() || !known) known = recordsOf(ledger);
    return known;
  };
  const clear = () => db.exec('DELETE FROM renders; DELETE FROM leases; DELETE FROM sqlite_sequence');
  let isAway = false;
  const move = (gone: boolean) => {
    if (isAway !== gone) renameSync(...(gone ? ([storage, away] as const) : ([away, storage] as const)));
    isAway = gone;
  };
  const writesMore =
    db.prepare(`UPDATE renders SET version = version + 1, decision = json_set(decision, '$.later', 'kept'),
    progress = json_set(progress, '$.later', 'kept') WHERE key = ?`);
  const holdsMore = db.prepare(
    `SELECT decision ->> '$.later' = 'kept' AND progress ->> '$.later' = 'kept' AS all_there FROM renders WHERE key = ?`,
  );
  const extend = (key: string) => void writesMore.run(key);
  const isExtended = (key: string) => holdsMore.get(key)?.['all_there'] === 1;
  // Not the columns that are computed.
  const columns = Array.from(db.prepare('PRAGMA table_info(renders)').iterate(), ({ name }) => String(name)).join(', ');
  const backUp = () =>
    db.exec(`DROP TABLE IF EXISTS temp.backup; CREATE TEMP TABLE backup AS SELECT ${columns} FROM renders`);
  const restore = () =>
    db.exec(`DELETE FROM renders; DELETE FROM leases; INSERT INTO renders (${columns}) SELECT ${columns} FROM backup`);
  const dispose = () => {
    db.close();
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, ledger, records, clear, move, extend, isExtended, backUp, restore, dispose };
}
