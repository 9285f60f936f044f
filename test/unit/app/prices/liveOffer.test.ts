import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf } from '../../../../src/base/clock';
import { LiveQuote } from '../../../../src/catalog/liveQuote';
import { LiveOffer } from '../../../../src/app/prices/liveOffer';
import { TestClock } from '../../clock';

function desk() {
  const clock = new TestClock();
  const client = { account: 'first', base: 'https://models.example' };
  const world = { client: client as typeof client | undefined, costCents: 4 as number | undefined, asked: 0, ids: 0 };
  const quote = new LiveQuote(() => ((world.asked += 1), Promise.resolve({ costCents: world.costCents })), clock);
  const random = { uuid: () => `intent-${++world.ids}`, unit: () => 0 };
  return { clock, world, offer: new LiveOffer(quote, () => world.client, random) };
}

test('an offer is the model, inputs, price, and account together', async () => {
  const { clock, world, offer } = desk();
  offer.ask('m', { n: 1 });
  assert.equal(offer.current, undefined);
  await clock.advance(250);
  const asked = { client: world.client, at: momentOf(clock) };
  const expected = { intent: 'intent-1', modelId: 'm', inputs: { n: 1 }, shownCents: 4, account: 'first', asked };
  assert.deepEqual(offer.current, expected);
  assert.deepEqual(offer.take('intent-1'), expected);
});

test('an offer is handed out once, and the next has another name', async () => {
  const { clock, offer } = desk();
  offer.ask('m', { n: 1 });
  await clock.advance(250);
  offer.take('intent-1');
  assert.equal(offer.take('intent-1'), undefined);
  assert.ok(offer.isTaken('intent-1'));
  assert.equal(offer.current?.intent, 'intent-2');
  assert.ok(!offer.isTaken('intent-2'));
});

test('each price has its own intent, even a remembered one', async () => {
  const { clock, offer } = desk();
  const names: string[] = [];
  for (const n of [1, 2, 1]) {
    offer.ask('m', { n });
    await clock.advance(250);
    names.push(offer.intent);
  }
  assert.equal(new Set(names).size, 3);
  assert.equal(offer.take(names[0]!), undefined, 'the name of an earlier price orders nothing');
});

test('a price of another account starts nothing, and is requested again', async () => {
  const { clock, world, offer } = desk();
  offer.ask('m', { n: 1 });
  await clock.advance(250);
  const { intent } = offer;
  world.client = { account: 'second', base: 'https://models.example' };
  assert.equal(offer.current, undefined);
  assert.equal(offer.take(intent), undefined);
  assert.equal(offer.follow(), true);
  assert.equal(offer.follow(), false);
  await clock.advance(250);
  assert.equal(world.asked, 2);
  assert.equal(offer.take(intent), undefined, 'the name of the first account’s price');
  assert.equal(offer.take(offer.intent)?.account, 'second');
});

test('without an account, nothing can be rendered', async () => {
  const { clock, world, offer } = desk();
  offer.ask('m', {});
  await clock.advance(250);
  world.client = undefined;
  offer.follow();
  await clock.advance(250);
  assert.equal(offer.current, undefined);
});

test('a render without a stated price can be offered as such', async () => {
  const { clock, world, offer } = desk();
  world.costCents = undefined;
  offer.ask('m', {});
  await clock.advance(250);
  assert.equal(offer.take('intent-1')?.shownCents, undefined);
  assert.ok(offer.isTaken('intent-1'));
});
