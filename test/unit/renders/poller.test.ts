import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { ServiceError } from '../../../src/catalog/errors';
import { forget, hide } from '../../../src/renders/results';
import { TestClock } from '../clock';
import { TestService, noResponse } from './service';
import { folderFor, openWindow, order, ordered } from './world';
import { recordsOf } from '../../recordsOf';

async function rendering(t: Parameters<typeof folderFor>[0], count: number) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  for (let i = 0; i < count; i++) await ordered(window, order());
  return { clock, service, folder, window };
}

const states = (window: Awaited<ReturnType<typeof openWindow>>) => recordsOf(window.ledger).map(({ state }) => state);

test('many active renders cost one request per round', async (t) => {
  const { clock, service, window } = await rendering(t, 20);
  await clock.advance(3_100);
  assert.equal(service.listCalls, 1);
  assert.equal(service.singleCalls, 0);
  for (let i = 1; i <= 20; i++) service.set(`g${i}`, { status: 'succeeded', textOutput: 'done' });
  await clock.advance(3_100);
  assert.deepEqual(new Set(states(window)), new Set(['succeeded']));
});

test('a render missing from the list is requested individually', async (t) => {
  const { clock, service, window } = await rendering(t, 3);
  service.listedIds = (id) => id !== 'g2';
  for (const id of ['g1', 'g2', 'g3']) service.set(id, { status: 'succeeded', contentUrl: `https://x.example/${id}` });
  await clock.advance(3_100);
  assert.deepEqual(states(window), ['succeeded', 'succeeded', 'succeeded']);
  assert.equal(service.singleCalls, 1);
});

test('a success listed without its text or file is requested individually', async (t) => {
  const { clock, service, window } = await rendering(t, 2);
  for (const id of ['g1', 'g2']) service.set(id, { status: 'succeeded' });
  await clock.advance(3_100);
  assert.equal(service.singleCalls, 2);
  assert.deepEqual(states(window), ['succeeded', 'succeeded']);
});

test('a text in the list, which may be shortened, isn’t taken for the response', async (t) => {
  const { clock, service, window } = await rendering(t, 2);
  for (const id of ['g1', 'g2']) service.set(id, { status: 'succeeded', textOutput: `all of ${id}` });
  const list = service.generations.bind(service);
  service.generations = async () => {
    const { value } = await list();
    return { value: { ...value, items: value.items.map((item) => ({ ...item, excerpt: 'all' })) } };
  };
  await clock.advance(3_100);
  const texts = recordsOf(window.ledger).map(({ textOutput }) => textOutput);
  assert.deepEqual(texts.sort(), ['all of g1', 'all of g2']);
});

test('a render that can’t be asked about doesn’t slow down the others', async (t) => {
  const { clock, service, window } = await rendering(t, 3);
  service.listedIds = (id) => id !== 'g2';
  const one = service.generation.bind(service);
  let asked = 0;
  service.generation = (id) => {
    if (id === 'g2') asked++;
    return id === 'g2' ? Promise.reject(new ServiceError('status', 'x', { status: 500 })) : one(id);
  };
  await clock.advance(60_000);
  const rounds = service.listCalls;
  assert.ok(rounds >= 15, `${rounds} rounds in a minute`);
  assert.ok(asked >= 3 && asked <= 7, `${asked} requests for that one`);
  service.generation = one;
  service.set('g2', { status: 'succeeded', contentUrl: 'https://x.example/g2' });
  await clock.advance(70_000);
  assert.ok(states(window).includes('succeeded'));
});

test('a success is taken up whenever it comes, and so is a refund after it, though nothing is in progress', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.set('g1', { status: 'failed' });
  await clock.advance(10_000);
  assert.deepEqual(states(window), ['failed']);
  service.set('g1', { status: 'succeeded', contentUrl: 'https://x.example/g1' });
  await clock.advance(2 * 3_600_000);
  assert.deepEqual(states(window), ['succeeded']);
  const calls = service.listCalls + service.singleCalls;
  service.set('g1', { status: 'refunded' });
  await clock.advance(6 * 3_600_000);
  assert.deepEqual(states(window), ['refunded']);
  assert.ok(service.listCalls + service.singleCalls - calls <= 2);
});

