import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Ledger } from '../../../src/renders/ledger';
import type { Decision } from '../../../src/renders/record';
import { TestClock } from '../clock';
import { folderFor } from './world';
import { recordsOf } from '../../recordsOf';
import { planOne } from '../../planOne';

function decision(key: string): Decision {
  const inputs = JSON.parse('{"prompt":"a kite","__proto__":{"x":1}}') as Decision['inputs'];
  return {
    key,
    place: 'https://models.example',
    account: 'account-1',
    modelId: 'a/b/c',
    inputs,
    body: new TextEncoder().encode('{}'),
    shownCents: 4,
    target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
    plannedAt: 1000,
  };
}

test('a record reads back as planned, even in another window', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  const planned = planOne(ledger, decision('k'), 'window');
  const other = await Ledger.open(path);
  const record = other.get('k')!;
  const { shownCents, inputs, state, index } = record;
  assert.deepEqual({ shownCents, state, index }, { shownCents: 4, state: 'planned', index: 1 });
  assert.equal(JSON.stringify(inputs), JSON.stringify(planned.inputs));
  assert.deepEqual([...other.bodyOf(record)!], [...decision('k').body]);
  ledger.close();
  other.close();
});

test('when two windows move the same record, one wins', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const first = await Ledger.open(path);
  const second = await Ledger.open(path);
  const record = planOne(first, decision('k'), 'window');
  assert.equal(second.change(record, { state: 'sent', attempt: 1 })?.state, 'sent');
  assert.equal(first.change(record, { state: 'sent', attempt: 1 }), undefined);
  assert.equal(first.get('k')?.attempt, 1);
  first.close();
  second.close();
});

test('a record that another window wrote first is used without trouble', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const [one, other] = [await Ledger.open(path), await Ledger.open(path)];
  const first = planOne(one, decision('k'), 'one');
  const sent = one.change(first, { state: 'sent', attempt: 1 })!;
  const told: unknown[] = [];
  other.onDidChangeTrouble(() => told.push(other.trouble));
  const found = planOne(other, decision('k'), 'other');
  assert.deepEqual(found, other.get('k'));
  assert.deepEqual([found.owner, found.version, found.state], ['one', sent.version, 'sent']);
  assert.deepEqual(told, []);
  assert.equal(recordsOf(other).length, 1);
  one.close();
  other.close();
});

test('another window’s unreadable record isn’t taken for our own', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const [one, other] = [await Ledger.open(path), await Ledger.open(path)];
  planOne(one, decision('k'), 'one');
  const raw = new DatabaseSync(path);
  raw.exec(`UPDATE renders SET state = 'dreaming'`);
  raw.close();
  assert.throws(() => planOne(other, decision('k'), 'other'), { code: 'altered' });
  assert.equal(other.trouble, undefined);
  one.close();
  other.close();
});

test('when two windows’ results would take the same name, one gets it until it’s saved or given up', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const first = await Ledger.open(path);
  const second = await Ledger.open(path);
  const spooled = { name: 'k', bytes: 1, sha256: 'cafe', mediaType: 'text/plain', extension: 'txt' };
  for (const key of ['k', 'l']) first.change(planOne(first, decision(key), 'window'), { state: 'succeeded' });
  assert.equal(first.claim('k', 'file:///a.txt', spooled), true);
  assert.equal(first.claim('k', 'file:///a.txt', spooled), true);
  assert.equal(second.claim('l', 'file:///a.txt', spooled), false);
  assert.equal(second.get('l')?.claimed, undefined);
  first.advance('k', () => ({ deleted: true }));
  assert.equal(second.claim('l', 'file:///a.txt', spooled), true);
  second.advance('l', () => ({ state: 'saved', file: 'file:///a.txt' }));
  first.advance('k', () => ({ deleted: false }));
  assert.equal(first.claim('k', 'file:///a.txt', spooled), true);
  assert.deepEqual(first.get('k')?.spooled, spooled);
  first.close();
  second.close();
});

