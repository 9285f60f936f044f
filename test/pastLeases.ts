import { DatabaseSync } from 'node:sqlite';

/**
 * Ends the leases in a ledger that nobody renewed until `now` (ms since 1970): a window that opens after that is tested
 * as if it had waited for those before it already.
 */
export function endPastLeases(ledger: string, now: number): void {
  const db = new DatabaseSync(ledger);
  db.exec('PRAGMA busy_timeout = 5000');
  db.prepare('DELETE FROM leases WHERE until < ?').run(now);
  db.close();
}
