import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Course } from '../../../src/host/orderAll';
import { orderAll } from '../../../src/host/orderAll';
import type { LibraryEntry } from '../../../src/renders/library';
import type { Order, RenderRecord } from '../../../src/renders/record';

function orderOf(intent: string): Order {
  return { intent, modelId: 'm', inputs: {}, target: { folder: '', fileName: intent }, shownCents: 4, account: 'a' };
}

const orders = ['1', '2', '3', '4', '5', '6', '7'].map(orderOf);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A service that takes every order, and ends them when it is told to. */
class Desk {
  readonly ordered: string[] = [];
  readonly courses: string[] = [];
  readonly cancelled = new AbortController();
  private readonly ends = new Map<string, (entry: LibraryEntry) => void>();

  constructor(private readonly answers: Record<string, Partial<RenderRecord> | Error> = {}) {}

  run() {
    const record = (key: string) => Object.assign({ key, state: 'accepted' }, this.answers[key]) as RenderRecord;
    const doors = {
      order: ({ intent }: Order) => {
        const answer = this.answers[intent];
        if (answer instanceof Error) return Promise.reject(answer);
        this.ordered.push(intent);
        return Promise.resolve(record(intent));
      },
      sent: (key: string) => Promise.resolve(record(key)),
      ended: (key: string) => {
        if (record(key).state !== 'accepted') return Promise.resolve({ id: key } as LibraryEntry);
        return new Promise<LibraryEntry>((resolve) => this.ends.set(key, resolve));
      },
    };
    const tell = ({ ordered, ended }: Course) => void this.courses.push(`${ended.length} of ${ordered}`);
    return orderAll(orders, doors, this.cancelled.signal, tell);
  }

  async end(...keys: string[]): Promise<void> {
    await settled();
    for (const key of keys) this.ends.get(key)?.({ id: key } as LibraryEntry);
    await settled();
  }
}

test('a few are under way at a time, and the next is ordered when one has ended', async () => {
  const desk = new Desk();
  const outcome = desk.run();
  await settled();
  assert.deepEqual(desk.ordered, ['1', '2', '3', '4', '5']);
  await desk.end('2');
  assert.deepEqual(desk.ordered, ['1', '2', '3', '4', '5', '6']);
  await desk.end('1');
  await desk.end('3', '4', '5', '6', '7');
  const { ordered, ended, stopped } = await outcome;
  assert.deepEqual([ordered, ended.map(({ id }) => id).join(' '), stopped], [7, '2 1 3 4 5 6 7', undefined]);
  assert.equal(desk.courses.at(-1), '7 of 7');
});

test('cancelled, nothing more is ordered, and nobody waits for what goes on', async () => {
  const desk = new Desk();
  const outcome = desk.run();
  await settled();
  desk.cancelled.abort();
  const { ordered, stopped } = await outcome;
  assert.deepEqual([desk.ordered, ordered, stopped], [['1', '2', '3', '4', '5'], 5, { by: 'person' }]);
});

test('a refusal that all would meet stops the rest, and one for its own inputs does not', async () => {
  const short = new Desk({ 2: { state: 'refused', problem: { code: 'balanceTooLow' } } });
  const outcome = short.run();
  await short.end('1');
  assert.deepEqual([(await outcome).stopped, short.ordered], [{ by: 'refusal' }, ['1', '2']]);

  const wrong = new Desk({ 2: { state: 'refused', problem: { code: 'invalidInput' } } });
  const all = wrong.run();
  await wrong.end('1');
  await wrong.end('3', '4', '5', '6', '7');
  assert.deepEqual([(await all).stopped, wrong.ordered.length], [undefined, 7]);
});

test('one that waits for the service stops the rest', async () => {
  const desk = new Desk({ 1: { state: 'planned' } });
  assert.deepEqual([(await desk.run()).stopped, desk.ordered], [{ by: 'refusal' }, ['1']]);
});

test('one that cannot be ordered stops the rest, and those before it are waited for', async () => {
  const error = new Error('over the limit');
  const desk = new Desk({ 3: error });
  const outcome = desk.run();
  await desk.end('1', '2');
  const { ordered, ended, stopped } = await outcome;
  assert.deepEqual([ordered, ended.length, stopped], [2, 2, { by: 'error', error }]);
});
