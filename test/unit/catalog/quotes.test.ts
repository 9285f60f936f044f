import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskOptions } from '../../../src/catalog/client';
import { Quotes } from '../../../src/catalog/quotes';
import type { Quote } from '../../../src/catalog/fields';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';

/** A client that records its requests, and states these prices in order, cents. */
function clientOf(...prices: (number | Error)[]) {
  const asked: string[] = [];
  const quote = (modelId: string) => {
    asked.push(modelId);
    const price = prices.shift();
    return price instanceof Error ? Promise.reject(price) : Promise.resolve({ costCents: price });
  };
  return { asked, quote };
}

test('a price is requested once, then known for as long as each caller allows', async () => {
  const clock = new TestClock();
  const quotes = new Quotes(clock);
  const client = clientOf(4, 5);
  const cents = async (freshMs?: number) =>
    (await quotes.of(client, 'a/b/c', { prompt: 'a fox' }, { freshMs })).quote.costCents;
  assert.equal(await cents(), 4);
  await clock.advance(90_000);
  assert.equal(await cents(300_000), 4);
  assert.equal(await cents(60_000), 5);
  assert.equal(await cents(300_000), 5);
  assert.equal(client.asked.length, 2);
});

test('a price from one client isn’t reused for another', async () => {
  const quotes = new Quotes(new TestClock());
  const [mine, other] = [clientOf(4), clientOf(7)];
  assert.equal((await quotes.of(mine, 'a/b/c', {}, {})).quote.costCents, 4);
  assert.equal((await quotes.of(other, 'a/b/c', {}, {})).quote.costCents, 7);
  assert.equal((await quotes.of(mine, 'a/b/c', {}, {})).quote.costCents, 4);
});

test('a price that failed is requested again', async () => {
  const quotes = new Quotes(new TestClock());
  const client = clientOf(new Error('away'), 4);
  await assert.rejects(quotes.of(client, 'a/b/c', {}, {}), /away/);
  assert.equal((await quotes.of(client, 'a/b/c', {}, {})).quote.costCents, 4);
});

/** A client whose responses the test gives, in the order of the requests. */
function slowClient() {
  const asked: { readonly signal: AbortSignal; readonly times: unknown; answer(cents: number): Promise<void> }[] = [];
  const quote = (_: string, __: unknown, options: AskOptions = {}) => {
    const { promise, resolve } = deferred<Quote>();
    const { signal = new AbortController().signal } = options;
    const times = 'times' in options ? options.times : 'as usual';
    asked.push({ signal, times, answer: (costCents) => (resolve({ costCents }), settled()) });
    return promise;
  };
  return { asked, quote };
}

test('callers with the same request at the same time share it; other inputs are another request', async () => {
  const quotes = new Quotes(new TestClock());
  const client = slowClient();
  const cents = async (prompt: string) => (await quotes.of(client, 'a/b/c', { prompt }, {})).quote.costCents;
  const asking = [cents('a fox'), cents('a fox'), cents('an owl')];
  assert.equal(client.asked.length, 2);
  await client.asked[1]!.answer(9);
  await client.asked[0]!.answer(4);
  assert.deepEqual(await Promise.all(asking), [4, 4, 9]);
});

test('a caller that aborts is released at once, and the request is aborted after the last one', async () => {
  const quotes = new Quotes(new TestClock());
  const client = slowClient();
  const [first, second] = [new AbortController(), new AbortController()];
  const isLeft = [first, second].map(({ signal }) =>
    assert.rejects(quotes.of(client, 'a/b/c', {}, { signal }), { kind: 'cancelled' }),
  );
  first.abort();
  await isLeft[0];
  assert.equal(client.asked[0]!.signal.aborted, false);
  second.abort();
  await isLeft[1];
  assert.equal(client.asked[0]!.signal.aborted, true);
  const again = quotes.of(client, 'a/b/c', {}, {});
  assert.equal(client.asked.length, 2, 'what was given up is not joined');
  await client.asked[1]!.answer(4);
  assert.equal((await again).quote.costCents, 4);
});

test('a caller that aborts before the request sends nothing', async () => {
  const client = slowClient();
  const signal = AbortSignal.abort();
  await assert.rejects(new Quotes(new TestClock()).of(client, 'a/b/c', {}, { signal }), { kind: 'cancelled' });
  assert.equal(client.asked.length, 0);
});

