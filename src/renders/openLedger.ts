import { join } from 'node:path';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import type { Disk } from '../files/disk';
import { codeOf } from '../files/problem';
import { Ledger } from './ledger';
import { LedgerError, ledgerName } from './ledgerError';

/** The ledger of a folder; one that is damaged is set aside, whole, under the name given, and a new one begun. */
export async function openLedger(
  folder: string,
  disk: Disk,
  clock: Clock,
  log: Log,
): Promise<{ readonly ledger: Ledger; readonly setAside?: string }> {
  await disk.mkdirAll(folder, 0o700);
  const path = join(folder, ledgerName);
  try {
    return { ledger: await Ledger.open(path, log) };
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'damaged') throw error;
    const setAside = join(folder, `damaged-${clock.now()}-${ledgerName}`);
    for (const ending of ['', '-wal', '-shm']) await moveIfThere(disk, path + ending, setAside + ending);
    return { ledger: await Ledger.open(path, log), setAside };
  }
}

async function moveIfThere(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
