import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Answer } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import type { Generation } from '../../../src/catalog/fields';
import type { Ledger } from '../../../src/renders/ledger';
import { LedgerError } from '../../../src/renders/ledgerError';
import { severalIds } from '../../../src/renders/library';
import { leaseMs } from '../../../src/renders/windowLease';
import { TestClock, settled } from '../clock';
import { TestService, noResponse } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const refusals = [
  new ServiceError('invalidInput', 'bad', { status: 400, fields: [{ field: 'prompt', message: 'too short' }] }),
  new ServiceError('keyRefused', 'no', { status: 401 }),
  new ServiceError('balanceTooLow', 'poor', { status: 402 }),
  new ServiceError('dailyCap', 'cap', { status: 409, code: 'API_KEY_DAILY_CAP' }),
];

async function world(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  return { clock, service, window: await openWindow(t, folderFor(t), service, clock) };
}

test('a render is on disk, exactly as sent, before its bytes leave', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  const seen: unknown[] = [];
  service.beforeLeaving = () => {
    const other = new DatabaseSync(join(folder, 'ledger.db'));
    seen.push({ ...other.prepare('SELECT key, state, attempt FROM renders').get() });
    other.close();
  };
  await ordered(window, order({ intent: 'the-key' }));
  assert.deepEqual(seen, [{ key: 'the-key', state: 'sent', attempt: 1 }]);
});

test('an accepted render has its generation and the service’s charge', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const record = await ordered(window, order());
  assert.equal(record.state, 'accepted');
  assert.equal(record.generationId, 'g1');
  assert.equal(record.costCents, 4);
});

test('after a lost response, the same bytes are sent again with the same key, and charged once', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostBefore', 'lostAfter', new ServiceError('status', 'bad gateway', { status: 502 }), 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
  assert.equal(service.posts.length, 4);
  assert.equal(new Set(service.posts.map(({ key, body }) => key + body)).size, 1);
  assert.equal(service.charges.length, 1);
});

for (const refusal of refusals) {
  test(`${refusal.kind} to the first attempt ends the order with nothing charged`, async (t) => {
    const clock = new TestClock();
    const service = new TestService(clock);
    service.fates = [refusal];
    const window = await openWindow(t, folderFor(t), service, clock);
    const record = await ordered(window, order());
    assert.equal(record.state, 'refused');
    assert.equal(record.problem?.code, refusal.kind);
    assert.deepEqual(record.problem.fields ?? [], refusal.fields);
  });

  test(`${refusal.kind} after an unanswered attempt is not taken for "nothing charged"`, async (t) => {
    const clock = new TestClock();
    const service = new TestService(clock);
    service.fates = ['lostAfter', refusal, 'charged'];
    const window = await openWindow(t, folderFor(t), service, clock);
    const done = ordered(window, order());
    await clock.advance(60_000);
    assert.equal((await done).state, 'accepted');
    assert.equal(service.charges.length, 1);
  });
}

test('a render without a response for ten minutes by the service’s clock is unconfirmed and never sent again', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostAfter'];
  const window = await openWindow(t, folderFor(t), service, clock);
  service.listedIds = () => false;
  const begin = clock.now();
  const done = ordered(window, order());
  await settled();
  service.offline = true;
  await clock.advance(11 * 60_000);
  const record = await done;
  assert.equal(record.state, 'unknown');
  assert.ok(clock.now() - begin >= 10 * 60_000);
  const posts = service.posts.length;
  await window.recovery.run();
  await clock.advance(60 * 60_000);
  assert.equal(service.posts.length, posts);
});

test('a machine whose clock was set forward keeps repeating by the service’s clock', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostBefore', 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await settled();
  clock.set(clock.now() + 3_600_000);
  service.clockAhead = -3_600_000;
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
});

