import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../../src/sandbox/server';
import { TestClock } from '../clock';
import { balance, call, failing, haiku, newFolder, open, sprite, start, strata, until } from './service';

test('twenty identical simultaneous requests with one Idempotency-Key charge once and return one render', async (t) => {
  const sandbox = await open(t);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => start(sandbox, sprite, { prompt: 'a', size: 'small' }, 'key-1')),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(replies.map(({ json }) => json.id)).size, 1);
  assert.equal(sandbox.balance(), 2499);
});

test('a repeated request gets the first response again, even after the render has ended or was deleted', async (t) => {
  const sandbox = await open(t);
  const first = await start(sandbox, haiku, { prompt: 'a' }, 'key-1');
  await until(sandbox, first.json.id, 'succeeded');
  assert.deepEqual((await start(sandbox, haiku, { prompt: 'a' }, 'key-1')).json, first.json);
  await call(sandbox, 'DELETE', `/generations/${String(first.json.id)}`);
  assert.deepEqual((await start(sandbox, haiku, { prompt: 'a' }, 'key-1')).json, first.json);
  assert.equal(sandbox.balance(), 2499);
});

test('an Idempotency-Key used for another request is 422 and charges nothing', async (t) => {
  const sandbox = await open(t);
  await start(sandbox, haiku, { prompt: 'a' }, 'key-1');
  assert.equal((await start(sandbox, haiku, { prompt: 'b' }, 'key-1')).status, 422);
  assert.equal((await start(sandbox, strata, { prompt: 'a' }, 'key-1')).status, 422);
  assert.equal(sandbox.balance(), 2499);
});

test('an invalid Idempotency-Key is a 400 and charges nothing', async (t) => {
  const sandbox = await open(t);
  for (const key of ['', 'a b', 'x'.repeat(256)])
    assert.equal((await start(sandbox, haiku, { prompt: 'a' }, key)).status, 400);
  assert.equal(sandbox.balance(), 2500);
});

test('without an Idempotency-Key each request is a separate render', async (t) => {
  const sandbox = await open(t);
  const [one, two] = await Promise.all([
    start(sandbox, haiku, { prompt: 'a' }),
    start(sandbox, haiku, { prompt: 'a' }),
  ]);
  assert.notEqual(one.json.id, two.json.id);
  assert.equal(sandbox.balance(), 2498);
});

test('a rejected request leaves its Idempotency-Key free for the same request later', async (t) => {
  const sandbox = await open(t, { balanceCents: 0 });
  assert.equal((await start(sandbox, haiku, { prompt: 'a' }, 'key-1')).status, 402);
  sandbox.addMoney(1);
  assert.equal((await start(sandbox, haiku, { prompt: 'a' }, 'key-1')).status, 200);
  assert.equal(sandbox.balance(), 0);
});

test('the last cents are spent once, however many requests compete for them', async (t) => {
  const folder = newFolder(t);
  const [one, two] = [await open(t, { folder, balanceCents: 5 }), await open(t, { folder })];
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, i) => start(i % 2 === 0 ? one : two, haiku, { prompt: `n ${i}` })),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  assert.equal(replies.filter(({ status }) => status === 402).length, 11);
  assert.equal(await balance(two), 0);
});

test('refunds don’t count toward the daily cap', async (t) => {
  const clock = new TestClock();
  const sandbox = await open(t, { clock, latencyMs: 100, dailyCapCents: 3 });
  const { json } = await start(sandbox, failing, { prompt: 'a' });
  assert.equal((await start(sandbox, failing, { prompt: 'a' })).status, 409);
  await clock.advance(100);
  await until(sandbox, json.id, 'failed');
  await clock.advance(100);
  await until(sandbox, json.id, 'refunded');
  assert.equal((await start(sandbox, failing, { prompt: 'a' })).status, 200);
});

