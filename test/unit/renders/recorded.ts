import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { Ledger } from '../../../src/renders/ledger';
import { writeRow } from '../../../src/renders/ledgerRow';
import type { RenderRecord } from '../../../src/renders/record';
import { folderFor } from './world';

/** A ledger with these records, and a function that puts others in their place. */
export async function recorded(t: TestContext, records: readonly RenderRecord[]) {
  const file = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(file);
  const db = new DatabaseSync(file);
  t.after(() => {
    db.close();
    ledger.close();
  });
  const put = (now: readonly RenderRecord[]) => {
    db.exec('DELETE FROM renders; BEGIN');
    const insert = db.prepare(
      `INSERT INTO renders (key, state, attempt, version, place, account, body, seal, decision, progress)
       VALUES (?, ?, ?, 1, ?, ?, x'00', '', ?, ?)`,
    );
    for (const record of now) {
      const { key, state, attempt, place, account } = record;
      const row = writeRow({ ...record, body: new Uint8Array() }, record, false);
      insert.run(key, state, attempt, place, account, row.decision, row.progress);
    }
    db.exec('COMMIT');
  };
  put(records);
  return { ledger, put };
}