test('a lease belongs to one window until it expires', async (t) => {
  const clock = new TestClock();
  const path = join(folderFor(t), 'ledger.db');
  const first = await Ledger.open(path);
  const second = await Ledger.open(path);
  assert.equal(first.lease('poller', 'one', 1000, clock), true);
  assert.equal(second.lease('poller', 'two', 1000, clock), false);
  assert.equal(first.lease('poller', 'one', 1000, clock), true);
  await clock.advance(1001);
  assert.equal(second.lease('poller', 'two', 1000, clock), true);
  first.close();
  second.close();
});

test('another window’s change is noticed once, one’s own isn’t', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const first = await Ledger.open(path);
  const second = await Ledger.open(path);
  first.changedElsewhere();
  planOne(first, decision('mine'), 'window');
  assert.equal(first.changedElsewhere(), false);
  planOne(second, decision('other'), 'window');
  assert.equal(first.changedElsewhere(), true);
  assert.equal(first.changedElsewhere(), false);
  first.close();
  second.close();
});

test('only the records that another window changed or added are read again', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  const other = await Ledger.open(path);
  for (const key of ['k1', 'k2', 'k3']) planOne(ledger, decision(key), 'window');
  const { mark } = ledger;
  const moved = () => ledger.changedSince(mark).map(({ key, state }) => [key, state]);
  assert.deepEqual(moved(), []);
  other.advance('k2', () => ({ state: 'discarded' }));
  planOne(other, decision('k4'), 'window');
  assert.deepEqual(moved(), [
    ['k4', 'planned'],
    ['k2', 'discarded'],
  ]);
  ledger.close();
  other.close();
});

test('a newer version’s ledger is read but never written', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  planOne(ledger, decision('k'), 'window');
  ledger.close();
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  const read = await Ledger.open(path);
  assert.equal(read.readOnly, true);
  assert.equal(read.get('k')?.state, 'planned');
  assert.throws(() => planOne(read, decision('k2'), 'window'), { code: 'newer' });
  assert.throws(() => read.change(read.get('k')!, { state: 'sent' }), { code: 'newer' });
  read.close();
});

test('a file that isn’t a ledger is reported as damaged and left unchanged', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const bytes = randomBytes(8192);
  writeFileSync(path, bytes);
  await assert.rejects(Ledger.open(path), { code: 'damaged' });
  assert.deepEqual(readFileSync(path), bytes);
});

test('a folder that doesn’t exist is reported as unavailable', async (t) => {
  await assert.rejects(Ledger.open(join(folderFor(t), 'missing', 'ledger.db')), { code: 'unavailable' });
});

