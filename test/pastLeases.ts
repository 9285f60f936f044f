import { DatabaseSync } from 'node:sqlite';

/**
 * Expires the leases in a ledger that weren't renewed until `now` (ms since 1970), so that a test's next window needn't
 * wait for them.
 */
export function endPastLeases(ledger: string, now: number): void {
  const db = new DatabaseSync(ledger);
  db.exec('PRAGMA busy_timeout = 5000');
  db.prepare('DELETE FROM leases WHERE until < ?').run(now);
  db.close();
}
