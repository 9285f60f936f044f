import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/** The least that makes an order or a result survive a power loss: a row in a database like the ledger. */
export class Commits {
  private readonly db: DatabaseSync;

  constructor(folder: string) {
    this.db = new DatabaseSync(join(folder, 'bare.db'));
    this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (body BLOB NOT NULL)');
  }

  /** Returns once it's on disk. */
  commit(body: Uint8Array): void {
    this.db.prepare('INSERT INTO rows (body) VALUES (?)').run(body);
  }

  close(): void {
    this.db.close();
  }
}
