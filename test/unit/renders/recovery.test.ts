import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { ServiceError } from '../../../src/catalog/errors';
import { forget } from '../../../src/renders/results';
import { LedgerError } from '../../../src/renders/ledgerError';
import { severalIds } from '../../../src/renders/library';
import { TestClock, settled } from '../clock';
import { TestService, noResponse } from './service';
import { folderFor, openWindow, order, ordered } from './world';

test('a render whose window crashed while sending is finished by the next window, with one charge', async (t) => {
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

test('a planned render is never sent automatically after a restart', async (t) => {
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

test('a render found half-sent after ten minutes isn’t sent again, and is adopted if the service lists exactly one like it', async (t) => {
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

test('two renders at the service that match one unconfirmed render are reported with both IDs, and neither is adopted', async (t) => {
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

test('of two renders that match one unconfirmed render, one is its own once the other was adopted', async (t) => {
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
  const unknown = second.ledger.get('k')!;
  const { place, account, modelId, inputs, target, plannedAt } = unknown;
  const body = second.ledger.bodyOf(unknown)!;
  second.ledger.takeUp(
    { key: 'another', place, account, modelId, inputs, body, target, plannedAt },
    { state: 'succeeded', attempt: 0, unanswered: 0, owner: second.lease.id, generationId: 'g9' },
  );
  await second.recovery.run();
  const record = second.ledger.get('k');
  assert.deepEqual([record?.state, record?.generationId, record?.problem], ['accepted', 'g1', undefined]);
});

test('a render with other inputs or from another time isn’t adopted', async (t) => {
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

test('a window leaves what another one is sending alone, and takes over when that one closes', async (t) => {
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

test('a recovery that finds the ledger unavailable starts again', async (t) => {
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

test('what a closed window was about to send is left to the user, also if the disk is full at first', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  first.renderer.plan(() => [order({ intent: 'k' })]);
  const second = await openWindow(t, folder, service, clock);
  first.crash();
  const change = second.ledger.change.bind(second.ledger);
  second.ledger.change = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  await clock.advance(60_000);
  second.ledger.change = change;
  assert.equal(second.library.activeCount, 1);
  await clock.advance(15_000);
  assert.equal(second.library.activeCount, 0, 'it no longer counts as about to be sent');
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

test('a generation that may belong to a render that isn’t sent as far as a restored ledger knows is left to the user', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  first.renderer.plan(() => [order({ intent: 'b' })]);
  service.fates = ['silentAfter'];
  void ordered(first, order({ intent: 'a' }));
  await settled();
  first.crash();
  await clock.advance(20 * 60_000);
  const second = await openWindow(t, folder, service, clock);
  await second.recovery.run();
  assert.equal(service.generationsById.size, 1);
  assert.equal(second.ledger.get('a')?.state, 'unknown');
});

test('a generation that may belong to another render’s earlier attempt is adopted by neither', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.ignoresKeys = true;
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  service.fates = [new ServiceError('status', 'What?', { status: 418 }), 'lostAfter'];
  await ordered(first, order({ intent: 'a' }));
  const repeated = ordered(first, order({ intent: 'b' }));
  await clock.advance(60_000);
  assert.equal((await repeated).generationId, 'g2');
  assert.equal(first.ledger.get('a')?.state, 'unknown');
  await first.recovery.compare();
  assert.deepEqual([first.ledger.get('a')?.state, first.ledger.get('a')?.generationId], ['unknown', undefined]);
});

for (const [when, later, state] of [
  ['an hour later', 3_600_000, 'accepted'],
  ['a minute later', 60_000, 'unknown'],
] as const)
  test(`a forgotten render that was sent twice may have sent what the list shows: one ordered ${when} is ${state}`, async (t) => {
    const clock = new TestClock();
    const service = new TestService(clock);
    const window = await openWindow(t, folderFor(t), service, clock);
    service.fates = ['lostBefore'];
    const repeated = ordered(window, order({ intent: 'a' }));
    await clock.advance(60_000);
    const { key } = await repeated;
    window.ledger.advance(key, () => ({ state: 'saved', endedAt: 1 }));
    assert.equal(await forget(window.ledger, systemClock, [key], () => Promise.resolve()), 1);
    await clock.advance(later);
    service.fates = ['lostAfter'];
    service.listedIds = () => false;
    void ordered(window, order({ intent: 'b' }));
    await settled();
    service.offline = true;
    await clock.advance(12 * 60_000);
    assert.equal(window.ledger.get('b')?.state, 'unknown');
    service.listedIds = () => true;
    await window.recovery.compare();
    assert.equal(window.ledger.get('b')?.state, state);
  });

test('a repeat after a restart waits until the service’s time is known', async (t) => {
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
  service.outage = noResponse();
  void second.recovery.run();
  await clock.advance(30_000);
  assert.equal(service.posts.length, 1);
  service.outage = undefined;
  await clock.advance(60_000);
  assert.equal(service.posts.length, 2);
  assert.equal(service.charges.length, 1);
});

test('a denied render is followed again once the list has it, with its charge', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  const generation = service.generationsById.get('g1')!;
  service.generationsById.delete('g1');
  await clock.advance(15 * 60_000);
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

test('recovery doesn’t reject if the ledger can’t be read', async (t) => {
  const clock = new TestClock();
  const window = await openWindow(t, folderFor(t), new TestService(clock), clock);
  window.ledger.inStates = () => {
    throw new Error('database is locked');
  };
  await window.recovery.run();
});

test('a render being sent by a closed window is completed by an open one, with one charge', async (t) => {
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

/** The same service with another API key; that of the same account if given the first one's renders. */
function otherKey(service: TestService, clock: TestClock): TestService {
  const other = new TestService(clock);
  other.account = 'account-2';
  Object.assign(other, { generationsById: service.generationsById, contents: service.contents });
  return other;
}

const place = 'https://models.example';

test('a render with a replaced key is never sent with the new one, is unconfirmed after ten minutes, and is found in the list', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['lostAfter'];
  const { key } = window.renderer.order(order());
  await settled();
  const other = otherKey(service, clock);
  other.listedIds = () => false;
  window.connected = { place, client: other };
  void window.recovery.run();
  await clock.advance(60_000);
  const waiting = window.ledger.get(key);
  assert.deepEqual([waiting?.state, waiting?.problem?.code], ['sent', 'otherAccount']);
  await clock.advance(10 * 60_000);
  assert.equal(window.ledger.get(key)?.state, 'unknown');
  other.listedIds = () => true;
  await clock.advance(3_600_000);
  const found = window.ledger.get(key);
  assert.deepEqual([found?.state, found?.generationId, found?.readBy], ['accepted', 'g1', 'account-2']);
  assert.deepEqual([service.posts.length, other.posts.length], [1, 0]);
});

test('a sent render is unconfirmed after ten minutes, even without a connection', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['lostAfter'];
  const { key } = window.renderer.order(order());
  await settled();
  window.connected = undefined;
  await clock.advance(9 * 60_000);
  assert.equal(window.ledger.get(key)?.state, 'sent');
  await clock.advance(2 * 60_000);
  assert.equal(window.ledger.get(key)?.state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('a render is repeated with its key once that key is back', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['lostBefore'];
  const { key } = window.renderer.order(order());
  await settled();
  window.connected = { place, client: otherKey(service, clock) };
  await clock.advance(60_000);
  window.connected = { place, client: service };
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a declined render is searched for in the list soon, and then less and less often', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = [new ServiceError('status', 'gone', { status: 410 })];
  const { key, state } = await ordered(window, order());
  assert.equal(state, 'unknown');
  await clock.advance(3_600_000);
  const inTheFirstHour = service.listCalls;
  assert.ok(inTheFirstHour >= 3 && inTheFirstHour < 10, `${inTheFirstHour} looks`);
  await clock.advance(24 * 3_600_000);
  assert.ok(service.listCalls - inTheFirstHour <= 25, `${service.listCalls - inTheFirstHour} looks in a day`);
  const { modelId, inputs, firstSentServiceTime } = window.ledger.get(key)!;
  const late = { id: 'late', status: 'succeeded', costCents: 4, modelId, inputs, createdAt: firstSentServiceTime };
  service.generationsById.set('late', late);
  await clock.advance(3_600_000);
  assert.equal(window.ledger.get(key)?.generationId, 'late');
});

test('a user’s word settles an unconfirmed render, can be undone, and yields to the service’s', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['lostAfter'];
  service.listedIds = () => false;
  const { key } = window.renderer.order(order());
  assert.equal(window.renderer.settle(key, false), false, 'nothing to settle while it is sent');
  await settled();
  service.offline = true;
  await clock.advance(12 * 60_000);
  const group = () => window.library.get(key)?.group;
  assert.equal(group(), 'unknown');
  assert.equal(window.renderer.settle(key, false), true);
  assert.deepEqual(window.ledger.get(key)?.settled, { charged: false, at: clock.now() });
  assert.equal(group(), 'finished');
  window.renderer.settle(key, undefined);
  assert.equal(group(), 'unknown');
  window.renderer.settle(key, false);
  service.listedIds = () => true;
  assert.equal(await window.recovery.compare(), 1);
  const found = window.ledger.get(key);
  assert.deepEqual([found?.state, found?.costCents, found?.settled?.charged], ['accepted', 4, false]);
});

test('a render found in the list was charged when the service created it, not when it was found', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = [new ServiceError('status', 'gone', { status: 410 })];
  const { key, modelId, inputs, firstSentServiceTime } = await ordered(window, order());
  const createdAt = firstSentServiceTime! + 1_000;
  service.generationsById.set('late', { id: 'late', status: 'succeeded', costCents: 4, modelId, inputs, createdAt });
  clock.set(clock.now() + 3 * 24 * 3_600_000);
  assert.equal(await window.recovery.compare(), 1);
  assert.equal(window.ledger.get(key)?.acceptedAt, createdAt);
});

test('what the service lists after a user’s word and then denies is unconfirmed again, whatever that word was', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['lostAfter'];
  service.listedIds = () => false;
  const { key } = window.renderer.order(order());
  await settled();
  service.offline = true;
  await clock.advance(12 * 60_000);
  window.renderer.settle(key, false);
  service.offline = false;
  service.listedIds = () => true;
  assert.equal(await window.recovery.compare(), 1);
  service.generationsById.clear();
  window.poller.wake();
  await clock.advance(30 * 60_000);
  assert.deepEqual([window.ledger.get(key)?.state, window.library.get(key)?.group], ['unknown', 'unknown']);
});

for (const [what, change, isAdopted] of [
  ['at the quoted price', {}, true],
  ['with the model’s defaults filled in', { inputs: { prompt: 'a red kite', quality: 'low' } }, true],
  ['at another price', { costCents: 40 }, false],
  ['at no stated price', { costCents: undefined }, false],
  ['with another option', { inputs: { prompt: 'a red kite', quality: 'high' } }, false],
] as const)
  test(`a lost render that the service lists ${what} is ${isAdopted ? 'adopted and marked' : 'left to the user'}`, async (t) => {
    const clock = new TestClock();
    const service = new TestService(clock);
    const window = await openWindow(t, folderFor(t), service, clock);
    service.fields = [{ name: 'quality', default: 'low' }] as unknown as typeof service.fields;
    service.fates = [new ServiceError('status', 'gone', { status: 410 })];
    const { key, modelId, inputs } = await ordered(window, order());
    const stated = { id: 'g7', status: 'queued', costCents: 4, modelId, inputs, createdAt: clock.now(), ...change };
    service.generationsById.set('g7', stated);
    const told: (string | undefined)[] = [];
    window.library.onDidFindSeveral(({ problem }) => told.push(problem?.code));
    assert.equal(await window.recovery.compare(), isAdopted ? 1 : 0);
    const found = window.ledger.get(key)!;
    if (isAdopted) assert.deepEqual([found.state, found.generationId, found.matched], ['accepted', 'g7', true]);
    else {
      assert.deepEqual([found.state, found.problem], ['unknown', { code: 'oneFound', detail: 'g7' }]);
      assert.deepEqual(told, ['oneFound']);
      assert.equal(await window.recovery.use(key, 'g7'), true);
      const used = window.ledger.get(key)!;
      assert.deepEqual([used.state, used.generationId, used.matched], ['accepted', 'g7', true]);
      assert.equal(await window.recovery.use(key, 'g7'), false, 'it is no longer open');
    }
  });

test('a render that another of ours has can’t be used for an unconfirmed one', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  await ordered(window, order());
  service.fates = [new ServiceError('status', 'gone', { status: 410 })];
  const { key } = await ordered(window, order());
  assert.equal(await window.recovery.use(key, 'g1'), false);
  assert.equal(window.ledger.get(key)?.state, 'unknown');
});

for (const [how, look] of [
  ['by itself', undefined],
  ['when its list is read for another reason', 'refresh'],
] as const)
  test(`what the user marked as not charged is taken up ${how} once the service lists it`, async (t) => {
    const clock = new TestClock();
    const service = new TestService(clock);
    const window = await openWindow(t, folderFor(t), service, clock);
    service.fates = ['lostAfter'];
    service.listedIds = () => false;
    const { key } = window.renderer.order(order());
    await settled();
    service.offline = true;
    await clock.advance(12 * 60_000);
    window.renderer.settle(key, false);
    service.listedIds = () => true;
    if (look) await window.library.refresh();
    await clock.advance(look ? 10 : 2 * 3_600_000);
    const { generationId, costCents } = window.ledger.get(key)!;
    assert.deepEqual([generationId, costCents], ['g1', 4]);
  });
