import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LedgerError } from '../../../src/renders/ledgerError';
import { severalIds } from '../../../src/renders/severalIds';
import { TestClock, settled } from '../clock';
import { TestService, noAnswer } from './service';
import { folderFor, openWindow, order, ordered } from './world';

test('a render whose window crashed during the send is finished by the next, with one charge', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  const second = await openWindow(t, folder, service, clock);
  service.forgetTime();
  void second.recovery.run();
  await clock.advance(30_000);
  assert.equal(second.ledger.get('k')?.state, 'accepted');
  assert.equal(service.charges.length, 1);
  assert.equal(service.posts.length, 2);
});

test('a planned render is never sent by itself after a restart', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.beforeLeaving = () => (first.connected = undefined);
  await ordered(first, order({ intent: 'k' }));
  first.crash();
  const second = await openWindow(t, folder, service, clock);
  void second.recovery.run();
  await clock.advance(60_000);
  assert.equal(service.posts.length, 0);
  assert.deepEqual(
    second.library.entries.map(({ group }) => group),
    ['notSent'],
  );
});

test('a render found half way after ten minutes is not sent again, and adopted when the service lists exactly one like it', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  service.forgetTime();
  await second.recovery.run();
  assert.equal(service.posts.length, 1);
  assert.equal(second.ledger.get('k')?.state, 'accepted');
  assert.equal(second.ledger.get('k')?.generationId, 'g1');
});

test('two renders at the service that match one unknown are reported with both ids, and none is taken', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  service.generationsById.set('g9', { ...service.generationsById.get('g1')!, id: 'g9' });
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  const told: (string | undefined)[] = [];
  second.library.onDidFindSeveral(({ record }) => told.push(record && severalIds(record)));
  await second.recovery.run();
  const record = second.ledger.get('k');
  assert.equal(record?.state, 'unknown');
  assert.deepEqual(record.problem, { code: 'twoFound', detail: 'g1, g9' });
  await second.recovery.run();
  assert.deepEqual(told, ['g1, g9']);
  assert.equal(second.ledger.get('k')?.version, record.version);
});

test('of two renders that match one unknown the other is its own once one of them was taken up', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  service.generationsById.set('g9', { ...service.generationsById.get('g1')!, id: 'g9' });
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  await second.recovery.run();
  const { place, account, modelId, inputs, body, target, plannedAt } = second.ledger.get('k')!;
  second.ledger.takeUp(
    { key: 'another', place, account, modelId, inputs, body, target, plannedAt },
    { state: 'succeeded', attempt: 0, unanswered: 0, owner: second.lease.id, generationId: 'g9' },
  );
  await second.recovery.run();
  const record = second.ledger.get('k');
  assert.deepEqual([record?.state, record?.generationId, record?.problem], ['accepted', 'g1', undefined]);
});

test('a render of other inputs or another time is not adopted', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentBefore'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  const alike = { status: 'queued', modelId: 'a/b/c', inputs: { prompt: 'a red kite' }, createdAt: clock.now() };
  service.generationsById.set('other-inputs', { ...alike, id: 'other-inputs', inputs: { prompt: 'a blue kite' } });
  service.generationsById.set('earlier', { ...alike, id: 'earlier', createdAt: clock.now() - 3_600_000 });
  service.generationsById.set('unstated', { id: 'unstated', status: 'queued' });
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  await second.recovery.run();
  assert.equal(second.ledger.get('k')?.state, 'unknown');
});

test('a window leaves alone what another window is sending, and takes it over when that window goes', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  const second = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter', 'charged'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  void second.recovery.run();
  await clock.advance(8_000);
  assert.equal(service.posts.length, 1);
  first.crash();
  await clock.advance(30_000);
  assert.equal(service.posts.length, 2);
  assert.equal(second.ledger.get('k')?.state, 'accepted');
});

test('a recovery that finds the ledger out of reach is begun again', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  await clock.advance(60_000);
  const second = await openWindow(t, folder, service, clock);
  const lease = second.ledger.lease.bind(second.ledger);
  second.ledger.lease = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  await second.recovery.run();
  second.ledger.lease = lease;
  assert.equal(second.ledger.get('k')?.state, 'sent');
  await clock.advance(30_000);
  assert.equal(second.ledger.get('k')?.state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a render ordered twice and listed once is adopted for neither', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentBefore', 'silentAfter'];
  void ordered(first, order({ intent: 'a' }));
  void ordered(first, order({ intent: 'b' }));
  await settled();
  first.crash();
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  await second.recovery.run();
  assert.equal(service.generationsById.size, 1);
  assert.deepEqual(
    ['a', 'b'].map((key) => second.ledger.get(key)?.state),
    ['unknown', 'unknown'],
  );
});

test('a repeat after a restart waits until the service has told its time', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'k' }));
  await settled();
  first.crash();
  const second = await openWindow(t, folder, service, clock);
  service.forgetTime();
  service.outage = noAnswer();
  void second.recovery.run();
  await clock.advance(30_000);
  assert.equal(service.posts.length, 1);
  service.outage = undefined;
  await clock.advance(60_000);
  assert.equal(service.posts.length, 2);
  assert.equal(service.charges.length, 1);
});

test('a render the service denied is followed again once its list holds it, with what was charged', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  const generation = service.generationsById.get('g1')!;
  service.generationsById.delete('g1');
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.problem?.code, 'gone');
  assert.equal(await window.recovery.compare(), 0);
  service.generationsById.set('g1', { ...generation, status: 'succeeded', textOutput: 'done' });
  assert.equal(await window.recovery.compare(), 1);
  await clock.advance(60_000);
  const record = window.ledger.get(key);
  assert.equal(record?.state, 'succeeded');
  assert.equal(record.costCents, 4);
  assert.equal(service.posts.length, 1);
});

test('recovery does not reject when the ledger cannot be read', async (t) => {
  const clock = new TestClock();
  const window = await openWindow(t, folderFor(t), new TestService(clock), clock);
  window.ledger.inStates = () => {
    throw new Error('database is locked');
  };
  await window.recovery.run();
});

test('what a window was sending when it closed is finished by one that was open all the time, with one charge', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  service.fates = ['silentAfter'];
  const { key } = there.renderer.order(order());
  await clock.advance(10);
  there.crash();
  await clock.advance(60_000);
  assert.equal(here.ledger.get(key)?.state, 'accepted');
  assert.equal(service.charges.length, 1);
});
