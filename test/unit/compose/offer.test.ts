import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf } from '../../../src/base/clock';
import { Rhythm } from '../../../src/base/concurrency';
import type { JsonObject } from '../../../src/base/json';
import type { CatalogClient } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { Quotes } from '../../../src/catalog/quotes';
import type { Field, Quote } from '../../../src/catalog/fields';
import { priceListOf } from '../../../src/compose/fitting';
import { justOne, Offer, type Several, severalOf } from '../../../src/compose/offer';
import { pauses } from '../../bench/typist';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';

const of = (id: string) => ({ id, fields: [] as Field[] });
const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
const seeded = { id: 'm', fields: [seed] };

type Price = (inputs: JsonObject, signal: AbortSignal | undefined) => Promise<Quote>;

/** A window's prices, and offers of an account whose service says what a test says. */
class Desk {
  readonly clock = new TestClock();
  readonly quotes = new Quotes(this.clock);
  readonly asked: JsonObject[] = [];
  readonly seen: string[] = [];
  costCents: number | undefined = 4;
  price: Price = () => Promise.resolve({ costCents: this.costCents });
  client: ReturnType<Desk['clientOf']> | undefined = this.clientOf('first');
  readonly offer = this.make();

  make(debounceMs?: () => number): Offer {
    let [ids, draws] = [0, 0];
    const random = { uuid: () => `intent-${++ids}`, unit: () => (draws = (draws + 0.137) % 1) };
    const offer = new Offer(this.quotes, () => this.client, this.clock, random, debounceMs);
    offer.onDidChange(() => this.seen.push(worded(offer)));
    return offer;
  }

  clientOf(account: string) {
    const quote = (_: string, inputs: JsonObject, how?: { readonly signal?: AbortSignal }) => (
      this.asked.push(inputs),
      this.price(inputs, how?.signal)
    );
    return { account, base: 'https://models.example', quote };
  }

  switchTo(account: string | undefined): void {
    this.client = account === undefined ? undefined : this.clientOf(account);
  }

  /** Asks for these inputs, and waits until they're priced. */
  async priced(inputs: JsonObject, several?: Several, model: Parameters<Offer['ask']>[0] = of('m')): Promise<void> {
    this.offer.ask(model, inputs, several);
    await this.clock.advance(250);
    await settled();
  }
}

function worded({ state }: Offer): string {
  return state.status === 'priced' ? `priced ${state.costCents}` : state.status;
}

