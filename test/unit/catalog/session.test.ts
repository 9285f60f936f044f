import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { CatalogClient } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { type Place, Session } from '../../../src/catalog/session';
import type { Incoming, Outgoing, Transport } from '../../../src/catalog/transport';
import type { ModelKind } from '../../../src/catalog/fields';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';
import { evenChance, failureOf, testKey } from './service';

const place: Place = { base: 'https://models.example', sandbox: false };

type Answering = (status: number, json?: unknown, headers?: Incoming['headers']) => Promise<void>;

/** A transport whose other end is the test. */
class Desk implements Transport {
  readonly asked: (Outgoing & { answer: Answering; lose(): Promise<void> })[] = [];

  send(outgoing: Outgoing): Promise<Incoming> {
    const { promise, resolve, reject } = deferred<Incoming>();
    this.asked.push({
      ...outgoing,
      answer: (status, json = {}, headers = {}) => {
        const text = Buffer.from(JSON.stringify(json));
        resolve({ status, headers, body: Readable.from([text]), received: () => text.length });
        return quiet();
      },
      lose: () => {
        reject(new ServiceError('noAnswer', 'lost'));
        return quiet();
      },
    });
    return promise;
  }

  get last() {
    return this.asked.at(-1)!;
  }
}

/** Streams take a few turns to end. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await settled();
}

function room() {
  const clock = new TestClock(1000);
  const session = new Session(clock, (error) => `worded ${error.kind}`);
  const seen: string[] = [];
  session.onDidChange(({ status }) => seen.push(status));
  const client = (desk: Desk) =>
    new CatalogClient({
      base: place.base,
      key: testKey,
      account: 'a',
      transport: desk,
      clock,
      random: evenChance,
      log: silentLog,
    });
  return { clock, session, seen, client, desk: new Desk() };
}

test('without a key nothing is requested, and the state says why', async () => {
  const { session } = room();
  const stateAfter = (...setup: Parameters<Session['connect']>) => {
    session.connect(...setup);
    const { status, place: there, problem } = session.state;
    return { status, place: there, problem };
  };
  assert.deepEqual(stateAfter(place, undefined), { status: 'noKey', place, problem: undefined });
  const locked = 'the keyring is locked';
  assert.deepEqual(stateAfter(place, undefined, locked), { status: 'unusable', place, problem: locked });
  assert.equal(stateAfter(undefined, undefined, 'no address').status, 'unusable');
  await session.refreshBalance();
  assert.equal((await failureOf(session.models())).kind, 'notAllowed');
});

test('the first balance connects', async () => {
  const { session, client, desk, clock } = room();
  session.connect(place, client(desk));
  assert.equal(session.state.status, 'starting');
  const asking = session.refreshBalance();
  await settled();
  clock.set(5000);
  await desk.last.answer(200, { balanceCents: 900 });
  await asking;
  const balance = { cents: 900, at: 5000, askedAt: 1000 };
  assert.deepEqual(session.state, { status: 'connected', place, balance, quietUntil: undefined });
});

test('a request for the balance during another one leads to exactly one more', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  const first = session.refreshBalance();
  await settled();
  const later = Promise.all([session.refreshBalance(), session.refreshBalance(), session.refreshBalance()]);
  await settled();
  assert.equal(desk.asked.length, 1);
  await desk.last.answer(200, { balanceCents: 900 });
  await first;
  assert.equal(desk.asked.length, 2);
  await desk.last.answer(200, { balanceCents: 896 });
  await later;
  assert.equal(session.state.balance?.cents, 896);
  assert.equal(desk.asked.length, 2);
});

test('concurrent requests are one', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  const all = Promise.all([session.refreshBalance(), session.refreshBalance()]);
  await settled();
  await desk.last.answer(200, { balanceCents: 900 });
  await all;
  assert.deepEqual([desk.asked.length, session.state.balance?.cents], [1, 900]);
});

test('401 to GET /me rejects the key, with a message; a late success doesn’t undo that, a fresh balance does', async () => {
  const { session, client, desk } = room();
  const catalog = client(desk);
  session.connect(place, catalog);
  const early = catalog.generations();
  await settled();
  const polling = failureOf(catalog.generation('g1'));
  await settled();
  await desk.last.answer(401);
  await polling;
  await quiet();
  assert.equal(session.state.status, 'starting');
  await desk.last.answer(401);
  assert.equal(desk.asked.length, 3);
  assert.deepEqual([session.state.status, session.state.problem], ['keyRefused', 'worded keyRefused']);
  await desk.asked[0]!.answer(200, []);
  await early;
  assert.equal(session.state.status, 'keyRefused');
  const again = session.refreshBalance();
  await settled();
  await desk.last.answer(200, { balanceCents: 1 });
  await again;
  assert.deepEqual([session.state.status, session.state.problem], ['connected', undefined]);
});

for (const [what, ask] of [
  ['a result file', (catalog: CatalogClient) => catalog.content('g1')],
  ['one render', (catalog: CatalogClient) => catalog.generation('g1')],
] as const) {
  test(`401 for ${what} alone pauses nothing: the key is checked, once`, async () => {
    const { session, client, desk, seen } = room();
    const catalog = client(desk);
    session.connect(place, catalog);
    const asking = session.refreshBalance();
    await settled();
    await desk.last.answer(200, { balanceCents: 900 });
    await asking;
    const calls = [failureOf(ask(catalog)), failureOf(ask(catalog))];
    await settled();
    for (const question of desk.asked.slice(1)) await question.answer(401);
    await Promise.all(calls);
    await quiet();
    assert.equal(desk.asked.length, 4);
    assert.match(desk.last.url.pathname, /\/me$/);
    await desk.last.answer(200, { balanceCents: 896 });
    assert.deepEqual([session.state.status, session.state.balance?.cents], ['connected', 896]);
    assert.ok(!seen.includes('keyRefused'));
    assert.equal(desk.asked.length, 4);
  });
}

test('no response means offline, the last known balance stays, and the next success reconnects', async () => {
  const { session, client, desk, seen } = room();
  const catalog = client(desk);
  session.connect(place, catalog);
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(200, { balanceCents: 900 });
  await asking;
  const lost = failureOf(catalog.delete('g1'));
  await settled();
  await desk.last.lose();
  await lost;
  assert.deepEqual([session.state.status, session.state.balance?.cents], ['offline', 900]);
  const back = catalog.generations();
  await settled();
  await desk.last.answer(200, []);
  await back;
  assert.deepEqual([session.state.status, session.state.balance?.cents], ['connected', 900]);
  assert.deepEqual(seen.slice(-3), ['connected', 'offline', 'connected']);
});

test('a service with an outage is still connected', async () => {
  const { session, client, desk } = room();
  const catalog = client(desk);
  session.connect(place, catalog);
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(200, { balanceCents: 900 });
  await asking;
  for (const status of [400, 402, 409, 404, 500, 429]) {
    const call = failureOf(catalog.delete('g1'));
    await settled();
    await desk.last.answer(status);
    await call;
  }
  assert.equal(session.state.status, 'connected');
});

test('a service that names a limit of the key first is connected, with that problem and without a balance', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(409, { code: 'API_KEY_DAILY_CAP' });
  await asking;
  const { status, problem, balance } = session.state;
  assert.deepEqual([status, problem, balance], ['connected', 'worded dailyCap', undefined]);
  const again = session.refreshBalance();
  await settled();
  await desk.last.answer(200, { balanceCents: 900 });
  await again;
  assert.deepEqual([session.state.problem, session.state.balance?.cents], [undefined, 900]);
});

test('a balance that the service withheld is requested again once its pause is over', async () => {
  const { session, client, desk, clock, seen } = room();
  session.connect(place, client(desk));
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(429, {}, { 'retry-after': '90' });
  await asking;
  assert.equal(session.state.status, 'connected');
  await clock.advance(90_000);
  assert.equal(desk.asked.length, 2);
  await desk.last.answer(200, { balanceCents: 900 });
  assert.equal(session.state.balance?.cents, 900);
  assert.ok(!seen.includes('offline'));
});

test('a request that isn’t sent during a pause doesn’t count as a response', async () => {
  const { session, client, desk } = room();
  const catalog = client(desk);
  session.connect(place, catalog);
  const calls = [failureOf(catalog.delete('g1')), failureOf(catalog.delete('g2'))];
  await settled();
  await desk.asked[0]!.answer(429, {}, { 'retry-after': '90' });
  await desk.asked[1]!.lose();
  await Promise.all(calls);
  assert.equal(session.state.status, 'offline');
  await session.refreshBalance();
  assert.deepEqual([session.state.status, desk.asked.length], ['offline', 2]);
});

test('something else at that URL isn’t connected to', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(404);
  await asking;
  assert.deepEqual([session.state.status, session.state.problem], ['offline', 'worded status']);
});

test('late responses of an earlier client have no effect', async () => {
  const { session, client, desk } = room();
  const newer = new Desk();
  session.connect(place, client(desk));
  const old = session.refreshBalance();
  await settled();
  const models = failureOf(session.models());
  await settled();
  session.connect(place, client(newer));
  await desk.asked[0]!.answer(401);
  await desk.asked[1]!.answer(200, [{ id: 'old/old/old' }]);
  await old;
  assert.equal((await models).kind, 'cancelled');
  assert.equal(session.state.status, 'starting');
  const listing = session.models();
  await settled();
  await newer.last.answer(200, [{ id: 'new/new/new' }]);
  assert.equal((await listing).items[0]?.id, 'new/new/new');
});

test('a model’s learned kind is filled in immediately if the service doesn’t quote one', async () => {
  const learned = new Emitter<void>();
  const known = new Map<string, ModelKind>([['c/c/c', 'text']]);
  const kinds = { onDidChange: learned.event, of: (_: Place, modelId: string) => known.get(modelId) };
  const { client, desk, clock } = room();
  const session = new Session(clock, String, kinds);
  session.connect(place, client(desk));
  const [listing, detail] = [session.models(), session.model('a/a/a')];
  await settled();
  const rows = [{ id: 'a/a/a' }, { id: 'b/b/b', kind: 'image' }, { id: 'c/c/c' }];
  await desk.asked[0]!.answer(200, rows);
  await desk.asked[1]!.answer(200, { fields: [] });
  const kindsOf = async () => (await session.models()).items.map(({ kind }) => kind);
  assert.deepEqual(await kindsOf(), [undefined, 'image', 'text']);
  assert.equal((await detail).kind, undefined);
  assert.equal(await session.models(), await listing);
  let told = 0;
  session.onDidChangeModels(() => (told += 1));
  known.set('a/a/a', 'image').set('b/b/b', 'text');
  learned.fire();
  assert.deepEqual(await kindsOf(), ['image', 'image', 'text']);
  assert.equal((await session.model('a/a/a')).kind, 'image');
  assert.deepEqual([told, desk.asked.length], [1, 2]);
});

test('models are requested once, until they’re refreshed', async () => {
  const { session, client, desk } = room();
  let changes = 0;
  session.connect(place, client(desk));
  session.onDidChangeModels(() => (changes += 1));
  const both = [session.models(), session.models()];
  await settled();
  await desk.last.answer(200, [{ id: 'a/b/c' }]);
  await Promise.all(both);
  await session.models();
  const detail = [session.model('a/b/c'), session.model('a/b/c')];
  await settled();
  await desk.last.answer(200, { fields: [] });
  await Promise.all(detail);
  assert.equal(desk.asked.length, 2);
  session.refreshModels();
  assert.equal(changes, 1);
  void session.models();
  void session.model('a/b/c');
  await settled();
  assert.equal(desk.asked.length, 4);
});

test('a failure to read models isn’t remembered', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  const [list, detail] = [failureOf(session.models()), failureOf(session.model('a/b/c'))];
  await settled();
  for (const question of desk.asked) await question.answer(404);
  await Promise.all([list, detail]);
  const again = [session.models(), session.model('a/b/c')];
  await settled();
  await desk.asked[2]!.answer(200, []);
  await desk.asked[3]!.answer(200, { fields: [] });
  await Promise.all(again);
  assert.equal(desk.asked.length, 4);
});

test('everybody is told until when the service asks for a pause, and when that is over', async () => {
  const { session, client, desk, clock } = room();
  session.connect(place, client(desk));
  const asking = session.refreshBalance();
  await settled();
  await desk.last.answer(429);
  const { quietUntil } = session.state;
  assert.ok(quietUntil !== undefined && quietUntil >= clock.now() + 3000, String(quietUntil));
  const told: (number | undefined)[] = [];
  session.onDidChange((state) => told.push(state.quietUntil));
  await clock.advance(quietUntil - clock.now());
  await desk.last.answer(200, { balanceCents: 900 });
  await asking;
  assert.equal(session.state.quietUntil, undefined);
  assert.equal(session.state.status, 'connected');
  assert.ok(told.includes(undefined));
});

test('a pause belongs to the client that was asked for it; another connection has none', async () => {
  const { session, client, desk } = room();
  session.connect(place, client(desk));
  void session.refreshBalance();
  await settled();
  await desk.last.answer(429);
  assert.notEqual(session.state.quietUntil, undefined);
  session.connect(place, client(new Desk()));
  assert.equal(session.state.quietUntil, undefined);
});
