import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LibraryEntry } from '../../../src/renders/library';
import { type BatchActions, orderInTurn } from '../../../src/renders/batch';
import type { Order, RenderRecord } from '../../../src/renders/record';

function orderOf(intent: string): Order {
  return { intent, modelId: 'm', inputs: {}, target: { folder: '', fileName: intent }, shownCents: 4, account: 'a' };
}

const orders = ['1', '2', '3', '4', '5', '6', '7'].map(orderOf);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What happens to an order: its state when sent, no response, the user's refusal, or an error. */
type Answer = Partial<RenderRecord> | 'none' | 'no' | Error;

/** A service that accepts every order unless told otherwise, and ends them on demand. */
class Desk implements BatchActions {
  readonly started: string[] = [];
  readonly discarded: string[] = [];
  readonly courses: string[] = [];
  readonly cancelled = new AbortController();
  private readonly ends = new Map<string, (entry: LibraryEntry) => void>();
  private readonly answering = new Map<string, (record: RenderRecord) => void>();

  constructor(private readonly answers: Record<string, Answer> = {}) {}

  begin(some: readonly Order[] = orders) {
    return orderInTurn(some, this, this.cancelled.signal, (ended, of) => this.courses.push(`${ended} of ${of}`));
  }

  start({ intent }: Order): Promise<RenderRecord | undefined> {
    const answer = this.answers[intent];
    if (answer === 'no') return Promise.resolve(undefined);
    if (answer instanceof Error) return Promise.reject(answer);
    this.started.push(intent);
    return Promise.resolve(recordOf(intent, { state: 'planned' }));
  }

  sent(key: string): Promise<RenderRecord> {
    const answer = this.answers[key];
    if (answer === 'none') return new Promise((resolve) => this.answering.set(key, resolve));
    return Promise.resolve(recordOf(key, answer as Partial<RenderRecord> | undefined));
  }

  ended(key: string): Promise<LibraryEntry> {
    const answer = this.answers[key];
    if (typeof answer === 'object') return Promise.resolve({ id: key } as LibraryEntry);
    return new Promise((resolve) => this.ends.set(key, resolve));
  }

  discard({ intent }: Order): void {
    this.discarded.push(intent);
  }

  async answer(key: string, rest: Partial<RenderRecord>): Promise<void> {
    await settled();
    this.answering.get(key)?.(recordOf(key, rest));
    await settled();
  }

  async end(...keys: string[]): Promise<void> {
    await settled();
    for (const key of keys) this.ends.get(key)?.({ id: key } as LibraryEntry);
    await settled();
  }
}

function recordOf(key: string, rest: Partial<RenderRecord> = {}): RenderRecord {
  return { key, state: 'accepted', ...rest } as RenderRecord;
}

test('a few are in progress at a time, the next is started when one ends, and all are reported in order', async () => {
  const desk = new Desk();
  const { started, ended } = desk.begin();
  await settled();
  assert.deepEqual(desk.started, ['1', '2', '3', '4', '5']);
  await desk.end('2');
  assert.deepEqual(desk.started, ['1', '2', '3', '4', '5', '6']);
  await desk.end('1');
  await desk.end('3', '4', '5', '6', '7');
  assert.deepEqual(await started, { count: 7 });
  assert.equal((await ended).map(({ id }) => id).join(' '), '1 2 3 4 5 6 7');
  assert.equal(desk.courses.at(-1), '7 of 7');
});

test('each is started once the one before has a response, however long that takes', async () => {
  const desk = new Desk({ 2: 'none' });
  const { started } = desk.begin(orders.slice(0, 3));
  await desk.end('1');
  assert.deepEqual(desk.started, ['1', '2']);
  await desk.answer('2', { state: 'accepted' });
  assert.deepEqual([desk.started, await started], [['1', '2', '3'], { count: 3 }]);
});

test('canceling stops the wait for a response, and discards the orders whose turn hasn’t come', async () => {
  const desk = new Desk({ 2: 'none' });
  const { started, ended } = desk.begin();
  await desk.end('1');
  desk.cancelled.abort();
  assert.deepEqual(await started, { count: 2, stopped: { by: 'person' } });
  assert.deepEqual([desk.started, (await ended).map(({ id }) => id)], [['1', '2'], ['1']]);
  assert.deepEqual(desk.discarded, ['3', '4', '5', '6', '7']);
});

test('after a cancel with five in progress, nothing waits for those, and no other is started when they end', async () => {
  const desk = new Desk();
  const { started, ended } = desk.begin();
  await settled();
  desk.cancelled.abort();
  assert.deepEqual([await started, await ended], [{ count: 5, stopped: { by: 'person' } }, []]);
  await desk.end('1', '2');
  assert.deepEqual(desk.started, ['1', '2', '3', '4', '5']);
});

test('a cancel after all are started reports nothing as stopped', async () => {
  const desk = new Desk();
  const { started, ended } = desk.begin(orders.slice(0, 2));
  await desk.end('1');
  desk.cancelled.abort();
  assert.deepEqual([await started, (await ended).length], [{ count: 2 }, 1]);
});

test('a rejection that may also apply to the others stops them, and those before it are awaited', async () => {
  for (const code of ['balanceTooLow', 'dailyCap', 'keyRefused'] as const) {
    const desk = new Desk({ 2: { state: 'refused', problem: { code } } });
    const { started, ended } = desk.begin();
    assert.deepEqual([await started, desk.started], [{ count: 2, stopped: { by: 'service' } }, ['1', '2']], code);
    assert.equal(desk.courses.at(-1), '1 of 2');
    await desk.end('1');
    assert.deepEqual(
      (await ended).map(({ id }) => id),
      ['1', '2'],
    );
  }
});

test('an invalid input or a failure stops none of the others', async () => {
  const desk = new Desk({ 1: { state: 'refused', problem: { code: 'invalidInput' } }, 2: { state: 'refunded' } });
  const { started } = desk.begin(orders.slice(0, 3));
  assert.deepEqual([await started, desk.started], [{ count: 3 }, ['1', '2', '3']]);
});

test('without a response to one, none of the others is sent', async () => {
  // It waits for the user, another window has it, or it may have been charged.
  for (const state of ['planned', 'sent', 'unknown'] as const) {
    const desk = new Desk({ 1: { state } });
    assert.deepEqual(await desk.begin().started, { count: 1, stopped: { by: 'service' } }, state);
    assert.deepEqual([desk.started, desk.discarded.length], [['1'], 6], state);
  }
});

test('an order that can’t be sent stops the rest, with the reason, and earlier ones are awaited', async () => {
  const error = new Error('over the limit');
  const desk = new Desk({ 3: error });
  const { started, ended } = desk.begin();
  assert.deepEqual(await started, { count: 2, stopped: { by: 'error', error } });
  assert.deepEqual(desk.discarded, ['3', '4', '5', '6', '7']);
  await desk.end('1', '2');
  assert.equal((await ended).length, 2);
});

test('it ends when the user declines', async () => {
  const desk = new Desk({ 2: 'no' });
  const { started } = desk.begin();
  assert.deepEqual([await started, desk.started], [{ count: 1, stopped: { by: 'person' } }, ['1']]);
});