interface Request {
  readonly signal: AbortSignal | undefined;
  answer(costCents: number | undefined): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** A desk whose test answers each request. */
function slowDesk() {
  const desk = new Desk();
  const requests: Request[] = [];
  desk.price = (_, signal) => {
    const { promise, resolve, reject } = deferred<Quote>();
    requests.push({
      signal,
      answer: (costCents) => (resolve({ costCents }), settled()),
      fail: (error) => (reject(error), settled()),
    });
    return promise;
  };
  return { desk, requests };
}

test('inputs are priced once they’re stable, and no price is current in the meantime', async () => {
  const desk = new Desk();
  desk.offer.ask(of('m'), { n: 1 });
  await desk.clock.advance(249);
  assert.equal(desk.asked.length, 0);
  await desk.clock.advance(1);
  desk.costCents = undefined;
  desk.offer.ask(of('m'), { n: 2 });
  assert.deepEqual([desk.offer.state.status, desk.offer.drafts], ['asking', []]);
  await desk.clock.advance(250);
  assert.deepEqual(desk.seen, ['asking', 'priced 4', 'asking', 'notStated']);
});

test('fifty edits in a row make one request, for the last', async () => {
  const { clock, asked, offer } = new Desk();
  for (let n = 1; n <= 50; n++) {
    offer.ask(of('m'), { n });
    await clock.advance(20);
  }
  await clock.advance(250);
  assert.deepEqual(asked, [{ n: 50 }]);
});

test('typing sixty characters at the usual speed requests about three prices', async () => {
  const counts: number[] = [];
  for (let typist = 1; typist <= 9; typist++) {
    const desk = new Desk();
    const rhythm = new Rhythm(desk.clock);
    const offer = desk.make(() => (rhythm.beat(), rhythm.restMs));
    const pause = pauses(typist);
    for (let key = 1; key <= 60; key++) {
      offer.ask(of('m'), { key });
      await desk.clock.advance(pause.next().value);
    }
    await desk.clock.advance(1000);
    assert.equal(worded(offer), 'priced 4');
    assert.deepEqual(desk.asked.at(-1), { key: 60 });
    counts.push(desk.asked.length);
  }
  assert.ok(counts.sort((a, b) => a - b)[4]! <= 3, `asked ${counts.join(', ')} times`);
});

test('inputs that nobody is typing are priced immediately, with one request', async () => {
  const { desk, requests } = slowDesk();
  const { offer, clock } = desk;
  offer.ask(of('m'), { n: 1 }, justOne, true);
  assert.equal(requests.length, 1);
  offer.ask(of('m'), { n: 1 }, justOne, true);
  offer.ask(of('m'), { n: 2 });
  offer.ask(of('m'), { n: 2 }, justOne, true);
  assert.equal(requests.length, 2, 'also when they were waited for already');
  assert.equal(requests[0]!.signal?.aborted, true);
  await requests[1]!.answer(5);
  await clock.advance(1000);
  assert.deepEqual([requests.length, worded(offer)], [2, 'priced 5']);
});

test('an older request is aborted, and changes nothing if it is answered or fails anyway', async () => {
  const { desk, requests } = slowDesk();
  for (const n of [1, 2, 3]) {
    desk.offer.ask(of('m'), { n });
    await desk.clock.advance(250);
  }
  assert.deepEqual(
    requests.map(({ signal }) => signal?.aborted),
    [true, true, false],
  );
  await requests[0]!.fail(new Error('aborted'));
  assert.equal(worded(desk.offer), 'asking');
  await requests[2]!.answer(20);
  await requests[1]!.answer(10);
  assert.equal(worded(desk.offer), 'priced 20');
});

test('invalid inputs have no price and request none', async () => {
  const { clock, asked, offer } = new Desk();
  offer.ask(of('m'), { n: 1 });
  offer.ask(of('m'), undefined);
  await clock.advance(1000);
  assert.deepEqual([asked.length, offer.state.status], [0, 'none']);
});

test('equal inputs keep their price for a minute without a request, but not for another model', async () => {
  const desk = new Desk();
  await desk.priced({ n: 1 });
  desk.offer.ask(of('m'), { n: 1 });
  desk.offer.ask(of('m'), { n: 2 });
  desk.offer.ask(of('m'), { n: 1 });
  await desk.clock.advance(1000);
  assert.equal(desk.asked.length, 1);
  assert.deepEqual(desk.seen, ['asking', 'priced 4', 'asking', 'priced 4']);
  await desk.clock.advance(60_000);
  desk.costCents = 5;
  await desk.priced({ n: 1 });
  assert.deepEqual([desk.asked.length, worded(desk.offer)], [2, 'priced 5']);
  desk.offer.ask(of('other'), { n: 1 });
  assert.equal(worded(desk.offer), 'asking');
  await desk.clock.advance(250);
  assert.equal(desk.asked.length, 3);
});

test('a failure is shown, and the same inputs can be requested again', async () => {
  const desk = new Desk();
  desk.price = () => Promise.reject(new ServiceError('tooManyRequests', 'slow down'));
  await desk.priced({ n: 1 });
  const { state } = desk.offer;
  assert.equal(state.status === 'failed' && state.error.kind, 'tooManyRequests');
  desk.price = () => Promise.resolve({ costCents: 4 });
  await desk.priced({ n: 1 });
  assert.equal(worded(desk.offer), 'priced 4');
});

test('a price whose failure has lost its reason is requested again, and no other', async () => {
  for (const [kind, session, isAsked] of [
    ['noAnswer', { status: 'offline' }, false],
    ['noAnswer', { status: 'connected' }, true],
    ['tooManyRequests', { status: 'connected', quietUntil: 1 }, false],
    ['tooManyRequests', { status: 'connected' }, true],
    ['invalidInput', { status: 'connected' }, false],
  ] as const) {
    const desk = new Desk();
    desk.price = () => Promise.reject(new ServiceError(kind, 'no'));
    await desk.priced({ n: 1 });
    desk.offer.tryAgain(session);
    assert.equal(desk.asked.length, isAsked ? 2 : 1, kind);
  }
});

test('renewing forgets remembered prices and requests them again', async () => {
  const desk = new Desk();
  await desk.priced({ n: 1 });
  desk.costCents = 6;
  desk.offer.renew();
  assert.equal(worded(desk.offer), 'asking');
  await settled();
  assert.equal(worded(desk.offer), 'priced 6');
});

test('nothing is requested or reported after disposal', async () => {
  const { clock, asked, offer, seen } = new Desk();
  offer.ask(of('m'), { n: 1 });
  offer.dispose();
  await clock.advance(1000);
  assert.deepEqual([asked.length, clock.waiting, seen], [0, 0, ['asking']]);
});

test('a price comparison reuses an offer’s price; an offer requests its own, whatever the window knows', async () => {
  const desk = new Desk();
  const session = { model: () => Promise.reject(new Error('no model')) };
  const listed = async (n: number) => {
    const { signal } = new AbortController();
    const list = priceListOf(desk.client as unknown as CatalogClient, session, desk.quotes);
    return (await list.quote('m', { n }, signal)).costCents;
  };
  await desk.priced({ n: 1 });
  desk.costCents = 5;
  assert.deepEqual([await listed(1), desk.asked.length], [4, 1]);
  assert.deepEqual([await listed(2), desk.asked.length], [5, 2]);
  desk.costCents = 6;
  await desk.priced({ n: 2 });
  assert.deepEqual([worded(desk.offer), await listed(2), desk.asked.length], ['priced 6', 6, 3]);
});

test('an offer is the model, inputs, price, and account together', async () => {
  const desk = new Desk();
  const { offer, client, clock } = desk;
  offer.ask(of('m'), { n: 1 });
  assert.deepEqual(offer.drafts, []);
  await clock.advance(250);
  const asked = { client, at: momentOf(clock) };
  const expected = { intent: offer.intent, modelId: 'm', inputs: { n: 1 }, shownCents: 4, account: 'first', asked };
  assert.deepEqual(offer.drafts, [expected]);
  assert.deepEqual(offer.claim(offer.intent), [expected]);
});

test('an offer is handed out once, and the next one has a new intent', async () => {
  const desk = new Desk();
  const { offer } = desk;
  await desk.priced({ n: 1 });
  const { intent } = offer;
  offer.claim(intent);
  assert.equal(offer.claim(intent), undefined);
  assert.ok(offer.isClaimed(intent));
  assert.equal(offer.drafts[0]?.intent, offer.intent);
  assert.notEqual(offer.intent, intent);
  assert.ok(!offer.isClaimed(offer.intent));
});

test('each price has its own intent, even a remembered one', async () => {
  const desk = new Desk();
  const names: string[] = [];
  for (const n of [1, 2, 1]) {
    await desk.priced({ n });
    names.push(desk.offer.intent);
  }
  assert.equal(new Set(names).size, 3);
  assert.equal(desk.offer.claim(names[0]!), undefined, 'the name of an earlier price orders nothing');
});

test('a price of another account starts nothing, and is requested again', async () => {
  const desk = new Desk();
  const { offer } = desk;
  await desk.priced({ n: 1 });
  const { intent } = offer;
  desk.switchTo('second');
  assert.deepEqual(offer.drafts, []);
  assert.equal(offer.claim(intent), undefined);
  assert.equal(offer.follow(), true);
  assert.equal(offer.follow(), false);
  await desk.clock.advance(250);
  assert.equal(desk.asked.length, 2);
  assert.equal(offer.claim(intent), undefined, 'the name of the first account’s price');
  assert.equal(offer.claim(offer.intent)?.[0]?.account, 'second');
});

test('without an account, nothing can be rendered', async () => {
  const desk = new Desk();
  await desk.priced({});
  desk.switchTo(undefined);
  desk.offer.follow();
  await desk.clock.advance(250);
  assert.deepEqual([desk.offer.drafts, desk.offer.state.status], [[], 'failed']);
});

test('a render without a stated price can be offered as such', async () => {
  const desk = new Desk();
  desk.costCents = undefined;
  await desk.priced({});
  const { intent } = desk.offer;
  assert.deepEqual(
    desk.offer.claim(intent)?.map(({ shownCents }) => shownCents),
    [undefined],
  );
  assert.ok(desk.offer.isClaimed(intent));
});

/** The price of `n: 1` was 4, and that of `n: 2` is being requested. */
async function dimmed() {
  const desk = new Desk();
  await desk.priced({ n: 1 });
  desk.offer.ask(of('m'), { n: 2 });
  return desk;
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
    const desk = await dimmed();
    const { offer } = desk;
    desk.costCents = fresh;
    const { intent } = offer;
    const press = offer.claimFresh(intent);
    assert.ok(offer.isClaimed(intent), 'a second press is the same press');
    await desk.clock.advance(250);
    const order = (await press)?.[0];
    assert.equal(order?.shownCents, taken);
    assert.deepEqual(order?.inputs, taken && { n: 2 });
    assert.notEqual(offer.intent, intent, 'what is ordered next has another name');
    assert.equal(offer.claim(intent), undefined);
    assert.equal(await offer.claimFresh(intent), undefined);
    assert.equal(offer.isClaimed(intent), taken !== undefined);
  });
}

