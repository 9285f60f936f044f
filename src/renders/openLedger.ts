import { join } from 'node:path';
import type { Log } from '../base/log';
import type { Disk } from '../files/disk';
import type { GivenImages } from '../files/givenImages';
import { Ledger } from './ledger';
import { LedgerError, ledgerName } from './ledgerError';
import { ledgersIn, nextLedger } from './ledgers';
import { keepPrivate } from './privateFiles';

/**
 * The current ledger of a folder. A damaged one is set aside whole, and the next one begun; `unsettled` lists what it
 * leaves open. `images`: those of the window's project.
 */
export async function openLedger(folder: string, disk: Disk, log: Log, images?: GivenImages): Promise<Ledger> {
  await disk.ownFolder(folder);
  const isLocal = await disk.isLocal(folder);
  const path = (await ledgersIn(folder, disk)).at(-1) ?? join(folder, ledgerName);
  try {
    return await openPrivate(path, isLocal, log, images);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'damaged') throw error;
    return openPrivate(nextLedger(path), isLocal, log, images);
  }
}

/** Prompts are in there: other users must not read it. */
function openPrivate(path: string, isLocal: boolean, log: Log, images: GivenImages | undefined): Promise<Ledger> {
  keepPrivate(path);
  return Ledger.open(path, isLocal, log, images);
}