test('a machine whose clock was set back doesn’t repeat past the service’s ten minutes', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostAfter', 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await settled();
  clock.set(clock.now() - 60_000);
  service.clockAhead = 12 * 60_000;
  await clock.advance(60_000);
  assert.equal((await done).state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('the first attempt waits for the service’s time, which its ten minutes are measured by', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.forgetTime();
  service.outage = noResponse();
  const window = await openWindow(t, folderFor(t), service, clock);
  const ended: unknown[] = [];
  window.library.onDidEnd(({ state, problem }) => ended.push([state, problem?.code]));
  const { key } = await ordered(window, order());
  assert.deepEqual(ended, [['planned', 'noAnswer']]);
  assert.equal(service.posts.length, 0);
  service.outage = undefined;
  const record = await window.renderer.send(key);
  assert.equal(record.state, 'accepted');
  assert.notEqual(record.firstSentServiceTime, undefined);
});

test('a machine that sleeps between the record of an attempt and its bytes asks the service for the time before it repeats', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostAfter', 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  service.listedIds = () => false;
  const done = ordered(window, order());
  await settled();
  // The client's clocks disagree after a sleep. The service's time is unknown until the service states it, 20 minutes
  // later.
  service.beforeLeaving = () => {
    service.forgetTime();
    service.clockAhead = 20 * 60_000;
    service.beforeLeaving = () => {};
  };
  await clock.advance(60_000);
  assert.equal((await done).state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('a repeat that is delayed past the ten minutes between its record and its bytes isn’t sent', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = ['lostAfter', 'charged'];
  service.listedIds = () => false;
  const done = ordered(window, order());
  await settled();
  // The window pauses and resumes; both clocks and the service agree on how long that was.
  service.beforeLeaving = () => clock.set(clock.now() + 11 * 60_000);
  await clock.advance(60_000);
  assert.equal((await done).state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('a machine that was paused with all its clocks asks the service for the time, and doesn’t repeat 30 hours later', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = ['lostAfter', 'charged'];
  service.listedIds = () => false;
  const done = ordered(window, order());
  await settled();
  service.clockAhead = 30 * 3_600_000;
  await clock.advance(60_000);
  assert.equal((await done).state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('each repeat asks the service for the time once, and a first attempt doesn’t', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = ['lostAfter', 'lostAfter', 'charged'];
  const done = ordered(window, order());
  await settled();
  assert.equal(service.timeCalls, 0);
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
  assert.deepEqual([service.posts.length, service.timeCalls], [3, 2]);
});

test('a repeat waits while the service’s time is unknown, and the render is unconfirmed after ten minutes', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = ['lostAfter', 'charged'];
  service.listedIds = () => false;
  const done = ordered(window, order());
  await settled();
  service.clockAhead = undefined;
  await clock.advance(11 * 60_000);
  assert.equal((await done).state, 'unknown');
  assert.equal(service.posts.length, 1);
});

test('if the service never states a time, the machine’s clocks decide how long to repeat', async (t) => {
  const { window, service, clock } = await world(t);
  service.forgetTime();
  service.clockAhead = undefined;
  service.fates = ['lostAfter', 'charged'];
  const done = ordered(window, order());
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
  assert.deepEqual([service.posts.length, service.charges.length], [2, 1]);
});

test('a render sent before the service’s time was known isn’t repeated once it’s known', async (t) => {
  const { window, service, clock } = await world(t);
  service.forgetTime();
  service.clockAhead = undefined;
  service.fates = ['lostAfter', 'charged'];
  service.listedIds = () => false;
  const done = ordered(window, order());
  await settled();
  // The machine was paused with its clocks.
  service.clockAhead = 27 * 3_600_000;
  await clock.advance(60_000);
  assert.deepEqual([(await done).state, service.posts.length], ['unknown', 1]);
});

test('a repeat waits while caches keep the service’s time, and the render is unconfirmed after ten minutes', async (t) => {
  const { window, service, clock } = await world(t);
  service.forgetTime();
  service.hearTime = () => Promise.resolve('kept');
  service.fates = ['lostAfter', 'charged'];
  service.listedIds = () => false;
  const done = ordered(window, order());
  await clock.advance(11 * 60_000);
  assert.deepEqual([(await done).state, service.posts.length], ['unknown', 1]);
});

test('a render without any response is sent six times at most, mostly early', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = Array.from({ length: 100 }, () => 'lostAfter' as const);
  service.listedIds = () => false;
  const done = ordered(window, order());
  await clock.advance(60_000);
  assert.equal(service.posts.length, 4);
  await clock.advance(10 * 60_000);
  assert.deepEqual([(await done).state, service.posts.length], ['unknown', 6]);
});

test('a service that keeps asking to slow down is tried six times, then the order waits for the user', async (t) => {
  const { window, service, clock } = await world(t);
  const slowDown = new ServiceError('tooManyRequests', 'slow down', { status: 429 });
  service.fates = Array.from({ length: 6 }, () => slowDown);
  const done = ordered(window, order());
  await clock.advance(10 * 60_000);
  const { key, state, problem } = await done;
  assert.deepEqual([state, problem?.code, service.posts.length], ['planned', 'tooManyRequests', 6]);
  assert.equal((await window.renderer.send(key)).state, 'accepted');
});

for (const status of [403, 404, 405, 410, 413, 415, 422]) {
  test(`a first ${status} isn’t sent again, and is reported as such`, async (t) => {
    const { window, service, clock } = await world(t);
    service.fates = [
      new ServiceError('status', `Status ${status}: no`, { status, code: 'NOPE', serviceMessage: 'Not today' }),
    ];
    const record = await ordered(window, order());
    assert.deepEqual([record.state, record.unanswered], ['unknown', 1]);
    assert.deepEqual(record.problem, { code: 'serviceSays', detail: `${status} NOPE Not today` });
    await clock.advance(20 * 60_000);
    assert.equal(service.posts.length, 1);
  });
}

for (const error of [
  new ServiceError('status', 'in progress', { status: 409, code: 'IN_PROGRESS' }),
  new ServiceError('status', 'timed out', { status: 408 }),
  new ServiceError('status', 'a web page', { status: 403, html: true }),
]) {
  test(`a ${error.status} (${error.message}) is repeated, as it may pass`, async (t) => {
    const { window, service, clock } = await world(t);
    service.fates = [error, 'charged'];
    const done = ordered(window, order());
    await clock.advance(10_000);
    assert.equal((await done).state, 'accepted');
  });
}

test('a 429 waits as long as the service asks, then sends the same key', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = [new ServiceError('tooManyRequests', 'slow down', { status: 429, retryAfterMs: 42_000 }), 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await clock.advance(41_000);
  assert.equal(service.posts.length, 1);
  await clock.advance(2_000);
  assert.equal((await done).state, 'accepted');
});

test('a service that asks to wait longer than ten minutes leaves the order to the user, unsent', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = [new ServiceError('tooManyRequests', 'slow down', { status: 429, retryAfterMs: 3_600_000 })];
  const window = await openWindow(t, folderFor(t), service, clock);
  const record = await ordered(window, order());
  assert.equal(record.state, 'planned');
  assert.equal(record.problem?.code, 'tooManyRequests');
  await clock.advance(3_600_000);
  assert.equal((await window.renderer.send(record.key)).state, 'accepted');
});

test('two calls with one intent are one render and one charge', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  const one = order();
  const [first, second] = await Promise.all([ordered(window, one), ordered(window, one)]);
  const third = await ordered(window, one);
  assert.deepEqual([first.key, second.key, third.key], [one.intent, one.intent, one.intent]);
  assert.equal(service.charges.length, 1);
  assert.equal(service.posts.length, 1);
});

test('an intent that another window records at the same moment is one render, and the order is accepted', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const one = await openWindow(t, folder, service, clock);
  const other = await openWindow(t, folder, service, clock);
  const same = order();
  const plan = other.ledger.plan.bind(other.ledger);
  other.ledger.plan = (...decided) => {
    one.renderer.order(same);
    return plan(...decided);
  };
  assert.equal(other.renderer.order(same).key, same.intent);
  assert.equal(other.ledger.trouble, undefined, 'nothing failed');
  assert.equal(other.library.ofRecord(same.intent)?.record?.owner, one.lease.id, 'it is shown at once');
  await settled();
  assert.equal(service.charges.length, 1);
  assert.equal(other.ledger.get(same.intent)?.state, 'accepted');
});

test('an intent that another window records at the same moment is accepted, even if the ledger can’t be read right after', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const one = await openWindow(t, folder, service, clock);
  const other = await openWindow(t, folder, service, clock);
  const same = order();
  const plan = other.ledger.plan.bind(other.ledger);
  other.ledger.plan = (...decided) => {
    one.renderer.order(same);
    other.ledger.get = () => {
      throw new Error('disk I/O error');
    };
    return plan(...decided);
  };
  assert.equal(other.renderer.order(same).key, same.intent);
  await settled();
  assert.equal(service.charges.length, 1);
  assert.equal(one.ledger.get(same.intent)?.state, 'accepted');
});

