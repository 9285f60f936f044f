import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import type { Generation } from '../../../src/catalog/fields';
import type { Recognition } from '../../../src/renders/library';
import { TestClock } from '../clock';
import { TestService, noResponse } from './service';
import { folderFor, openWindow, order, ordered } from './world';

test('renders of this editor and those started elsewhere are in one list, active first, then newest first', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = ['charged', new ServiceError('invalidInput', 'no', { status: 400 })];
  const active = await ordered(window, order());
  await clock.advance(1000);
  const refused = await ordered(window, order());
  service.generationsById.set('far', { id: 'far', status: 'succeeded', createdAt: clock.now() + 5000 });
  await window.library.refresh();
  assert.deepEqual(
    window.library.entries.map(({ id }) => id),
    [active.key, 'service:far', refused.key],
  );
});

test('an unchanged entry is the same object, even after the list is requested again', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  const other = await ordered(window, order());
  service.generationsById.set('far', { id: 'far', status: 'succeeded', inputs: { prompt: 'far' } });
  await window.library.refresh();
  const { entries } = window.library;
  for (const [id, generation] of service.generationsById) service.generationsById.set(id, structuredClone(generation));
  service.set('g1', { status: 'refunded' });
  await window.library.refresh();
  await window.poller.pollNow();
  const same = window.library.entries.filter((entry) => entries.includes(entry)).map(({ id }) => id);
  assert.deepEqual(same.sort(), ['service:far', other.key].sort());
  assert.equal(window.library.get(key)?.state, 'refunded');
});

test('a render that the service’s list states as failed isn’t shown as in progress until it’s polled', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  service.set('g1', { status: 'failed' });
  await window.library.refresh();
  const { group, state } = window.library.get(key) ?? {};
  assert.deepEqual([group, state], ['finished', 'failed']);
});

test('a render that the service answers as failed has failed, with the reason, before any poll', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.atOnce = { status: 'failed', reason: 'no paint left' };
  const { key } = await ordered(window, order());
  const { group, state, problem } = window.library.get(key) ?? {};
  assert.deepEqual([group, state, problem?.detail], ['finished', 'failed', 'no paint left']);
});

test('renders of another window appear here', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  const { key } = await ordered(there, order());
  assert.deepEqual(here.library.entries, []);
  await clock.advance(5000);
  assert.equal(here.library.get(key)?.group, 'active');
});

test('the end of a render is announced once, in the window that started it', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  const told: string[] = [];
  here.library.onDidEnd(({ state }) => told.push(`here ${state}`));
  there.library.onDidEnd(({ state }) => told.push(`there ${state}`));
  await ordered(here, order());
  there.poller.wake();
  service.set('g1', { status: 'refunded' });
  await there.poller.pollNow();
  await clock.advance(10_000);
  assert.deepEqual(told, ['here refunded']);
});

test('if the service’s list fails, our own renders are shown, with the reason', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  service.outage = noResponse();
  await window.library.refresh();
  assert.deepEqual(
    window.library.entries.map(({ id }) => id),
    [key],
  );
  assert.equal(window.library.problem, 'connection reset');
});

test('finished renders of another service are hidden; those that need a decision aren’t', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = [new ServiceError('balanceTooLow', 'poor', { status: 402 })];
  await ordered(window, order());
  service.beforeLeaving = () => (window.connected = undefined);
  const notSent = await ordered(window, order());
  window.connected = { place: 'https://other.example', client: new TestService(clock) };
  window.library.accountChanged();
  assert.deepEqual(
    window.library.entries.map(({ id }) => id),
    [notSent.key],
  );
});

test('a render that has ended stays visible when the key is replaced, even before the service responds', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = [new ServiceError('balanceTooLow', 'poor', { status: 402 })];
  const { key } = await ordered(window, order());
  const other = new TestService(clock);
  other.account = 'account-2';
  window.connected = { place: 'https://models.example', client: other };
  window.library.accountChanged();
  assert.deepEqual(
    window.library.entries.map(({ id, group }) => [id, group]),
    [[key, 'finished']],
  );
});

test('after a key change, renders of the earlier key stay in the day’s spending, and are listed once', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  service.account = 'account-2';
  window.library.accountChanged();
  assert.equal(window.library.spentSince(0), 4);
  await window.library.refresh();
  assert.deepEqual(
    window.library.entries.map(({ id }) => id),
    [key],
  );
});

test('the day’s spending is what the service charged and didn’t refund', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  await ordered(window, order());
  const midnight = clock.now() + 1000;
  await clock.advance(2000);
  await ordered(window, order());
  await ordered(window, order());
  service.set('g3', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.library.spentSince(midnight), 4);
  assert.equal(window.library.spentSince(0), 8);
  assert.equal(window.library.spentFor(['file:///project']), 8);
  assert.equal(window.library.spentFor(['file:///other']), 0);
});

