import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/renders/ledger';
import type { LedgerFile } from './simulation';

/**
 * A ledger's file for schedules that run one after the other: real SQLite, in memory where the system offers it, since what is simulated
 * here is the end of processes, not of SQLite's own promises. `dispose` removes it.
 */
export async function openLedgerFile(): Promise<LedgerFile & { dispose(): void }> {
  const memory = '/dev/shm';
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'model-catalog-simulation-'));
  const path = join(folder, 'renders.db');
  const ledger = await Ledger.open(path);
  const db = new DatabaseSync(path);
  const clear = () => db.exec('DELETE FROM renders; DELETE FROM leases; DELETE FROM sqlite_sequence');
  const dispose = () => {
    db.close();
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, ledger, clear, dispose };
}