test('one intent in two windows is sent by one of them', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const first = await openWindow(t, folder, service, clock);
  const second = await openWindow(t, folder, service, clock);
  const one = order();
  await Promise.all([ordered(first, one), ordered(second, one)]);
  assert.equal(service.charges.length, 1);
  assert.equal(service.posts.length, 1);
});

test('a render of one account is never sent to another', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  assert.throws(() => window.renderer.order(order({ account: 'account-2' })), { code: 'otherAccount' });
  service.fates = ['lostAfter'];
  const done = ordered(window, order());
  await settled();
  const other = new TestService(clock);
  other.account = 'account-2';
  window.connected = { place: 'https://models.example', client: other };
  await clock.advance(30_000);
  assert.equal((await done).state, 'sent');
  assert.equal(other.posts.length, 0);
  assert.equal(service.posts.length, 1);
});

test('an account that changes between the record and the send stops the send, and nothing is sent', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.beforeLeaving = () => (window.connected = undefined);
  const record = await ordered(window, order());
  assert.equal(record.state, 'planned');
  assert.equal(record.unanswered, 0);
  assert.equal(service.posts.length, 0);
});

test('a body that was altered on disk isn’t sent', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  service.beforeLeaving = () => {
    const other = new DatabaseSync(join(folder, 'ledger.db'));
    other.prepare('UPDATE renders SET body = ?').run(new TextEncoder().encode('{"modelId":"x/y/dear"}'));
    other.close();
  };
  const record = await ordered(window, order());
  assert.equal(record.problem?.code, 'altered');
  assert.equal(service.posts.length, 0);
});