test('the key, balance, renders, and files survive a restart', async (t) => {
  const folder = newFolder(t);
  const before = await startSandbox({ folder, latencyMs: 0, balanceCents: 700 });
  const { json } = await start(before, sprite, { prompt: 'a', size: 'small' });
  await until(before, json.id, 'succeeded');
  const content = `/generations/${String(json.id)}/content`;
  const file = (await call(before, 'GET', content)).bytes;
  await before.close();
  const after = await open(t, { folder, balanceCents: 9999 });
  assert.equal(after.key, before.key);
  assert.equal(await balance(after), 699);
  assert.deepEqual((await call(after, 'GET', content)).bytes, file);
});

test('a render that was queued when a sandbox ended is finished by the next one, for the same charge', async (t) => {
  const folder = newFolder(t);
  const before = await startSandbox({ folder, latencyMs: 3_600_000, clock: new TestClock() });
  const { json } = await start(before, haiku, { prompt: 'a' }, 'key-1');
  await before.close();
  const after = await open(t, { folder });
  await until(after, json.id, 'succeeded');
  assert.deepEqual((await start(after, haiku, { prompt: 'a' }, 'key-1')).json, json);
  assert.equal(await balance(after), 2499);
});

test('a failed render whose sandbox ended before the refund is refunded by the next one, once', async (t) => {
  const folder = newFolder(t);
  const clock = new TestClock();
  const before = await startSandbox({ folder, latencyMs: 1000, clock });
  const { json } = await start(before, failing, { prompt: 'a' });
  await clock.advance(1000);
  await until(before, json.id, 'failed');
  await before.close();
  const [one, two] = [await open(t, { folder }), await open(t, { folder })];
  await Promise.all([until(one, json.id, 'refunded'), until(two, json.id, 'refunded')]);
  assert.equal(await balance(one), 2500);
});

test('a render left by another sandbox is finished by a running one', async (t) => {
  const folder = newFolder(t);
  const staying = await open(t, { folder });
  const leaving = await startSandbox({ folder, latencyMs: 60_000, clock: new TestClock() });
  const { json } = await start(leaving, haiku, { prompt: 'a' });
  await leaving.close();
  await until(staying, json.id, 'succeeded');
});

test('two sandboxes for one account start together, share the key, and finish each render once', async (t) => {
  const folder = newFolder(t);
  const [one, two] = await Promise.all([open(t, { folder }), open(t, { folder })]);
  assert.equal(one.key, two.key);
  const { json } = await start(one, sprite, { prompt: 'a', size: 'small' });
  const [here, there] = await Promise.all([until(one, json.id, 'succeeded'), until(two, json.id, 'succeeded')]);
  assert.equal(here.finishedAt, there.finishedAt);
  assert.equal(await balance(two), 2499);
});

test('prices rise with size, count, and length, and never fall below one cent', async (t) => {
  const sandbox = await open(t);
  const price = async (modelId: string, inputs: object) =>
    Number((await call(sandbox, 'POST', '/quote', { body: { modelId, inputs } })).json.costCents);
  const risesWith = async (modelId: string, orders: object[]) => {
    const prices = await Promise.all(orders.map((inputs) => price(modelId, inputs)));
    assert.deepEqual(
      prices,
      [...prices].sort((a, b) => a - b),
      modelId,
    );
    assert.ok(prices[0]! >= 1 && prices[0]! < prices.at(-1)!, `${modelId}: ${prices.join(', ')}`);
  };
  await risesWith(
    strata,
    ['small', 'medium', 'large'].map((size) => ({ prompt: 'a', size })),
  );
  await risesWith(
    'kiln-and-field/poster/signal-1-atelier',
    [1, 2, 3, 4, 5].map((proofs) => ({ prompt: 'a', proofs })),
  );
  await risesWith(
    'isoworks/blocks/township-2',
    [8, 18, 24, 30].map((grid) => ({ prompt: 'a', grid })),
  );
  await risesWith(
    'quill-house/digest/summary-2',
    [10, 2000, 8000, 20_000].map((length) => ({ text: 'x'.repeat(length) })),
  );
  assert.ok((await price('kiln-and-field/poster/signal-1-atelier', { prompt: 'a' })) > 500);
});
