import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveOffer } from '../../../src/compose/offer';
import { type PriceOf, VariantOffer } from '../../../src/compose/variantOffer';
import { momentOf } from '../../../src/base/clock';
import type { JsonObject } from '../../../src/base/json';
import { ServiceError } from '../../../src/catalog/errors';
import { LiveQuote } from '../../../src/catalog/liveQuote';
import type { Field } from '../../../src/catalog/types';
import { settled, TestClock } from '../clock';

const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
const fields: readonly Field[] = [seed];

/** A live offer of 4 cents, whose variants cost what a test says. */
function desk() {
  const clock = new TestClock();
  const client = { account: 'first', base: 'https://models.example' };
  const world = {
    clock,
    costCents: 4 as number | undefined,
    price: (() => Promise.resolve({ quote: { costCents: 4 }, askedAt: momentOf(clock) })) as PriceOf,
    asked: [] as JsonObject[],
    told: 0,
  };
  let [ids, draws] = [0, 0];
  const random = { uuid: () => `intent-${++ids}`, unit: () => (draws = (draws + 0.137) % 1) };
  const quote = new LiveQuote(() => Promise.resolve({ costCents: world.costCents }), clock);
  const first = new LiveOffer(quote, () => client, random);
  const priced: PriceOf = (...what) => (world.asked.push(what[1]), world.price(...what));
  const offer = new VariantOffer(first, priced, random);
  offer.onDidChange(() => (world.told += 1));
  const ask = async (prompt: string) => {
    first.ask({ id: 'm', fields }, { prompt });
    await clock.advance(250);
    await settled();
  };
  return { world, first, offer, ask };
}

test('variants have one sum once the price of each exact inputs is known, and one press takes them all once', async () => {
  const { world, offer, ask } = desk();
  offer.choose(fields, 4);
  await ask('a fox');
  const { state } = offer;
  assert.ok(state.status === 'priced');
  assert.equal(state.costCents, 16);
  assert.equal(world.asked.length, 3);
  const offers = offer.take(state.intent)!;
  assert.equal(new Set(offers.map(({ inputs }) => inputs['seed'])).size, 4);
  assert.equal(new Set(offers.map(({ intent }) => intent)).size, 4);
  assert.deepEqual(
    offers.slice(1).map(({ inputs }) => inputs),
    world.asked,
  );
  assert.deepEqual(
    offers.map(({ shownCents, account }) => [shownCents, account]),
    Array.from({ length: 4 }, () => [4, 'first']),
  );
  assert.equal(offer.take(state.intent), undefined);
  assert.ok(offer.isTaken(state.intent));
});

test('there is no sum while one price is missing or not stated, and none for other inputs', async () => {
  const { world, offer, ask } = desk();
  offer.choose(fields, 2);
  world.price = () => new Promise(() => {});
  await ask('a fox');
  assert.equal(offer.state.status, 'asking');
  world.price = () => Promise.resolve({ quote: { costCents: undefined }, askedAt: momentOf(world.clock) });
  await ask('a hare');
  assert.equal(offer.state.status, 'unstated');
  world.price = () => Promise.reject(new ServiceError('noAnswer', 'out of order'));
  await ask('a deer');
  assert.equal(offer.state.status, 'failed');
});

test('a sum isn’t ordered after the inputs or the count changed', async () => {
  const { offer, ask } = desk();
  offer.choose(fields, 2);
  await ask('a fox');
  const fox = offer.state;
  assert.ok(fox.status === 'priced');
  await ask('a hare');
  assert.equal(offer.take(fox.intent), undefined);
  const hare = offer.state;
  assert.ok(hare.status === 'priced');
  offer.choose(fields, 4);
  assert.equal(offer.take(hare.intent), undefined);
  await settled();
  assert.ok(offer.state.status === 'priced' && offer.state.costCents === 16);
  offer.choose(fields, 1);
  assert.equal(offer.state.status, 'none');
});

test('a model without a seed offers no variants, and one with few seeds no more than these', () => {
  const { offer } = desk();
  offer.choose([], 4);
  assert.deepEqual([offer.choices, offer.count], [[1], 1]);
  offer.choose([{ ...seed, minimum: 1, maximum: 3 }], 8);
  assert.deepEqual([offer.choices, offer.count], [[1, 2], 2]);
  offer.choose(fields, 3);
  assert.equal(offer.count, 1);
});
