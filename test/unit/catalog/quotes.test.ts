import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quotes } from '../../../src/catalog/quotes';
import { TestClock } from '../clock';

/** A client that notes what it is asked, and states these prices one after the other, cents. */
function clientOf(...prices: (number | Error)[]) {
  const asked: string[] = [];
  const quote = (modelId: string) => {
    asked.push(modelId);
    const price = prices.shift();
    return price instanceof Error ? Promise.reject(price) : Promise.resolve({ costCents: price });
  };
  return { asked, quote };
}

test('a price is asked for once, then known for as long as each question allows', async () => {
  const clock = new TestClock();
  const quotes = new Quotes(clock);
  const client = clientOf(4, 5);
  const cents = async (freshMs?: number) =>
    (await quotes.of(client, 'a/b/c', { prompt: 'a fox' }, { freshMs })).costCents;
  assert.equal(await cents(), 4);
  await clock.advance(90_000);
  assert.equal(await cents(300_000), 4);
  assert.equal(await cents(60_000), 5);
  assert.equal(await cents(300_000), 5);
  assert.equal(client.asked.length, 2);
});

test('what one client said is not known of another', async () => {
  const quotes = new Quotes(new TestClock());
  const [mine, other] = [clientOf(4), clientOf(7)];
  assert.equal((await quotes.of(mine, 'a/b/c', {}, {})).costCents, 4);
  assert.equal((await quotes.of(other, 'a/b/c', {}, {})).costCents, 7);
  assert.equal((await quotes.of(mine, 'a/b/c', {}, {})).costCents, 4);
});

test('a price that could not be had is asked for again', async () => {
  const quotes = new Quotes(new TestClock());
  const client = clientOf(new Error('away'), 4);
  await assert.rejects(quotes.of(client, 'a/b/c', {}, {}), /away/);
  assert.equal((await quotes.of(client, 'a/b/c', {}, {})).costCents, 4);
});
