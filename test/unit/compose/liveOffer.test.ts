import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf } from '../../../src/base/clock';
import { LiveQuote } from '../../../src/catalog/liveQuote';
import type { Field } from '../../../src/catalog/types';
import { LiveOffer } from '../../../src/compose/offer';
import { TestClock } from '../clock';

const of = (id: string) => ({ id, fields: [] as Field[] });

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
  offer.ask(of('m'), { n: 1 });
  assert.equal(offer.current, undefined);
  await clock.advance(250);
  const asked = { client: world.client, at: momentOf(clock) };
  const expected = { intent: 'intent-1', modelId: 'm', inputs: { n: 1 }, shownCents: 4, account: 'first', asked };
  assert.deepEqual(offer.current, expected);
  assert.deepEqual(offer.take('intent-1'), expected);
});

test('an offer is handed out once, and the next one has a new intent', async () => {
  const { clock, offer } = desk();
  offer.ask(of('m'), { n: 1 });
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
    offer.ask(of('m'), { n });
    await clock.advance(250);
    names.push(offer.intent);
  }
  assert.equal(new Set(names).size, 3);
  assert.equal(offer.take(names[0]!), undefined, 'the name of an earlier price orders nothing');
});

test('a price of another account starts nothing, and is requested again', async () => {
  const { clock, world, offer } = desk();
  offer.ask(of('m'), { n: 1 });
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
  offer.ask(of('m'), {});
  await clock.advance(250);
  world.client = undefined;
  offer.follow();
  await clock.advance(250);
  assert.equal(offer.current, undefined);
});

test('a render without a stated price can be offered as such', async () => {
  const { clock, world, offer } = desk();
  world.costCents = undefined;
  offer.ask(of('m'), {});
  await clock.advance(250);
  assert.equal(offer.take('intent-1')?.shownCents, undefined);
  assert.ok(offer.isTaken('intent-1'));
});

/** The price of `n: 1` was 4, and that of `n: 2` is being requested. */
async function dimmed() {
  const desktop = desk();
  desktop.offer.ask(of('m'), { n: 1 });
  await desktop.clock.advance(250);
  desktop.offer.ask(of('m'), { n: 2 });
  return desktop;
}

test('the last price is available only while a new one is being requested', async () => {
  const { clock, offer } = await dimmed();
  assert.equal(offer.lastCents, 4);
  offer.ask(of('m'), { n: 3 });
  assert.equal(offer.lastCents, 4, 'however much is typed');
  await clock.advance(250);
  assert.equal(offer.lastCents, undefined);
  offer.ask(of('other'), { n: 3 });
  assert.equal(offer.lastCents, undefined, 'of another model');
  await clock.advance(250);
  offer.ask(of('other'), undefined);
  offer.ask(of('other'), { n: 4 });
  assert.equal(offer.lastCents, undefined, 'of inputs that were not valid');
});

for (const [words, fresh, taken] of [
  ['the same', 4, 4],
  ['lower', 3, 3],
  ['higher', 5, undefined],
  ['not stated', undefined, undefined],
] as const) {
  test(`a press on the last price ${taken ? 'orders' : 'orders nothing'} when the fresh one is ${words}`, async () => {
    const { clock, world, offer } = await dimmed();
    world.costCents = fresh;
    const { intent } = offer;
    const press = offer.takeFresh(intent);
    assert.ok(offer.isTaken(intent), 'a second press is the same press');
    await clock.advance(250);
    const order = await press;
    assert.equal(order?.shownCents, taken);
    assert.deepEqual(order?.inputs, taken && { n: 2 });
    assert.notEqual(offer.intent, intent, 'what is ordered next has another name');
    assert.equal(offer.take(intent), undefined);
    assert.equal(await offer.takeFresh(intent), undefined);
    assert.equal(offer.isTaken(intent), taken !== undefined);
  });
}

test('a press that arrives once the fresh price is known follows the same rule', async () => {
  for (const [fresh, taken] of [[4, 4] as const, [5, undefined] as const]) {
    const { clock, world, offer } = await dimmed();
    world.costCents = fresh;
    const { intent } = offer;
    await clock.advance(250);
    assert.equal((await offer.takeFresh(intent))?.shownCents, taken);
  }
});

test('pressing the last price renders nothing once the inputs or the account have changed', async () => {
  const typed = await dimmed();
  const first = typed.offer.takeFresh(typed.offer.intent);
  typed.offer.ask(of('m'), { n: 3 });
  assert.equal(await first, undefined);
  const again = typed.offer.takeFresh(typed.offer.intent);
  await typed.clock.advance(250);
  assert.deepEqual((await again)?.inputs, { n: 3 }, 'it can be pressed again for these');

  const switched = await dimmed();
  const second = switched.offer.takeFresh(switched.offer.intent);
  switched.world.client = { account: 'second', base: 'https://models.example' };
  switched.offer.follow();
  await switched.clock.advance(250);
  assert.equal(await second, undefined);

  const closed = await dimmed();
  const third = closed.offer.takeFresh(closed.offer.intent);
  closed.offer.dispose();
  assert.equal(await third, undefined);
});

test('an omitted seed is priced with its number, recorded with it, and replaced for the next order', async () => {
  const { clock, world, offer } = desk();
  let drawn = 0;
  const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false, maximum: 9 };
  const drawing = new LiveOffer(new LiveQuote(() => Promise.resolve({ costCents: 4 }), clock), () => world.client, {
    uuid: () => `drawn-${++drawn}`,
    unit: () => (drawn % 10) / 10,
  });
  const model = { id: 'm', fields: [seed] };
  const ordered: unknown[] = [];
  for (let order = 0; order < 3; order += 1) {
    drawing.ask(model, { n: 1 }, true);
    await clock.advance(0);
    ordered.push(drawing.take(drawing.intent)?.inputs['seed']);
  }
  assert.equal(new Set(ordered).size, 3, String(ordered));
  assert.ok(ordered.every((number) => typeof number === 'number'));
  drawing.ask(model, { n: 1, seed: 7 }, true);
  await clock.advance(0);
  assert.equal(drawing.current?.inputs['seed'], 7, 'a pinned one stays');
  offer.dispose();
});