test('the look for refunds is one window’s, and costs the others nothing', async (t) => {
  const { clock, service, window, folder } = await rendering(t, 1);
  const other = await openWindow(t, folder, service, clock);
  for (const { library } of [window, other]) library.dispose();
  service.set('g1', { status: 'succeeded', contentUrl: 'https://x.example/g1' });
  await clock.advance(60_000);
  window.poller.wake();
  other.poller.wake();
  const calls = service.listCalls + service.singleCalls;
  await clock.advance(24 * 3_600_000);
  const looks = service.listCalls + service.singleCalls - calls;
  assert.ok(looks >= 3 && looks <= 8, `${looks} looks in a day`);
});

for (const status of ['canceled', 'processing'])
  test(`a render that stays “${status}” for a day is left to the user, and still followed`, async (t) => {
    const { clock, service, window } = await rendering(t, 1);
    // Nobody looks on, so that days pass quickly.
    window.library.dispose();
    service.set('g1', { status });
    await clock.advance(23 * 3_600_000);
    assert.deepEqual(states(window), ['accepted']);
    await clock.advance(2 * 3_600_000);
    const [record] = recordsOf(window.ledger);
    assert.deepEqual([record?.state, record?.problem], ['unknown', { code: 'oddStatus', detail: status }]);
    await window.recovery.compare();
    await clock.advance(24 * 3_600_000);
    assert.deepEqual(states(window), ['unknown']);
    const calls = service.singleCalls;
    await clock.advance(24 * 3_600_000);
    assert.ok(service.singleCalls - calls <= 30, 'ever more seldom');
    service.set('g1', { status: 'succeeded', contentUrl: 'https://x.example/g1' });
    await clock.advance(2 * 3_600_000);
    assert.deepEqual(states(window), ['succeeded']);
  });

test('what nobody looked at for a day isn’t known to take that long, when one stays in a status nobody knows', async (t) => {
  const { clock, service, window } = await rendering(t, 6);
  window.library.dispose();
  service.outage = noResponse();
  await clock.advance(25 * 3_600_000);
  for (const id of ['g1', 'g2', 'g3', 'g4', 'g5']) service.set(id, { status: 'succeeded', textOutput: 'done' });
  service.outage = undefined;
  await clock.advance(3_600_000);
  service.set('g6', { status: 'processing' });
  await clock.advance(3_600_000);
  assert.deepEqual(states(window).sort(), [...Array.from({ length: 5 }, () => 'succeeded'), 'unknown']);
});

test('nothing is requested once nothing is active', async (t) => {
  const { clock, service } = await rendering(t, 1);
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(3_100);
  const calls = service.singleCalls + service.listCalls;
  await clock.advance(3_600_000);
  assert.equal(service.singleCalls + service.listCalls, calls);
});

test('no error stops the rounds', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  for (const outage of [
    noResponse(),
    new ServiceError('status', 'x', { status: 500 }),
    new ServiceError('unreadable', 'html'),
  ]) {
    service.outage = outage;
    await clock.advance(120_000);
  }
  service.outage = undefined;
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(120_000);
  assert.deepEqual(states(window), ['succeeded']);
});

test('rounds are further apart the longer a render takes', async (t) => {
  const { clock, service } = await rendering(t, 1);
  await clock.advance(60_000);
  const young = service.singleCalls;
  await clock.advance(20 * 60_000);
  const before = service.singleCalls;
  await clock.advance(60_000);
  assert.ok(service.singleCalls - before < young / 3, `${service.singleCalls - before} a minute after ${young}`);
});

test('two windows poll as often as one', async (t) => {
  const { clock, service, folder, window } = await rendering(t, 5);
  const other = await openWindow(t, folder, service, clock);
  other.poller.wake();
  await clock.advance(30_000);
  assert.ok(service.listCalls <= 20, `${service.listCalls} requests in 30 s`);
  assert.equal(states(window).length, 5);
});

