import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { Ledger } from '../../../src/renders/ledger';
import { LedgerError, ledgerName } from '../../../src/renders/ledgerError';
import { nextLedger, openLedger, settle, unsettled } from '../../../src/renders/openLedger';
import { OrderError } from '../../../src/renders/orderError';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';
import { recordsOf } from '../../recordsOf';

const open = (folder: string) => openLedger(folder, nodeDisk, silentLog);

test('an intact ledger leaves nothing to settle', async (t) => {
  const folder = folderFor(t);
  (await open(folder)).close();
  assert.deepEqual(await unsettled(folder, nodeDisk), []);
});

test('a damaged ledger is set aside unchanged, and stays unsettled through every restart until the user decides', async (t) => {
  const folder = folderFor(t);
  const bytes = randomBytes(8192);
  writeFileSync(join(folder, ledgerName), bytes);
  (await open(folder)).close();
  (await open(folder)).close();
  const [path, ...others] = await unsettled(folder, nodeDisk);
  assert.deepEqual(others, []);
  assert.deepEqual(readFileSync(path!), bytes);

  await settle([path!], nodeDisk);
  assert.deepEqual(await unsettled(folder, nodeDisk), []);
  assert.deepEqual(readFileSync(path!), bytes);
});

test('later damage has to be dismissed again, and two windows may both do that', async (t) => {
  const folder = folderFor(t);
  let path = join(folder, ledgerName);
  const damaged: string[] = [];
  for (const number of [1, 2, 3]) {
    writeFileSync(path, randomBytes(8192));
    damaged.push(path);
    (await open(folder)).close();
    assert.deepEqual(await unsettled(folder, nodeDisk), [path], `damage ${number}`);
    await Promise.all([settle([path], nodeDisk), settle([path], nodeDisk)]);
    path = nextLedger(path);
  }
  assert.ok(damaged.every((one) => readdirSync(folder).includes(one.slice(folder.length + 1))));
});

test('windows that find the same damage at the same time continue in the same new ledger', async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, ledgerName), randomBytes(8192));
  const ledgers = await Promise.all([open(folder), open(folder), open(folder)]);
  for (const ledger of ledgers) ledger.close();
  assert.deepEqual(readdirSync(folder).sort(), ['renders-2.db', ledgerName]);
});

test('the ledger in use is the one begun last, even after the ninth', async (t) => {
  const folder = folderFor(t);
  const paths = [join(folder, ledgerName)];
  while (paths.length < 10) paths.push(nextLedger(paths.at(-1)!));
  for (const path of paths) writeFileSync(path, '');
  assert.deepEqual(await unsettled(folder, nodeDisk), paths.slice(0, -1));
  (await open(folder)).close();
});

/** A window, and another that opens its ledger and finds it damaged. */
async function world(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  const setAside = async () => (await Ledger.open(nextLedger(join(folder, 'ledger.db')))).close();
  const troubles: (string | undefined)[] = [];
  window.ledger.onDidChangeTrouble(() => troubles.push(window.ledger.trouble?.code));
  return { clock, service, window, setAside, troubles };
}

function isSetAside(error: unknown): boolean {
  const cause = error instanceof OrderError ? error.cause : error;
  assert.ok(cause instanceof LedgerError, String(error));
  assert.equal(cause.code, 'setAside');
  return true;
}

test('nothing is begun in a ledger that another window set aside, and nothing that waits there is sent', async (t) => {
  const { clock, service, window, setAside, troubles } = await world(t);
  service.offline = true;
  const waiting = await ordered(window, order());
  service.offline = false;
  await setAside();
  assert.throws(() => window.renderer.order(order()), isSetAside);
  await assert.rejects(window.renderer.send(waiting.key), isSetAside);
  await clock.advance(60_000);
  assert.deepEqual(service.posts, []);
  assert.deepEqual(
    recordsOf(window.ledger).map(({ key, state }) => [key, state]),
    [[waiting.key, 'planned']],
  );
  assert.deepEqual(troubles, ['setAside'], 'told once');
});

test('renders in progress in a ledger that another window set aside are completed, and that is reported in the meantime', async (t) => {
  const { clock, service, window, setAside, troubles } = await world(t);
  const { key } = await ordered(window, order());
  await setAside();
  await clock.advance(4000);
  assert.deepEqual(troubles, ['setAside']);
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.ledger.get(key)?.state, 'refunded');
  assert.deepEqual(troubles, ['setAside']);
});

test('an attempt that may have been charged when the ledger was set aside is repeated with its key, and charged once', async (t) => {
  const { clock, service, window, setAside } = await world(t);
  service.fates = ['lostAfter'];
  const { key } = window.renderer.order(order());
  await clock.advance(0);
  await setAside();
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.state, 'accepted');
  assert.deepEqual(
    service.posts.map((post) => post.key),
    [key, key],
  );
  assert.equal(service.charges.length, 1);
});

test('a first attempt isn’t sent if the ledger is set aside while its connection is being made', async (t) => {
  const { clock, service, window, setAside } = await world(t);
  const createGeneration = service.createGeneration.bind(service);
  service.createGeneration = async (...attempt) => {
    await setAside();
    return createGeneration(...attempt);
  };
  const { key } = window.renderer.order(order());
  await clock.advance(60_000);
  assert.deepEqual(service.posts, []);
  const { state, unanswered } = window.ledger.get(key)!;
  assert.deepEqual([state, unanswered], ['planned', 0]);
});
