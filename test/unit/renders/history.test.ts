import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { find, Library } from '../../../src/renders/library';
import { Ledger, type Whereabouts } from '../../../src/renders/ledger';
import { LedgerError } from '../../../src/renders/ledgerError';
import { WindowLease } from '../../../src/renders/windowLease';
import { writeHistory } from '../../bench/history';
import { TestClock } from '../clock';
import { folderFor } from './world';

const base = 'https://models.example';

/** A window on a ledger of 2,500 renders at 4 cents, some of which `change` (SQL) may alter first. */
async function longHistory(t: TestContext, change = '') {
  const file = await writeHistory(folderFor(t), base, 2500);
  const db = new DatabaseSync(file);
  db.exec(change);
  const clock = new TestClock();
  const ledger = await Ledger.open(file);
  const lease = new WindowLease(ledger, clock, systemRandom);
  const library = new Library(
    ledger,
    () => undefined,
    () => base,
    lease,
    clock,
    silentLog,
  );
  t.after(() => {
    library.dispose();
    db.close();
    ledger.close();
  });
  return { clock, db, ledger, library, file };
}

test('the newest thousand of a long history are listed, and open ones however old', async (t) => {
  const { clock, library } = await longHistory(t, "UPDATE renders SET state = 'unknown' WHERE id = 5");
  assert.ok(library.entries.length < 300, 'so many at once would hold up the editor');
  await clock.advance(1000);
  assert.equal(library.entries.length, 1001);
  assert.equal(library.entries.filter(({ group }) => group === 'unknown').length, 1);
  assert.equal(library.countOlder(), 1499);
});

test('spending is the sum of all renders, however long ago', async (t) => {
  const { library } = await longHistory(t, "UPDATE renders SET state = 'refunded' WHERE id = 7");
  assert.equal(library.spentSince(0), 2499 * 4);
  assert.equal(library.spentFor(['file:///project']), 2499 * 4);
  assert.equal(library.spentFor(['file:///elsewhere']), 0);
});

test('older renders are counted for the open folders, where they were ordered or saved', async (t) => {
  const { clock, library } = await longHistory(
    t,
    `UPDATE renders SET decision = json_remove(decision, '$.target.root') WHERE id < 11;
     UPDATE renders SET progress = json_set(progress, '$.file', 'file:///projects/a.png') WHERE id < 6`,
  );
  await clock.advance(1000);
  assert.equal(library.countOlder(['file:///project']), 1495);
  for (const other of ['file:///projects', 'file:///projects/', 'file:///project%73'])
    assert.equal(library.countOlder(['file:///project', other]), 1500, other);
});

test('a row that can’t be read is in no sum', async (t) => {
  const { library } = await longHistory(t, `UPDATE renders SET progress = '{"broken' WHERE id = 9`);
  assert.equal(library.spentSince(0), 2499 * 4);
});

test('older renders are shown a thousand at a time', async (t) => {
  const { clock, library } = await longHistory(t);
  await clock.advance(1000);
  const shows = library.showOlder();
  await clock.advance(1000);
  await shows;
  assert.deepEqual([library.entries.length, library.countOlder()], [2000, 500]);
  void library.showOlder();
  await clock.advance(1000);
  assert.deepEqual([library.entries.length, library.countOlder()], [2500, 0]);
  const indexes = library.entries.map(({ startedAt = 0 }) => startedAt);
  assert.deepEqual(
    indexes,
    [...indexes].sort((a, b) => b - a),
  );
});

test('a search also finds older renders', async (t) => {
  const { clock, library } = await longHistory(t);
  const wanted = 'A lighthouse on a cliff at sunset, number 1234';
  await clock.advance(1000);
  const searches = library.findOlder(({ inputs }) => inputs['prompt'] === wanted, new AbortController().signal);
  await clock.advance(1000);
  await searches;
  assert.equal(library.entries.length, 1001);
  assert.equal(library.entries.at(-1)?.inputs['prompt'], wanted);
});

test('a search that was given up finds nothing more', async (t) => {
  const { clock, library } = await longHistory(t);
  await clock.advance(1000);
  const givenUp = new AbortController();
  const searches = library.findOlder(() => true, givenUp.signal);
  givenUp.abort();
  await Promise.all([assert.rejects(searches), clock.advance(1000)]);
  assert.equal(library.entries.length, 1000);
});

test('an old render deleted by another window is no longer counted, but its cost is', async (t) => {
  const { clock, library, file } = await longHistory(t);
  await clock.advance(1000);
  const other = await Ledger.open(file);
  const oldest = other.page(2, 1).records[0]!;
  other.advance(oldest.key, () => ({ deleted: true }));
  other.close();
  library.catchUp();
  assert.equal(library.countOlder(), 1499);
  assert.equal(library.spentSince(0), 2500 * 4);
});

test('changes by an earlier version without a change log are noticed', async (t) => {
  const { clock, db, library } = await longHistory(t);
  await clock.advance(1000);
  const [newest] = library.entries;
  db.prepare("UPDATE renders SET version = version + 1, state = 'refunded' WHERE key = ?").run(newest!.id);
  library.catchUp();
  assert.equal(library.get(newest!.id)?.state, 'refunded');
});

test('the refund of a render older than the listed ones is reported, once', async (t) => {
  const change = "UPDATE renders SET state = 'failed', progress = json_set(progress, '$.endedAt', id) WHERE id < 9";
  const { clock, ledger, library } = await longHistory(t, change);
  await clock.advance(1000);
  const told: unknown[] = [];
  library.onDidEnd(({ state, record }) => told.push([record?.index, state]));
  const failed = ledger.failedSince(7);
  assert.deepEqual(
    failed.map(({ index }) => index),
    [7, 8],
  );
  ledger.advance(failed[0]!.key, () => ({ state: 'refunded' }));
  ledger.advance(failed[0]!.key, () => ({ settled: { charged: false, at: 1 } }));
  assert.deepEqual(told, [[7, 'refunded']]);
});

test('a render that isn’t loaded is found by its name, and is listed from then on', async (t) => {
  const { clock, ledger, library } = await longHistory(t);
  await clock.advance(1000);
  const oldest = ledger.page(2, 1).records[0]!;
  assert.ok(!library.entries.some(({ id }) => id === oldest.key));
  assert.equal(library.get(oldest.key)?.startedAt, oldest.plannedAt);
  assert.ok(library.entries.some(({ id }) => id === oldest.key));
  assert.equal(library.countOlder(), 1499);
});

test('results are found by their location in the entire history', async (t) => {
  const { ledger } = await longHistory(t, `UPDATE renders SET progress = '{"broken' WHERE id = 9`);
  const found = async (isWanted: (result: Whereabouts) => boolean) =>
    (await find(ledger, systemClock, isWanted)).length;
  assert.equal(await found(({ generationId }) => generationId === 'g2400'), 1);
  assert.equal(await found(({ file }) => file?.startsWith('file:///project/renders/lighthouse') === true), 2499);
  assert.equal(await found(({ claimed }) => typeof claimed === 'string'), 0);
});

test('damage in the middle of a large ledger is detected when it’s opened', async (t) => {
  const file = await writeHistory(folderFor(t), 'https://models.example', 12_000);
  (await Ledger.open(file)).close();
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  assert.ok(size > 8 * 1024 * 1024);
  await handle.write(new Uint8Array(4096 * 20).fill(7), 0, undefined, 4096 * Math.floor(size / 8192));
  await handle.close();
  await assert.rejects(Ledger.open(file), (error) => error instanceof LedgerError && error.code === 'damaged');
});