test('an unknown status is shown as is, and polling continues', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.set('g1', { status: 'tuning the piano' });
  await clock.advance(3_100);
  assert.equal(window.library.entries[0]?.status, 'tuning the piano');
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(10_000);
  assert.deepEqual(states(window), ['succeeded']);
});

test('a failed render counts as refunded only when the service says so', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.set('g1', { status: 'failed', reason: 'no paint left' });
  await clock.advance(3_100);
  const [failed] = window.library.entries;
  assert.equal(failed?.state, 'failed');
  assert.deepEqual(failed.problem, { code: 'serviceSays', detail: 'no paint left' });
  assert.equal(window.library.spentSince(0), 4);
  service.set('g1', { status: 'refunded' });
  await clock.advance(10_000);
  assert.equal(window.library.entries[0]?.state, 'refunded');
  assert.equal(window.library.spentSince(0), 0);
});

test('a render the service denies is awaited for ten minutes, then unconfirmed, and resumed once the service has it', async (t) => {
  const { clock, service, folder, window } = await rendering(t, 1);
  const generation = service.generationsById.get('g1')!;
  service.generationsById.delete('g1');
  await clock.advance(9 * 60_000);
  assert.equal(window.library.entries[0]?.group, 'active');
  await clock.advance(6 * 60_000);
  assert.equal(window.library.entries[0].group, 'unknown');
  assert.equal(window.library.entries[0].problem?.code, 'gone');
  const before = service.singleCalls;
  await clock.advance(24 * 3_600_000);
  const looks = service.singleCalls - before;
  assert.ok(looks >= 20 && looks <= 30, `${looks} looks in a day`);
  window.crash();
  const later = await openWindow(t, folder, service, clock);
  await clock.advance(3_600_000);
  assert.equal(later.library.entries[0]?.group, 'unknown');
  service.generationsById.set('g1', { ...generation, status: 'succeeded', textOutput: 'done' });
  await clock.advance(2 * 3_600_000);
  const [found] = recordsOf(later.ledger);
  assert.deepEqual([found?.state, found?.problem], ['succeeded', undefined]);
});

test('a render that the service describes as another stays unconfirmed while its list states nothing to compare', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  const generations = service.generations.bind(service);
  service.generations = async () => {
    const { value } = await generations();
    const items = value.items.map((item) => ({ ...item, inputs: undefined, modelId: undefined }));
    return { value: { ...value, items } };
  };
  service.set('g1', { inputs: { prompt: 'a blue kite' } });
  await clock.advance(15 * 60_000);
  const [record] = recordsOf(window.ledger);
  assert.deepEqual([record?.state, record?.problem?.code], ['unknown', 'contradicted']);
  await window.recovery.compare();
  await clock.advance(3_600_000);
  assert.deepEqual(recordsOf(window.ledger)[0], record, 'it stands before the user, and stays there');
  service.set('g1', { inputs: { prompt: 'a red kite' } });
  await clock.advance(3_600_000);
  assert.deepEqual(states(window), ['accepted']);
});

/** Five renders that were in progress when the clock was set forward, and one more. */
async function renderingAfter(t: Parameters<typeof folderFor>[0], forwardMs: number) {
  const world = await rendering(t, 5);
  const { clock, service, window } = world;
  window.library.dispose();
  clock.set(clock.now() + forwardMs);
  await clock.advance(3_100);
  for (const { id } of service.charges) service.set(id, { status: 'succeeded', textOutput: 'done' });
  await clock.advance(60_000);
  await ordered(window, order());
  await clock.advance(60_000);
  assert.deepEqual(states(window), ['accepted', ...Array.from({ length: 5 }, () => 'succeeded')]);
  return world;
}

