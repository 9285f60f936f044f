import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { LedgerError } from '../../../src/renders/ledgerError';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';
import { recordsOf } from '../../recordsOf';

const inputs = { prompt: 'a kite', image: 'x'.repeat(1_000_000) };

async function world(t: TestContext) {
  const folder = folderFor(t);
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folder, service, clock);
  return { clock, service, window, path: join(folder, 'ledger.db'), bodies: join(folder, 'ledger.db.bodies') };
}

test('a large body is kept next to the ledger, for its owner only, is sent complete, and isn’t in any record', async (t) => {
  const { service, window, path, bodies } = await world(t);
  const record = await ordered(window, { ...order(), inputs });
  assert.equal(record.state, 'accepted');
  assert.deepEqual((JSON.parse(service.posts[0]!.body) as { inputs: unknown }).inputs, inputs);
  assert.ok(JSON.stringify(record).length < 10_000);
  assert.equal(record.inputs.prompt, 'a kite');
  assert.deepEqual(window.ledger.inputsOf(record), inputs, 'whole, to render it again');
  const [name] = readdirSync(bodies);
  if (process.platform !== 'win32') assert.equal(statSync(join(bodies, name!)).mode & 0o777, 0o600);
  const db = new DatabaseSync(path);
  assert.deepEqual({ ...db.prepare('SELECT length(body) AS bytes FROM renders').get() }, { bytes: 0 });
  db.close();
});

test('a small body stays in its row', async (t) => {
  const { window, bodies } = await world(t);
  const record = await ordered(window, order());
  assert.equal(record.isApart, undefined);
  assert.throws(() => readdirSync(bodies), { code: 'ENOENT' });
});

test('a large body that was altered or lost isn’t sent, and nothing is rendered from it again', async (t) => {
  for (const harm of [(file: string) => writeFileSync(file, '{"inputs":{}}'), (file: string) => rmSync(file)]) {
    const { service, window, bodies } = await world(t);
    service.offline = true;
    const { key } = await ordered(window, { ...order(), inputs });
    service.offline = false;
    harm(join(bodies, key));
    const { state, problem } = await window.renderer.send(key);
    assert.deepEqual([state, problem?.code, service.posts.length], ['planned', 'altered', 0]);
    const isAltered = (error: unknown) => error instanceof LedgerError && error.code === 'altered';
    assert.throws(() => window.ledger.inputsOf(window.ledger.get(key)!), isAltered);
  }
});

test('a large body is removed with its discarded render', async (t) => {
  const { service, window, bodies } = await world(t);
  service.offline = true;
  const { key } = await ordered(window, { ...order(), inputs });
  assert.deepEqual(readdirSync(bodies), [key]);
  window.renderer.discard(key);
  assert.deepEqual(readdirSync(bodies), []);
});

test('large bodies that a crash left without a row are removed once no window can still record them', async (t) => {
  const { window, bodies } = await world(t);
  const { key } = await ordered(window, { ...order(), inputs });
  mkdirSync(bodies, { recursive: true });
  for (const [name, seconds] of [
    ['old', 1],
    ['old.new', 1],
    ['young', 2000],
    [key, 1],
    ['%', 1],
  ] as const) {
    if (name !== key) writeFileSync(join(bodies, name), '');
    utimesSync(join(bodies, name), seconds, seconds);
  }
  window.ledger.sweep(1_000_000);
  assert.deepEqual(readdirSync(bodies).sort(), ['%', key, 'young'].sort());
});

test('a large body that is no longer needed is removed later if it couldn’t be removed right away', async (t) => {
  const { service, window, path, bodies } = await world(t);
  const kept = await ordered(window, { ...order(), inputs });
  service.offline = true;
  const [discarded, altered] = [
    await ordered(window, { ...order(), inputs }),
    await ordered(window, { ...order(), inputs }),
  ];
  const deleted = window.ledger.change(kept, { deleted: true }) && kept.key;
  window.renderer.discard(discarded.key);
  assert.deepEqual(readdirSync(bodies), [altered.key]);
  // As if the folder had been read-only at the time.
  for (const key of [discarded.key, deleted!]) writeFileSync(join(bodies, key), '');
  const db = new DatabaseSync(path);
  db.prepare("UPDATE renders SET decision = '?' WHERE key = ?").run(altered.key);
  db.close();
  window.ledger.sweep(Number.MAX_SAFE_INTEGER);
  assert.deepEqual(readdirSync(bodies), [altered.key], 'nobody knows what is needed of one that cannot be read');
});

test('a render whose large body can’t be saved isn’t recorded', async (t) => {
  const { service, window, bodies } = await world(t);
  writeFileSync(bodies, 'a file where the folder should be');
  assert.throws(() => window.renderer.order({ ...order(), inputs }));
  assert.deepEqual([recordsOf(window.ledger), service.posts], [[], []]);
});