test('without a usable key, the day’s spending and renders in progress are those of the service in use', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const elsewhere = new TestService(clock);
  window.connected = { place: 'sandbox', client: elsewhere };
  elsewhere.fates = ['charged', new ServiceError('dailyCap', 'cap', { status: 409, code: 'API_KEY_DAILY_CAP' })];
  await ordered(window, order());
  await ordered(window, order());
  const figures = ({ library }: typeof window) => [
    library.spentSince(0),
    library.spentFor(['file:///project']),
    library.activeCount,
    library.capReachedSince(0),
  ];
  window.connected = undefined;
  assert.deepEqual(figures(window), [0, 0, 0, undefined]);
  window.place = 'sandbox';
  assert.deepEqual(figures(window), [4, 4, 1, undefined], 'the cap was another key’s, as far as one can tell');
  window.place = undefined;
  assert.deepEqual(figures(window), [undefined, undefined, 0, undefined], 'no figures without a service');
});

test('a view that throws doesn’t stop the watch on other windows', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  here.library.onDidChange(() => {
    throw new Error('a view is broken');
  });
  const first = await ordered(there, order());
  await clock.advance(5000);
  const second = await ordered(there, order());
  await clock.advance(5000);
  for (const { key } of [first, second]) assert.equal(here.library.get(key)?.group, 'active');
});

test('a ledger that can’t be read for a moment doesn’t stop the watch on other windows', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  const changedElsewhere = here.ledger.changedElsewhere.bind(here.ledger);
  here.ledger.changedElsewhere = () => {
    here.ledger.changedElsewhere = changedElsewhere;
    throw new Error('database is locked');
  };
  await clock.advance(5000);
  const { key } = await ordered(there, order());
  await clock.advance(5000);
  assert.equal(here.library.get(key)?.group, 'active');
});

test('a render that couldn’t be sent is announced, because it waits for the user', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const told: string[] = [];
  window.library.onDidEnd(({ state, problem }) => told.push(`${state} ${problem?.code}`));
  service.offline = true;
  await ordered(window, order());
  assert.deepEqual(told, ['planned noAnswer']);
});

test('a render from another window is included as soon as it is requested', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  const { key } = await ordered(there, order());
  assert.deepEqual(here.library.entries, []);
  here.library.catchUp();
  assert.deepEqual(
    here.library.entries.map(({ id, group }) => [id, group]),
    [[key, 'active']],
  );
});

test('a text is the response if there is no file, and an empty one isn’t (A1)', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const { key } = await ordered(window, order());
  const answer = (textOutput: string | undefined, contentUrl: string | undefined) => {
    window.ledger.advance(key, () => ({ textOutput, contentUrl }));
    const far = { id: 'far', status: 'succeeded', textOutput, contentUrl };
    service.generationsById.set('far', far);
    return window.library.refresh().then(() => [key, 'service:far'].map((id) => window.library.get(id)?.textOutput));
  };
  assert.deepEqual(await answer('The kite is red.', undefined), ['The kite is red.', 'The kite is red.']);
  assert.deepEqual(await answer('A caption.', 'https://models.example/far'), [undefined, undefined]);
  assert.deepEqual(await answer('', undefined), [undefined, undefined]);
});

/** A window that has ordered a render, whose service has since moved. `change` is what it states at its new URL. */
async function movedAway(t: TestContext, change: Partial<Generation> = {}) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  const { key } = await ordered(window, order());
  service.set('g1', change);
  const recognized: Recognition[] = [];
  window.library.onDidRecognize((recognition) => recognized.push(recognition));
  const connect = (place: string, client = service) => {
    window.connected = { place, client };
    window.library.accountChanged();
    return window.library.refresh();
  };
  const ids = () => window.library.entries.map(({ id }) => id);
  return { clock, service, folder, window, key, recognized, connect, ids };
}

const [before, after] = ['https://models.example', 'https://new.example'];

test('a render that’s listed at another URL as it was ordered goes on there, unasked', async (t) => {
  const { service, window, key, recognized, connect, ids } = await movedAway(t);
  await connect(after);
  assert.deepEqual(recognized, [{ place: before, renders: 1, isCertain: true }]);
  assert.deepEqual(ids(), [key]);
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.library.get(key)?.state, 'refunded');
  assert.equal(service.posts.length, 1);
});

test('a render goes on at another URL of its service with another API key, too', async (t) => {
  const { service, window, key, recognized, connect, ids } = await movedAway(t);
  service.account = 'account-2';
  await connect(after);
  assert.deepEqual([recognized.length, ids()], [1, [key]]);
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.library.get(key)?.state, 'refunded');
});