test('a press that arrives once the fresh price is known follows the same rule', async () => {
  for (const [fresh, taken] of [[4, 4] as const, [5, undefined] as const]) {
    const desk = await dimmed();
    desk.costCents = fresh;
    const { intent } = desk.offer;
    await desk.clock.advance(250);
    assert.equal((await desk.offer.claimFresh(intent))?.[0]?.shownCents, taken);
  }
});

test('pressing the last price renders nothing once the inputs, their number, or the account have changed', async () => {
  const typed = await dimmed();
  const first = typed.offer.claimFresh(typed.offer.intent);
  typed.offer.ask(of('m'), { n: 3 });
  assert.equal(await first, undefined);
  const again = typed.offer.claimFresh(typed.offer.intent);
  await typed.clock.advance(250);
  assert.deepEqual((await again)?.[0]?.inputs, { n: 3 }, 'it can be pressed again for these');

  const switched = await dimmed();
  const second = switched.offer.claimFresh(switched.offer.intent);
  switched.switchTo('second');
  switched.offer.follow();
  await switched.clock.advance(250);
  assert.equal(await second, undefined);

  const counted = await dimmed();
  const { intent } = counted.offer;
  const several = counted.offer.claimFresh(intent);
  counted.offer.ask(seeded, { n: 2 }, severalOf([seed], 2));
  assert.deepEqual([await several, counted.offer.lastCents], [undefined, undefined]);

  const closed = await dimmed();
  const third = closed.offer.claimFresh(closed.offer.intent);
  closed.offer.dispose();
  assert.equal(await third, undefined);
});