test('a window frozen between record and send doesn’t send once another has taken over', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const frozen = await openWindow(t, folder, service, clock);
  const other = await openWindow(t, folder, service, clock);
  let took: Promise<unknown> | undefined;
  service.beforeLeaving = () => {
    if (took) return;
    // The frozen window's lease has expired by now.
    clock.set(clock.now() + 60_000);
    took = other.recovery.run();
  };
  await ordered(frozen, order());
  await took;
  await settled();
  assert.equal(service.charges.length, 1);
  assert.equal(service.posts.length, 1);
});

test('two renders that the service returns for one key are both reported, and nothing is sent again', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const frozen = await openWindow(t, folder, service, clock);
  const other = await openWindow(t, folder, service, clock);
  let answer: (answer: Answer<Generation>) => void = () => {};
  const slow = Object.assign(Object.create(service) as TestService, {
    createGeneration: (_body: Uint8Array, _key: string, beforeSend: () => void) => {
      beforeSend();
      return new Promise<Answer<Generation>>((resolve) => (answer = resolve));
    },
  });
  frozen.connected = { place: 'https://models.example', client: slow };
  const told: (string | undefined)[] = [];
  for (const { library } of [frozen, other])
    library.onDidFindSeveral(({ record }) => told.push(record && severalIds(record)));
  const { key } = frozen.renderer.order(order());
  await settled();
  // Its lease has expired when the other window continues with the same key, which the service has forgotten.
  frozen.ledger.renew = () => {
    throw new Error('it is frozen');
  };
  await other.recovery.run();
  await clock.advance(leaseMs);
  assert.equal(other.ledger.get(key)?.generationId, 'g1');
  answer({ value: { id: 'g7', status: 'queued', costCents: 4 } });
  await clock.advance(5000);
  const record = frozen.ledger.get(key);
  assert.deepEqual([record?.state, record?.generationId, record?.otherIds], ['accepted', 'g1', ['g7']]);
  assert.deepEqual(told, ['g1, g7']);
  assert.equal(service.posts.length, 1);
});

