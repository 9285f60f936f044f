import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenInputs } from '../../../src/base/json';
import { ServiceError } from '../../../src/catalog/errors';
import { Agreement } from '../../../src/renders/agreement';
import { Consent, type Question } from '../../../src/renders/consent';
import type { PricedOrder } from '../../../src/renders/record';
import { settled, TestClock } from '../clock';
import { order as anyOrder } from './world';

const inputs = frozenInputs({ prompt: 'a red kite' });

/** A user who confirms, or answers as a test decides, and a service whose price changes when a test says so. */
class Desk {
  readonly clock = new TestClock();
  readonly questions: Question[] = [];
  readonly bodies: string[] = [];
  cents: number | undefined = 4;
  away = false;
  /** The user's answer, after whatever happens while the question is open. */
  answer: (question: Question) => boolean | 'otherSeeds' | Promise<boolean> = () => true;
  client = this.clientOf('account-1');
  limits = { confirmAbove: 50, unattendedBudget: 0, agentAllowance: 0, confirmAfter: { renders: 0, cents: 0 } };
  private readonly consent = new Consent(
    {
      ask: async (question) => (this.questions.push(question), this.answer(question)),
      tellRefused: () => {},
    },
    () => this.limits,
    this.clock,
  );
  readonly agreement = new Agreement(this.consent, () => this.client, this.clock);

  clientOf(account: string, base = 'https://models.example') {
    return {
      account,
      base,
      quote: (modelId: string, quoted: unknown) => {
        this.bodies.push(JSON.stringify({ modelId, inputs: quoted }));
        return this.away
          ? Promise.reject(new ServiceError('noAnswer', 'away'))
          : Promise.resolve({ costCents: this.cents });
      },
    };
  }

  /** An order with its current price. */
  async priced(): Promise<PricedOrder> {
    const { intent, modelId, target } = anyOrder();
    return this.agreement.price({ intent, modelId, target, inputs });
  }

  /** The prices in each question: before, and now. */
  get asked() {
    return this.questions.map(({ orders }) =>
      orders.map(({ before, shownCents }) => [before?.shownCents, shownCents] as const),
    );
  }
}

test('a price less than a minute old is used without another request', async () => {
  const desk = new Desk();
  const order = await desk.priced();
  await desk.clock.advance(59_999);
  assert.equal((await desk.agreement.to(order, 'user'))?.shownCents, 4);
  assert.equal(desk.bodies.length, 1);
  assert.deepEqual(desk.questions, []);
});

test('an outdated price is requested again for the same bytes; the order keeps the shown price if the new one is no higher', async () => {
  for (const cents of [4, 3]) {
    const desk = new Desk();
    const order = await desk.priced();
    await desk.clock.advance(60_000);
    desk.cents = cents;
    const agreed = await desk.agreement.to(order, 'user');
    assert.equal(agreed?.shownCents, 4, 'what the user saw');
    assert.equal(agreed.inputs, inputs);
    assert.equal(desk.bodies[1], desk.bodies[0]);
    assert.equal(desk.bodies.length, 2);
    assert.deepEqual(desk.questions, []);
  }
});

test('a price that rose, or is no longer stated, is shown with the old one before anything is sent', async () => {
  for (const cents of [5, undefined]) {
    for (const yes of [true, false]) {
      const desk = new Desk();
      const order = await desk.priced();
      await desk.clock.advance(3 * 3_600_000);
      desk.cents = cents;
      desk.answer = () => yes;
      const agreed = await desk.agreement.to(order, 'user');
      assert.deepEqual(desk.asked, [[[4, cents]]]);
      assert.deepEqual(agreed && [agreed.shownCents, agreed.before], yes ? [cents, undefined] : undefined);
    }
  }
});

test('a machine that slept, or whose clock was set, has no fresh prices', async () => {
  for (const ms of [60_000, -60_000]) {
    const desk = new Desk();
    const order = await desk.priced();
    // The monotonic clock stands still.
    desk.clock.set(desk.clock.now() + ms);
    desk.cents = 9;
    await desk.agreement.to(order, 'user');
    assert.deepEqual(desk.asked, [[[4, 9]]]);
  }
});