test('renders are looked at every minute, though a clock was set forward by hours while others were made', async (t) => {
  const { clock, service, window } = await renderingAfter(t, 20 * 3_600_000);
  service.set('g6', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(61_000);
  assert.equal(recordsOf(window.ledger)[0]?.state, 'succeeded');
});

test('an unknown status is asked about after a day, though a clock was set forward by years while others were made', async (t) => {
  const { clock, service, window } = await renderingAfter(t, 4 * 365 * 24 * 3_600_000);
  service.set('g6', { status: 'processing' });
  await clock.advance(25 * 3_600_000);
  assert.equal(recordsOf(window.ledger)[0]?.problem?.code, 'oddStatus');
});

test('a render that is accepted while another is polled once an hour is polled at the usual pace', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.generationsById.delete('g1');
  await clock.advance(5 * 3_600_000);
  await ordered(window, order());
  service.set('g2', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(3_100);
  assert.equal(recordsOf(window.ledger)[0]?.state, 'succeeded');
});

test('a render of a replaced key is read with the new key when the response matches', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  const other = otherKey(clock, service.generationsById);
  window.connected = { place, client: other };
  window.poller.wake();
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(3_100);
  const [record] = recordsOf(window.ledger);
  assert.deepEqual([record?.state, record?.account, record?.readBy], ['succeeded', 'account-1', 'account-2']);
});

test('another account’s render with the same ID isn’t mistaken for ours, and both are shown', async (t) => {
  const { clock, window } = await rendering(t, 1);
  const theirs = { id: 'g1', status: 'succeeded', modelId: 'a/b/c', inputs: { prompt: 'a blue kite' }, costCents: 900 };
  const other = otherKey(clock, new Map([['g1', theirs]]));
  window.connected = { place, client: other };
  await window.library.refresh();
  await clock.advance(60_000);
  const [record] = recordsOf(window.ledger);
  assert.deepEqual([record?.state, record?.costCents, record?.readBy], ['accepted', 4, undefined]);
  assert.deepEqual(
    window.library.entries.map(({ id, costCents }) => [id, costCents]),
    [
      [record?.key, 4],
      ['service:g1', 900],
    ],
  );
});

for (const status of [401, 403, 404]) {
  test(`a render that the service denies to another key with ${status} is looked at ever more seldom, and again at once with its own`, async (t) => {
    const { clock, service, window } = await rendering(t, 1);
    const other = otherKey(clock, new Map());
    other.generation = () => {
      other.singleCalls++;
      return Promise.reject(refused(status));
    };
    window.connected = { place, client: other };
    await clock.advance(20 * 60_000);
    assert.ok(other.singleCalls < 30, `${other.singleCalls} looks in 20 minutes`);
    assert.equal(window.library.entries[0]?.group, 'unknown');
    assert.equal(window.library.entries[0].problem?.code, 'otherAccount');
    window.connected = { place, client: service };
    window.poller.wake();
    service.set('g1', { status: 'succeeded', textOutput: 'done' });
    await clock.advance(3_600_000);
    assert.deepEqual(states(window), ['succeeded']);
  });
}

test('a refund of a failed render that was moved to the trash is recorded, also once it’s forgotten', async (t) => {
  const { clock, service, window } = await rendering(t, 2);
  for (const id of ['g1', 'g2']) service.set(id, { status: 'failed' });
  await clock.advance(10_000);
  const [one, other] = recordsOf(window.ledger);
  for (const { key } of [one!, other!]) hide(window.ledger, key);
  await forget(window.ledger, systemClock, [other!.key], () => Promise.resolve());
  assert.deepEqual(window.library.entries, []);
  assert.equal(window.library.spentSince(0), 8);
  for (const id of ['g1', 'g2']) service.set(id, { status: 'refunded' });
  await clock.advance(3_600_000);
  assert.deepEqual(states(window), ['refunded', 'refunded']);
  assert.equal(window.library.spentSince(0), 0);
  assert.deepEqual(window.library.entries, []);
});

test('a failed render that was deleted from the service isn’t requested again', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.set('g1', { status: 'failed' });
  await clock.advance(10_000);
  window.ledger.advance(recordsOf(window.ledger)[0]!.key, () => ({ deleted: true }));
  const before = service.singleCalls;
  await clock.advance(24 * 3_600_000);
  assert.equal(service.singleCalls, before);
});