test('two URLs are recognized once, in one window, and every window knows it, also after a restart', async (t) => {
  const { clock, service, folder, window, key, recognized, connect, ids } = await movedAway(t);
  const other = await openWindow(t, folder, service, clock);
  other.library.onDidRecognize((recognition) => recognized.push(recognition));
  await connect(after);
  other.connected = window.connected;
  await other.library.refresh();
  await connect(before);
  await connect(after);
  const next = await openWindow(t, folder, service, clock);
  next.connected = window.connected;
  assert.deepEqual(ids(), [key]);
  for (const { library } of [other, next]) assert.equal(library.get(key)?.awayAt, undefined);
  assert.equal(recognized.length, 1);
});

test('an ID alone makes the user be asked, once, and their word is kept', async (t) => {
  const { service, window, key, recognized, connect, ids } = await movedAway(t, { inputs: undefined });
  await connect(after);
  await connect(after);
  assert.deepEqual(recognized, [{ place: before, renders: 1, isCertain: false }]);
  assert.equal(window.library.get(key)?.awayAt, before);
  assert.deepEqual(ids(), ['service:g1', key].sort());
  window.library.settleService(before, true);
  assert.equal(window.library.get(key)?.awayAt, undefined);
  await connect(after);
  assert.deepEqual(ids(), [key]);
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.library.get(key)?.state, 'refunded');
  assert.equal(recognized.length, 1);
});

test('services that the user keeps separate stay so, whatever either lists, until the user says otherwise', async (t) => {
  const { service, window, key, recognized, connect } = await movedAway(t);
  await connect(after);
  window.library.settleService(before, false);
  await connect(after);
  assert.equal(window.library.get(key)?.awayAt, before);
  assert.equal(await window.library.findHere(key), 'possible');
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(window.library.get(key)?.state, 'accepted');
  window.library.settleService(before, true);
  await window.poller.pollNow();
  assert.equal(window.library.get(key)?.state, 'refunded');
  assert.equal(recognized.length, 1);
});

for (const [what, change, account] of [
  ['a render with the same ID and other inputs', { inputs: { prompt: 'a blue whale' } }, 'account-1'],
  ['a render with the same ID, without its inputs, to another API key', { inputs: undefined }, 'account-2'],
  ['a render with the same ID, and at another charge, to another API key', { costCents: 5 }, 'account-2'],
] as const)
  test(`${what} shows nothing of the service at another URL`, async (t) => {
    const { service, window, key, recognized, connect } = await movedAway(t, change);
    service.account = account;
    await connect(after);
    assert.equal(await window.library.findHere(key), undefined);
    assert.deepEqual(recognized, []);
    assert.equal(window.library.get(key)?.awayAt, before);
  });

test('the sandbox is never another service', async (t) => {
  const { key, window, recognized, connect } = await movedAway(t);
  await connect('sandbox');
  assert.deepEqual([recognized, window.library.get(key)?.awayAt], [[], before]);
});

test('a render that a service no longer lists is found at its new URL when the user looks for it', async (t) => {
  const { service, window, key, recognized, connect } = await movedAway(t);
  service.listedIds = () => false;
  await connect(after);
  assert.deepEqual(recognized, []);
  assert.equal(await window.library.findHere(key), 'certain');
  assert.equal(recognized.length, 1);
  assert.equal(window.library.get(key)?.awayAt, undefined);
});

test('what was sent to one URL is never sent to another of the same service, and is found there', async (t) => {
  const { clock, service, window, connect } = await movedAway(t);
  service.fates = ['lostAfter'];
  const sent = order({ inputs: { prompt: 'a lost kite' } });
  window.renderer.order(sent);
  await clock.advance(0);
  assert.equal(window.ledger.get(sent.intent)?.state, 'sent');
  await connect(after);
  const { length } = service.posts;
  await window.recovery.run();
  await clock.advance(30 * 60_000);
  assert.equal(service.posts.length, length);
  const { state, generationId } = window.ledger.get(sent.intent)!;
  assert.deepEqual([state, generationId], ['accepted', 'g2']);
});

test('a render of one URL is never taken for another one’s, ordered alike at another URL', async (t) => {
  const { clock, service, window, connect } = await movedAway(t);
  service.fates = ['lostBefore', 'lostBefore', 'lostBefore', 'lostBefore', 'lostBefore', 'lostBefore'];
  const lost = order({ inputs: { prompt: 'two kites' } });
  window.renderer.order(lost);
  await clock.advance(0);
  await connect(after);
  service.fates = [];
  const alike = await ordered(window, order({ inputs: { prompt: 'two kites' } }));
  await window.recovery.run();
  await clock.advance(30 * 60_000);
  assert.equal(window.ledger.get(alike.key)?.generationId, 'g2');
  assert.equal(window.ledger.get(lost.intent)?.state, 'unknown');
});
