import { join } from 'node:path';
import type { Log } from '../base/log';
import type { Disk } from '../files/disk';
import { Ledger } from './ledger';
import { LedgerError, ledgerName } from './ledgerError';
import { ledgersIn, nextLedger } from './ledgers';
import { keepPrivate } from './privateFiles';

/**
 * The current ledger of a folder. A damaged one is set aside whole, and the next one begun; `unsettled` lists what it
 * leaves open.
 */
export async function openLedger(folder: string, disk: Disk, log: Log): Promise<Ledger> {
  await disk.ownFolder(folder);
  const path = (await ledgersIn(folder, disk)).at(-1) ?? join(folder, ledgerName);
  try {
    return await openPrivate(path, log);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'damaged') throw error;
    return openPrivate(nextLedger(path), log);
  }
}

/** Prompts are in there: other users must not read it. */
function openPrivate(path: string, log: Log): Promise<Ledger> {
  keepPrivate(path);
  return Ledger.open(path, log);
}