test('a failed write is reported until one succeeds again', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  const record = planOne(ledger, decision('k'), 'window');
  const told: (string | undefined)[] = [];
  ledger.onDidChangeTrouble(() => told.push(ledger.trouble?.code));
  const other = new DatabaseSync(path);
  other.exec(`CREATE TRIGGER full BEFORE UPDATE ON renders BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  assert.throws(() => ledger.change(record, { state: 'sent' }), { code: 'full' });
  assert.throws(() => ledger.change(record, { state: 'sent' }), { code: 'full' });
  assert.deepEqual(told, ['full']);
  other.exec('DROP TRIGGER full');
  other.close();
  assert.equal(ledger.change(record, { state: 'sent' })?.state, 'sent');
  assert.deepEqual(told, ['full', undefined]);
  ledger.close();
});

test('a row that can’t be read is reported, and the others aren’t affected', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  for (const key of ['k1', 'k2', 'k3']) planOne(ledger, decision(key), 'window');
  const other = new DatabaseSync(path);
  other.exec(`UPDATE renders SET progress = '{"unanswered":' WHERE key = 'k1'`);
  other.exec(`UPDATE renders SET state = 'dancing' WHERE key = 'k2'`);
  other.close();
  assert.deepEqual(
    recordsOf(ledger).map(({ key }) => key),
    ['k3'],
  );
  assert.deepEqual(
    ledger.page(Number.MAX_SAFE_INTEGER, 10).unreadable.map(({ key }) => key),
    ['k2', 'k1'],
  );
  ledger.close();
});

test('who started a render is kept; for one recorded earlier, or in other terms, that’s unknown', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  planOne(ledger, { ...decision('agent'), by: 'agent' }, 'window');
  planOne(ledger, decision('before'), 'window');
  planOne(ledger, { ...decision('later'), by: 'a robot' as 'agent' }, 'window');
  const by = (key: string) => ledger.get(key)!.by;
  assert.deepEqual([by('agent'), by('before'), by('later')], ['agent', undefined, undefined]);
  ledger.close();
});

test('fields of a later version survive every change by this one', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const ledger = await Ledger.open(path);
  planOne(ledger, decision('k'), 'window');
  const spooled = { name: 'k', bytes: 1, sha256: '00', mediaType: 'image/png', extension: 'png' };
  ledger.change(ledger.get('k')!, { state: 'succeeded', attempt: 1, spooled, status: 'done', problem: undefined });
  const other = new DatabaseSync(path);
  other.exec(`
    UPDATE renders SET decision = json_set(decision, '$.later', json('{"a":[1]}'), '$.target.later', 1, '$.by', 'robot'),
      progress = json_set(progress, '$.later', json('{"b":null}'), '$.spooled.later', 'c')`);
  const row = () => {
    const { decision, progress } = other.prepare('SELECT decision, progress FROM renders').get() as Record<
      string,
      string
    >;
    return { decision: JSON.parse(decision!) as Later, progress: JSON.parse(progress!) as Later };
  };
  ledger.advance('k', (record) => ({ spooled: { ...record.spooled!, inscribed: true }, status: undefined }));
  ledger.advance('k', () => ({ state: 'saved', file: 'file:///a.png' }));
  const { decision: decided, progress } = row();
  assert.deepEqual([decided.later, decided.target?.later, decided.by], [{ a: [1] }, 1, 'robot']);
  assert.deepEqual([progress.later, progress.spooled], [{ b: null }, { ...spooled, later: 'c', inscribed: true }]);
  assert.deepEqual([progress.file, 'status' in progress], ['file:///a.png', false]);
  other.close();
  ledger.close();
});

/** The JSON of a row with a later version's additions. */
type Later = Record<string, unknown> & { readonly target?: { readonly later: unknown } };

test('balances are kept by account in chronological order, with only the first and last of a run of equal ones', async (t) => {
  const ledger = await Ledger.open(join(folderFor(t), 'ledger.db'));
  const see = (at: number, cents: number, account = 'account-1') =>
    ledger.see('https://models.example', account, { askedAt: at - 5, at, cents });
  for (const at of [10, 20, 30, 40]) see(at, 100);
  see(50, 96);
  see(60, 100);
  see(15, 7, 'account-2');
  assert.deepEqual(
    ledger.seen('https://models.example', 'account-1').map((seen) => ({ ...seen })),
    [
      { askedAt: 5, at: 10, cents: 100 },
      { askedAt: 35, at: 40, cents: 100 },
      { askedAt: 45, at: 50, cents: 96 },
      { askedAt: 55, at: 60, cents: 100 },
    ],
  );
  assert.deepEqual(ledger.seen('sandbox', 'account-1'), []);
  ledger.close();
});

test('a ledger from before balances gets a table for them, and keeps its content', async (t) => {
  const path = join(folderFor(t), 'ledger.db');
  const first = await Ledger.open(path);
  planOne(first, decision('k'), 'window');
  first.close();
  const before = new DatabaseSync(path);
  before.exec('DROP TABLE balances');
  before.close();
  const ledger = await Ledger.open(path);
  ledger.see('p', 'a', { askedAt: 1, at: 2, cents: 3 });
  assert.equal(ledger.seen('p', 'a')[0]?.cents, 3);
  assert.equal(ledger.get('k')?.state, 'planned');
  assert.equal(ledger.readOnly, false);
  ledger.close();
});