test('one id returned for two orders belongs to the first, and is reported for both', async (t) => {
  const { window, service, clock } = await world(t);
  const first = await ordered(window, order());
  const createGeneration = service.createGeneration.bind(service);
  service.createGeneration = async (...args) => {
    await createGeneration(...args);
    return { value: service.generationsById.get('g1')! };
  };
  const second = await ordered(window, order());
  assert.deepEqual([second.state, second.problem], ['unknown', { code: 'sameId', detail: 'g1' }]);
  assert.equal(second.generationId, undefined);
  const { state, generationId, sharedWith } = window.ledger.get(first.key)!;
  assert.deepEqual([state, generationId, sharedWith], ['accepted', 'g1', [second.key]]);
  await clock.advance(20 * 60_000);
  assert.equal(service.posts.length, 2);
});

test('a response about another model or other inputs isn’t taken for this render, and its ID is kept', async (t) => {
  const { window, service, clock } = await world(t);
  const createGeneration = service.createGeneration.bind(service);
  const others = [
    { id: 'g8', status: 'queued', costCents: 900, modelId: 'x/y/z' },
    { id: 'g9', status: 'queued', costCents: 900, modelId: 'a/b/c', inputs: { prompt: 'a cat' } },
  ];
  service.createGeneration = async (...args) => {
    const answer = await createGeneration(...args);
    const other = others.shift();
    return other ? { value: other } : answer;
  };
  const told: (string | undefined)[] = [];
  window.library.onDidFindSeveral(({ record }) => told.push(record && severalIds(record)));
  const { key } = window.renderer.order(order());
  await settled();
  const first = window.ledger.get(key);
  assert.deepEqual([first?.state, first?.problem], ['sent', { code: 'contradicted', detail: 'g8' }]);
  await clock.advance(60_000);
  const { state, generationId, otherIds, costCents } = window.ledger.get(key)!;
  assert.deepEqual([state, generationId, otherIds, costCents], ['accepted', 'g1', ['g8', 'g9'], 4]);
  assert.deepEqual(told, ['g1, g8, g9']);
  assert.equal(service.charges.length, 1);
});

test('a render planned long ago is looked for in the service’s list before it’s sent, and the user decides', async (t) => {
  const { window, service, clock } = await world(t);
  service.beforeLeaving = () => (window.connected = undefined);
  const { key, modelId, inputs } = await ordered(window, order());
  window.connected = { place: 'https://models.example', client: service };
  service.beforeLeaving = () => {};
  await clock.advance(11 * 60_000);
  // Sent since, by a ledger that a backup has replaced.
  const since = { status: 'succeeded', costCents: 4, modelId, inputs, createdAt: clock.now() };
  service.generationsById.set('since', { id: 'since', ...since });
  service.generationsById.set('before', { id: 'before', ...since, createdAt: clock.now() - 3_600_000 });
  const found = await window.renderer.send(key);
  assert.deepEqual([found.state, found.problem], ['planned', { code: 'oneFound', detail: 'since' }]);
  service.outage = noResponse();
  assert.equal((await window.renderer.send(key, 'since')).state, 'planned', 'nobody can look');
  service.outage = undefined;
  service.generationsById.set('later', { id: 'later', ...since });
  assert.equal((await window.renderer.send(key, 'since')).problem?.detail, 'since, later', 'there is another one');
  assert.equal(service.posts.length, 0);
  assert.equal((await window.renderer.send(key, 'since, later')).state, 'accepted');
  assert.equal(service.posts.length, 1);
});