test('a failed request fails for everyone who waits for it, and isn’t remembered', async () => {
  const quotes = new Quotes(new TestClock());
  const client = clientOf(new Error('away'), 4);
  const asking = [quotes.of(client, 'a/b/c', {}, {}), quotes.of(client, 'a/b/c', {}, {})];
  await Promise.all(asking.map((one) => assert.rejects(one, /away/)));
  assert.equal((await quotes.of(client, 'a/b/c', {}, {})).quote.costCents, 4);
  assert.equal(client.asked.length, 2);
});

test('a caller that wants the current price always requests it, and the others get it too', async () => {
  const clock = new TestClock();
  const quotes = new Quotes(clock);
  const client = clientOf(4, 5, 6);
  const cents = async (freshMs?: number) => (await quotes.of(client, 'a/b/c', {}, { freshMs })).quote.costCents;
  assert.deepEqual(await Promise.all([cents(), cents(0)]), [4, 5]);
  assert.equal(await cents(0), 6);
  assert.equal(await cents(), 6);
});

test('a price’s age counts from its request, not from its response', async () => {
  const clock = new TestClock();
  const quotes = new Quotes(clock);
  const client = slowClient();
  const asking = quotes.of(client, 'a/b/c', {}, {});
  await clock.advance(40_000);
  await client.asked[0]!.answer(4);
  await asking;
  await clock.advance(20_000);
  void quotes.of(client, 'a/b/c', {}, {});
  assert.equal(client.asked.length, 2);
});

test('a request that must not be repeated isn’t shared with one that may be', () => {
  const quotes = new Quotes(new TestClock());
  const client = slowClient();
  void quotes.of(client, 'a/b/c', {}, {});
  void quotes.of(client, 'a/b/c', {}, { times: 1 });
  void quotes.of(client, 'a/b/c', {}, { times: undefined });
  assert.deepEqual(
    client.asked.map(({ times }) => times),
    ['as usual', 1],
  );
});

/** What is known of these prompts. */
function knownOf(quotes: Quotes, client: ReturnType<typeof clientOf>, prompts: readonly string[]) {
  return prompts.map((prompt) => quotes.known(client, 'a/b/c', { prompt })?.quote.costCents);
}

test('a price is known only for its model and inputs, for a minute since its request', async () => {
  const clock = new TestClock();
  const [quotes, client] = [new Quotes(clock), clientOf(4)];
  await quotes.of(client, 'a/b/c', { prompt: 'a fox' }, {});
  await clock.advance(59_999);
  assert.deepEqual(knownOf(quotes, client, ['a fox', 'a wolf']), [4, undefined]);
  assert.equal(quotes.known(client, 'a/b/d', { prompt: 'a fox' }), undefined);
  await clock.advance(1);
  assert.deepEqual(knownOf(quotes, client, ['a fox']), [undefined]);
});

test('beyond 500 prices, the oldest are forgotten', async () => {
  const quotes = new Quotes(new TestClock());
  const client = clientOf(...Array.from({ length: 502 }, (_, index) => index));
  const prompts = Array.from({ length: 500 }, (_, index) => `${index}`);
  for (const prompt of prompts) await quotes.of(client, 'a/b/c', { prompt }, {});
  await quotes.of(client, 'a/b/c', { prompt: '0' }, { freshMs: 0 });
  await quotes.of(client, 'a/b/c', { prompt: 'last' }, {});
  assert.deepEqual(knownOf(quotes, client, ['0', '1', '2', 'last']), [500, undefined, 2, 501]);
});

test('inputs that contain entire images don’t fill up the window’s memory', async () => {
  const [quotes, client] = [new Quotes(new TestClock()), clientOf(1, 2, 3, 4)];
  const images = ['a', 'b', 'c'].map((name) => name.repeat(7_000_000));
  for (const prompt of images) await quotes.of(client, 'a/b/c', { prompt }, {});
  assert.deepEqual(knownOf(quotes, client, images), [undefined, 2, 3]);
  const huge = 'd'.repeat(20_000_000);
  await quotes.of(client, 'a/b/c', { prompt: huge }, {});
  assert.deepEqual(knownOf(quotes, client, [huge]), [4], 'the last is known whatever its size');
});