test('a price from another connection to the account is requested again', async () => {
  const desk = new Desk();
  const order = await desk.priced();
  desk.client = desk.clientOf('account-1');
  desk.cents = 9;
  await desk.agreement.to(order, 'user');
  assert.deepEqual(desk.asked, [[[4, 9]]]);
});

test('a price of another account, or of another service with the same key, is never used', async () => {
  for (const client of [
    ['account-2', 'https://models.example'],
    ['account-1', 'https://other.example'],
  ] as const) {
    const desk = new Desk();
    const order = await desk.priced();
    desk.client = desk.clientOf(client[0], client[1]);
    await assert.rejects(desk.agreement.to(order, 'user'), { code: 'otherAccount' });
    assert.equal(desk.bodies.length, 1, 'the other one is not even asked');
  }
});

test('a price that can no longer be confirmed keeps the render from being sent', async () => {
  const desk = new Desk();
  const order = await desk.priced();
  await desk.clock.advance(60_000);
  desk.away = true;
  await assert.rejects(desk.agreement.to(order, 'user'), { kind: 'noAnswer' });
});

test('a confirmation minutes later covers its own price, and none above', async () => {
  const desk = new Desk();
  desk.cents = 60;
  const order = await desk.priced();
  desk.answer = async ({ orders: [first] }) => {
    await desk.clock.advance(60_000);
    desk.cents = first!.shownCents === 60 ? 70 : 65;
    return true;
  };
  const agreed = await desk.agreement.to(order, 'user');
  assert.deepEqual(desk.asked, [[[undefined, 60]], [[60, 70]]]);
  assert.equal(agreed?.shownCents, 70);
});

test('the last of many renders confirmed together is asked about again if its price rose', async () => {
  const desk = new Desk();
  const orders = [await desk.priced(), await desk.priced()];
  assert.ok(await desk.agreement.agreed(orders[0]!));
  await desk.clock.advance(60_000);
  desk.cents = 5;
  assert.equal((await desk.agreement.agreed(orders[1]!))?.shownCents, 5);
  assert.deepEqual(desk.asked, [[[4, 5]]]);
});

test('an order whose price has an unknown age or source is priced again', async () => {
  const desk = new Desk();
  const { asked, ...rest } = await desk.priced();
  desk.cents = 6;
  await desk.agreement.to({ ...rest, asked: { client: asked!.client } }, 'user');
  await desk.agreement.to(rest, 'user');
  assert.deepEqual(desk.asked, [[[4, 6]], [[4, 6]]]);
});

test('unattended renders within the budget are asked about if their price rose, many of them in one question', async () => {
  const desk = new Desk();
  const orders = await Promise.all(Array.from({ length: 3 }, () => desk.priced()));
  desk.answer = async ({ orders: [first] }) => {
    if (first!.before) return false;
    await desk.clock.advance(60_000);
    desk.cents = 6;
    return true;
  };
  const agreed = await Promise.all(orders.map((order) => desk.agreement.unattended(() => Promise.resolve(order))));
  await settled();
  assert.deepEqual(agreed, [undefined, undefined, undefined]);
  assert.deepEqual(desk.asked, [
    [
      [undefined, 4],
      [undefined, 4],
      [undefined, 4],
    ],
    [
      [4, 6],
      [4, 6],
      [4, 6],
    ],
  ]);
});