test('an omitted seed is priced with its number, recorded with it, and replaced for the next order', async () => {
  const { clock, offer } = new Desk();
  const ordered: unknown[] = [];
  for (let order = 0; order < 3; order += 1) {
    offer.ask(seeded, { n: 1 }, justOne, true);
    await clock.advance(0);
    ordered.push(offer.claim(offer.intent)?.[0]?.inputs['seed']);
  }
  assert.equal(new Set(ordered).size, 3, String(ordered));
  assert.ok(ordered.every((number) => typeof number === 'number'));
  offer.ask(seeded, { n: 1, seed: 7 }, justOne, true);
  await clock.advance(0);
  assert.equal(offer.drafts[0]?.inputs['seed'], 7, 'a pinned one stays');
});

test('several drafts have one sum once each has its own price, and one press orders all of them once', async () => {
  const desk = new Desk();
  const { offer } = desk;
  await desk.priced({ prompt: 'a fox' }, severalOf([seed], 4), seeded);
  assert.equal(worded(offer), 'priced 16');
  const { intent } = offer;
  const drafts = offer.claim(intent)!;
  assert.equal(new Set(drafts.map(({ inputs }) => inputs['seed'])).size, 4);
  assert.equal(new Set(drafts.map((draft) => draft.intent)).size, 4);
  assert.equal(drafts[0]?.intent, intent);
  assert.deepEqual(
    drafts.map(({ inputs }) => inputs),
    desk.asked,
  );
  assert.deepEqual(
    drafts.map(({ shownCents, account }) => [shownCents, account]),
    Array.from({ length: 4 }, () => [4, 'first']),
  );
  assert.equal(offer.claim(intent), undefined);
  assert.ok(offer.isClaimed(intent));
});