test('a render planned long ago isn’t sent if the list may have it, and only leaves an input out', async (t) => {
  const { window, service, clock } = await world(t);
  service.beforeLeaving = () => (window.connected = undefined);
  const inputs = { prompt: 'a red kite', image: 'x'.repeat(70_000) };
  const { key, modelId } = await ordered(window, order({ inputs }));
  window.connected = { place: 'https://models.example', client: service };
  service.beforeLeaving = () => {};
  await clock.advance(11 * 60_000);
  const listed = { status: 'succeeded', costCents: 4, modelId, createdAt: clock.now() };
  service.generationsById.set('since', { id: 'since', ...listed, inputs: { ...inputs, image: null } });
  service.generationsById.set('other', { id: 'other', ...listed, inputs: { prompt: 'a cat', image: null } });
  const found = await window.renderer.send(key);
  assert.deepEqual([found.state, found.problem], ['planned', { code: 'oneFound', detail: 'since' }]);
  assert.equal(service.posts.length, 0);
});

test('a planned render can be discarded; one that was sent can’t', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.beforeLeaving = () => (window.connected = undefined);
  const planned = await ordered(window, order());
  assert.equal(window.renderer.discard(planned.key), true);
  assert.equal(window.ledger.get(planned.key)?.state, 'discarded');
  window.connected = { place: 'https://models.example', client: service };
  service.beforeLeaving = () => {};
  service.fates = ['silentBefore'];
  const sent = order();
  void ordered(window, sent);
  await settled();
  assert.equal(window.renderer.discard(sent.intent), false);
  assert.equal(window.ledger.get(sent.intent)?.state, 'sent');
});

test('an unexpected failure while waiting for the response proves nothing', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = [noResponse(), 'charged'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await clock.advance(5_000);
  assert.equal((await done).state, 'accepted');
});

test('offline at the first attempt, the render isn’t sent and waits for the user', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.offline = true;
  const record = await ordered(window, order());
  assert.equal(record.state, 'planned');
  assert.equal(record.problem?.code, 'noAnswer');
  service.offline = false;
  assert.equal((await window.renderer.send(record.key)).state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a repeat that finds no connection is tried again, and charges once', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.fates = ['lostAfter'];
  const window = await openWindow(t, folderFor(t), service, clock);
  const done = ordered(window, order());
  await settled();
  service.offline = true;
  await clock.advance(60_000);
  assert.equal(service.posts.length, 1);
  service.offline = false;
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
  assert.equal(service.posts.length, 2);
  assert.equal(service.charges.length, 1);
});

/** Fills the disk, so that nothing can be recorded until the returned function is called. */
function fillDisk({ ledger }: { ledger: Ledger }): () => void {
  const change = ledger.change.bind(ledger);
  ledger.change = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  return () => (ledger.change = change);
}

test('a render accepted while the disk was full is recorded when there is space again', async (t) => {
  const { window, service, clock } = await world(t);
  let makeRoom = () => {};
  const createGeneration = service.createGeneration.bind(service);
  service.createGeneration = async (...args) => {
    const answer = await createGeneration(...args);
    makeRoom = fillDisk(window);
    return answer;
  };
  const { key } = window.renderer.order(order());
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.state, 'sent');
  makeRoom();
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.generationId, 'g1');
  assert.equal(service.posts.length, 1);
});

test('a sent render continues after a full disk, and is charged once', async (t) => {
  const { window, service, clock } = await world(t);
  service.fates = ['lostAfter'];
  const { key } = window.renderer.order(order());
  await clock.advance(0);
  const makeRoom = fillDisk(window);
  await clock.advance(60_000);
  makeRoom();
  await clock.advance(60_000);
  assert.equal(window.ledger.get(key)?.state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a failing listener doesn’t affect what was recorded and sent', async (t) => {
  const { window, service } = await world(t);
  window.ledger.onDidChange(() => {
    throw new Error('a view is broken');
  });
  const record = await ordered(window, order());
  assert.equal(record.state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a lease that can’t be released doesn’t hide how the work ended', async (t) => {
  const { window } = await world(t);
  window.ledger.release = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  assert.equal((await ordered(window, order())).state, 'accepted');
});