test('a render that wasn’t started because of its price leaves the unattended budget unchanged', async () => {
  const desk = new Desk();
  desk.limits.unattendedBudget = 8;
  desk.answer = () => false;
  const spend = (order: PricedOrder) => desk.agreement.unattended(() => Promise.resolve(order));
  const [first, second] = [await desk.priced(), await desk.priced()];
  await desk.clock.advance(60_000);
  desk.cents = 6;
  assert.equal(await spend(first), undefined);
  assert.deepEqual(desk.asked, [[[4, 6]]]);
  desk.away = true;
  await assert.rejects(spend(second), ServiceError);

  Object.assign(desk, { away: false, cents: 4 });
  assert.ok(await spend(await desk.priced()));
  const last = await desk.priced();
  assert.ok(await spend(last));
  assert.equal(desk.questions.length, 1, 'eight cents are spent within a budget of eight');
  desk.agreement.takeBack(last);
  assert.ok(await spend(await desk.priced()), 'one that could not be placed is not spent either');
  assert.equal(await spend(await desk.priced()), undefined);
  assert.equal(desk.questions.length, 2, 'what was ordered is');
});

test('a render whose higher price was confirmed doesn’t count as unattended', async () => {
  const desk = new Desk();
  desk.limits.unattendedBudget = 4;
  const risen = await desk.priced();
  await desk.clock.advance(60_000);
  desk.cents = 6;
  assert.ok(await desk.agreement.unattended(() => Promise.resolve(risen)));
  desk.cents = 4;
  const order = await desk.priced();
  assert.ok(await desk.agreement.unattended(() => Promise.resolve(order)));
  assert.deepEqual(desk.asked, [[[4, 6]]]);
});

test('a price shown for confirmation is the current one, lower or higher', async () => {
  for (const cents of [3, 5, undefined]) {
    const desk = new Desk();
    const order = await desk.priced();
    assert.equal(await desk.agreement.current(order), order);
    await desk.clock.advance(60_000);
    desk.cents = cents;
    const { shownCents, before } = await desk.agreement.current(order);
    assert.deepEqual([shownCents, before, desk.questions.length], [cents, undefined, 0]);
  }
});

test('an order that would make the same image is asked about, however cheap, and goes out as chosen', async () => {
  const otherSeeds = frozenInputs({ ...inputs, seed: 2 });
  for (const answer of [true, 'otherSeeds', false] as const) {
    const desk = new Desk();
    desk.answer = () => answer;
    const agreed = await desk.agreement.to({ ...(await desk.priced()), otherSeeds }, 'user');
    assert.equal(desk.questions.length, 1);
    const sent = answer === 'otherSeeds' ? otherSeeds : inputs;
    assert.equal(agreed?.inputs, answer === false ? undefined : sent);
    const asked = JSON.parse(desk.bodies.at(-1)!) as { readonly inputs: unknown };
    assert.deepEqual(asked.inputs, sent, 'the price is that of what is sent');
  }
});

test('other seeds that cost more than stated are asked about again before anything is sent', async () => {
  const desk = new Desk();
  desk.answer = ({ orders }) => {
    desk.cents = 7;
    return orders[0]?.otherSeeds ? 'otherSeeds' : true;
  };
  const order = await desk.priced();
  const agreed = await desk.agreement.to({ ...order, otherSeeds: frozenInputs({ seed: 2 }) }, 'user');
  assert.deepEqual(desk.asked, [[[undefined, 4]], [[4, 7]]]);
  assert.equal(agreed?.shownCents, 7);
  assert.deepEqual(agreed.inputs, { seed: 2 });
});

test('the orders of one press that became dearer meanwhile are asked about together, once', async () => {
  const desk = new Desk();
  const orders = [await desk.priced(), await desk.priced()];
  assert.equal((await desk.agreement.together(orders))?.length, 2);
  assert.deepEqual(desk.asked, []);
  await desk.clock.advance(60_000);
  desk.cents = 5;
  const agreed = await desk.agreement.together(orders);
  assert.deepEqual(
    agreed?.map(({ shownCents, before }) => [shownCents, before]),
    [
      [5, undefined],
      [5, undefined],
    ],
  );
  desk.answer = () => false;
  await desk.clock.advance(60_000);
  assert.equal(await desk.agreement.together(orders), undefined);
  assert.deepEqual(desk.asked, [
    [
      [4, 5],
      [4, 5],
    ],
    [
      [4, 5],
      [4, 5],
    ],
  ]);
});