test('a refund that the service states hours later is noticed, with few polls', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  service.set('g1', { status: 'failed' });
  await clock.advance(5 * 3_600_000);
  assert.deepEqual(states(window), ['failed']);
  assert.ok(service.singleCalls < 100, `${service.singleCalls} looks`);
  service.set('g1', { status: 'refunded' });
  await clock.advance(3_600_000);
  assert.deepEqual(states(window), ['refunded']);
  const before = service.singleCalls;
  await clock.advance(24 * 3_600_000);
  assert.equal(service.singleCalls, before, 'what is refunded is not asked for again');
});

const place = 'https://models.example';

/** The same service with another API key, and that key's renders. */
function otherKey(clock: TestClock, generationsById: TestService['generationsById']): TestService {
  return Object.assign(new TestService(clock), { account: 'account-2', generationsById });
}

test('a render that can’t be requested doesn’t block the others', async (t) => {
  const { clock, service, window } = await rendering(t, 6);
  service.listedIds = () => false;
  const generation = service.generation.bind(service);
  service.generation = (id) => (id === 'g6' ? generation(id) : Promise.reject(refused(500)));
  service.set('g6', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(10_000);
  assert.equal(window.ledger.inStates('succeeded')[0]?.generationId, 'g6');
});

test('if the service’s list is unusable, each render is requested individually', async (t) => {
  const { clock, service, window } = await rendering(t, 3);
  service.generations = () => Promise.reject(new ServiceError('unreadable', 'a list of a kind nobody knows'));
  for (const id of ['g1', 'g2', 'g3']) service.set(id, { status: 'succeeded', textOutput: 'done' });
  await clock.advance(10_000);
  assert.deepEqual(states(window), ['succeeded', 'succeeded', 'succeeded']);
});

test('a web page that contains "not found" isn’t the service’s response about a render', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  const generation = service.generation.bind(service);
  service.generation = () => Promise.reject(refused(404, true));
  await clock.advance(10 * 60_000);
  assert.equal(window.library.entries[0]?.group, 'active');
  service.generation = generation;
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(10 * 60_000);
  assert.deepEqual(states(window), ['succeeded']);
});

test('a ledger that can’t be read for a moment doesn’t stop the rounds', async (t) => {
  const { clock, service, window } = await rendering(t, 1);
  const inStates = window.ledger.inStates.bind(window.ledger);
  window.ledger.inStates = () => {
    throw new Error('database is locked');
  };
  await clock.advance(10_000);
  window.ledger.inStates = inStates;
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(120_000);
  assert.deepEqual(states(window), ['succeeded']);
});

function refused(status: number, html = false): ServiceError {
  return new ServiceError('status', `Status ${status}`, { status, html });
}

test('a closed window’s render is followed by a window that stays open and idle', async (t) => {
  const { clock, service, folder, window } = await rendering(t, 0);
  const other = await openWindow(t, folder, service, clock);
  await ordered(other, order());
  await clock.advance(5_000);
  other.crash();
  service.set('g1', { status: 'succeeded', textOutput: 'done' });
  await clock.advance(60_000);
  assert.deepEqual(states(window), ['succeeded']);
});

test('two windows together poll as often as one, and each end is reported once, in the window that started it', async (t) => {
  const { clock, service, folder, window } = await rendering(t, 2);
  const other = await openWindow(t, folder, service, clock);
  await ordered(other, order());
  const told: string[] = [];
  window.library.onDidEnd(({ id }) => told.push(`first window: ${id}`));
  other.library.onDidEnd(({ id }) => told.push(`second window: ${id}`));
  await clock.advance(10_000);
  const before = service.listCalls;
  await clock.advance(30_000);
  assert.ok(service.listCalls - before <= 11, `${service.listCalls - before} requests in 30 s`);
  const [last, ...first] = recordsOf(window.ledger).map(({ key }) => key);
  for (const id of ['g1', 'g2', 'g3']) service.set(id, { status: 'refunded' });
  await clock.advance(10_000);
  assert.deepEqual(told.sort(), [...first.map((key) => `first window: ${key}`), `second window: ${last}`].sort());
});
