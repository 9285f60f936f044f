import { join } from 'node:path';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import type { Disk } from '../files/disk';
import { codeOf } from '../files/problem';
import { Ledger } from './ledger';
import { LedgerError, ledgerName } from './ledgerError';
import { setAsideName } from './setAside';

/** The ledger of a folder; one that is damaged is set aside, whole, and a new one begun: `unsettled` tells of it. */
export async function openLedger(folder: string, disk: Disk, clock: Clock, log: Log): Promise<Ledger> {
  await disk.mkdirAll(folder, 0o700);
  const path = join(folder, ledgerName);
  try {
    return await Ledger.open(path, log);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'damaged') throw error;
    const setAside = join(folder, setAsideName(clock.now()));
    for (const ending of ['', '-wal', '-shm']) await moveIfThere(disk, path + ending, setAside + ending);
    return Ledger.open(path, log);
  }
}

async function moveIfThere(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
