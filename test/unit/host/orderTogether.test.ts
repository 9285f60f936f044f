import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderTogether, type OrderDesk } from '../../../src/host/orderTogether';
import type { Order, RenderRecord } from '../../../src/renders/record';
import { TestClock } from '../clock';
import { deferred } from '../deferred';

const orders = ['one', 'two', 'three'].map((intent): Order => ({
  intent,
  modelId: `a/b/${intent}`,
  inputs: { prompt: 'a fox' },
  target: { folder: 'renders', fileName: '${slug}' },
  shownCents: 4,
  account: 'account',
}));

function record(key: string, rest: Partial<RenderRecord> = {}): RenderRecord {
  return { key, state: 'accepted', ...rest } as RenderRecord;
}

/** A desk that notes what is placed, each with the answer of the service. */
class Desk implements OrderDesk {
  readonly placed: string[] = [];
  answer: (key: string) => Promise<RenderRecord> = (key) => Promise.resolve(record(key));
  refuse: (order: Order) => Error | 'no' | undefined = () => undefined;

  place = (order: Order) => {
    const refusal = this.refuse(order);
    if (refusal === 'no') return Promise.resolve(undefined);
    if (refusal) return Promise.reject(refusal);
    this.placed.push(order.intent);
    return Promise.resolve(record(order.intent));
  };

  send = (key: string) => this.answer(key);
}

test('all are placed, each once the one before is answered', async () => {
  const clock = new TestClock();
  const desk = new Desk();
  const { promise, resolve } = deferred<RenderRecord>();
  desk.answer = (key) => (key === 'one' ? promise : Promise.resolve(record(key)));
  const ordering = orderTogether(orders, desk, clock);
  await clock.advance(5000);
  assert.deepEqual(desk.placed, ['one']);
  resolve(record('one'));
  assert.deepEqual(await ordering, { keys: ['one', 'two', 'three'], problem: undefined });
  assert.equal(clock.waiting, 0);
});

test('one that is not answered holds the others up for ten seconds, no longer', async () => {
  const clock = new TestClock();
  const desk = new Desk();
  desk.answer = (key) => (key === 'one' ? new Promise(() => {}) : Promise.resolve(record(key)));
  const ordering = orderTogether(orders, desk, clock);
  await clock.advance(9999);
  assert.deepEqual(desk.placed, ['one']);
  await clock.advance(1);
  assert.deepEqual((await ordering).keys, ['one', 'two', 'three']);
});

test('a refusal that holds for all of them is heard once: no other is placed', async () => {
  for (const code of ['balanceTooLow', 'dailyCap', 'keyRefused'] as const) {
    const desk = new Desk();
    desk.answer = (key) => Promise.resolve(record(key, { state: 'refused', problem: { code } }));
    assert.deepEqual(await orderTogether(orders, desk, new TestClock()), { keys: ['one'], problem: undefined }, code);
  }
});

test('one that could not be sent waits for the person, and so do the others', async () => {
  const desk = new Desk();
  desk.answer = (key) => Promise.resolve(record(key, { state: 'planned', problem: { code: 'otherAccount' } }));
  await orderTogether(orders, desk, new TestClock());
  assert.deepEqual(desk.placed, ['one']);
});

test('a refusal of one model’s inputs is none of the others', async () => {
  const desk = new Desk();
  desk.answer = (key) => Promise.resolve(record(key, { state: 'refused', problem: { code: 'invalidInput' } }));
  await orderTogether(orders, desk, new TestClock());
  assert.deepEqual(desk.placed, ['one', 'two', 'three']);
});

test('a limit that is reached in between ends it, with the reason', async () => {
  const desk = new Desk();
  const over = new Error('the budget');
  desk.refuse = ({ intent }) => (intent === 'two' ? over : undefined);
  assert.deepEqual(await orderTogether(orders, desk, new TestClock()), { keys: ['one'], problem: over });
});

test('a no of the person ends it', async () => {
  const desk = new Desk();
  desk.refuse = ({ intent }) => (intent === 'two' ? 'no' : undefined);
  assert.deepEqual(await orderTogether(orders, desk, new TestClock()), { keys: ['one'], problem: undefined });
});