test('the next several have other seeds and a sum of their own, also where the first seed is pinned', async () => {
  const desk = new Desk();
  const { offer } = desk;
  const seeds = async () => {
    await desk.priced({ seed: 7 }, severalOf([seed], 4), seeded);
    return offer.claim(offer.intent)?.map(({ inputs }) => inputs['seed']) ?? [];
  };
  const [first, second] = [await seeds(), await seeds()];
  assert.equal(new Set([...first, ...second]).size, 7);
  assert.deepEqual(offer.drafts, [], 'nothing more until it’s asked again');
  assert.equal(desk.asked.length, 7, 'the price of the first is known');
});

test('while one price is missing or not stated there is no sum and no order, and a failure is shown', async () => {
  const desk = new Desk();
  const { offer } = desk;
  const others = (price: Price): Price => {
    const [first] = [desk.asked.length];
    return (...what) => (desk.asked.length === first + 1 ? Promise.resolve({ costCents: 4 }) : price(...what));
  };
  for (const [prompt, price, status] of [
    ['a fox', () => new Promise<Quote>(() => {}), 'asking'],
    ['a hare', () => Promise.resolve({ costCents: undefined }), 'notStated'],
    ['a deer', () => Promise.reject(new ServiceError('noAnswer', 'out of order')), 'failed'],
  ] as const) {
    desk.price = others(price);
    await desk.priced({ prompt }, severalOf([seed], 2), seeded);
    assert.deepEqual([offer.state.status, offer.drafts, offer.claim(offer.intent)], [status, [], undefined]);
  }
  desk.price = () => Promise.resolve({ costCents: undefined });
  const before = desk.asked.length;
  await desk.priced({ prompt: 'an owl' }, severalOf([seed], 8), seeded);
  assert.deepEqual([worded(offer), desk.asked.length - before], ['notStated', 1], 'the first alone is enough to know');
});

test('a sum isn’t ordered after the inputs or the number changed, and another number asks for the others only', async () => {
  const desk = new Desk();
  const { offer } = desk;
  await desk.priced({ prompt: 'a fox' }, severalOf([seed], 2), seeded);
  const fox = offer.intent;
  await desk.priced({ prompt: 'a hare' }, severalOf([seed], 2), seeded);
  assert.equal(offer.claim(fox), undefined);
  const hare = offer.intent;
  desk.asked.length = 0;
  offer.ask(seeded, { prompt: 'a hare' }, severalOf([seed], 4));
  assert.equal(offer.claim(hare), undefined);
  await settled();
  assert.deepEqual([worded(offer), desk.asked.length], ['priced 16', 3]);
  offer.ask(seeded, { prompt: 'a hare' });
  assert.deepEqual([worded(offer), offer.drafts.length, desk.asked.length], ['priced 4', 1, 3]);
});

test('every combination of what is varied is one draft, with one seed', async () => {
  const desk = new Desk();
  const varied = [
    { field: 'a', values: ['x', 'y'] },
    { field: 'b', values: [1, 2] },
  ];
  await desk.priced({ a: 'x', b: 1 }, severalOf([seed], 1, varied), seeded);
  assert.deepEqual(
    desk.offer.drafts.map(({ inputs: { a, b } }) => [a, b]),
    [
      ['x', 1],
      ['x', 2],
      ['y', 1],
      ['y', 2],
    ],
  );
  assert.equal(new Set(desk.offer.drafts.map(({ inputs }) => inputs['seed'])).size, 1);
});

test('a model without a seed offers one, and one with few seeds no more than these', () => {
  const counts = (fields: readonly Field[], wanted: number) => {
    const { choices, count } = severalOf(fields, wanted);
    return [choices, count];
  };
  assert.deepEqual(counts([], 4), [[1], 1]);
  assert.deepEqual(counts([{ ...seed, minimum: 1, maximum: 3 }], 8), [[1, 2], 2]);
  assert.deepEqual(counts([seed], 3), [[1, 2, 4, 8], 1]);
});
