import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenInputs } from '../../../src/base/json';
import { ServiceError } from '../../../src/catalog/errors';
import type { Model } from '../../../src/catalog/fields';
import { Consent, type Initiator, type Question } from '../../../src/renders/consent';
import type { LibraryEntry } from '../../../src/renders/library';
import { Orders } from '../../../src/renders/orders';
import { OrderError } from '../../../src/renders/orderError';
import type { Order, RenderRecord } from '../../../src/renders/record';
import { TestClock } from '../clock';
import { record } from './records';

const place = 'https://models.example';
const inputs = frozenInputs({ prompt: 'a red kite', seed: 7 });
const words = { question: 'Render “a red kite” again?' };
const fields: Model['fields'] = [
  { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'string', required: true },
  { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'integer', required: false, minimum: 0, maximum: 9 },
];

/** A project with one image of a model that has a seed, and a service whose answers a test decides. */
class Desk {
  readonly clock = new TestClock();
  readonly records: RenderRecord[] = [record({ key: 'first', inputs, plannedAt: -60_000, endedAt: -50_000 })];
  readonly questions: Question[] = [];
  answer: boolean | 'otherSeeds' = true;
  model: () => Promise<Pick<Model, 'kind' | 'fields'> | undefined> = () => Promise.resolve({ kind: 'image', fields });
  private intents = 0;
  private readonly orders = this.ordersOf();

  /** The seeds of all renders. */
  get seeds(): readonly unknown[] {
    return this.records.map(({ inputs }) => inputs['seed']);
  }

  again(initiator: Initiator, seenCents?: number): Promise<RenderRecord | undefined> {
    const { modelId, target } = this.records[0]!;
    const draft = { intent: `intent-${++this.intents}`, modelId, inputs, target };
    return this.orders.renderAgain(draft, words, initiator, seenCents);
  }

  private ordersOf(): Orders {
    const { records, clock, questions } = this;
    const ask = (question: Question) => (questions.push(question), Promise.resolve(this.answer));
    const limits = {
      ...{ confirmAbove: 50, unattendedBudget: 100, agentAllowance: 0, confirmAfter: { renders: 0, cents: 0 } },
    };
    const consent = new Consent({ ask, tellRefused: () => {} }, () => limits, clock);
    const client = { account: 'account-1', base: place, quote: () => Promise.resolve({ costCents: 4 }) };
    const placed = (order: Order) => {
      records.push(
        record({ ...order, key: order.intent, plannedAt: clock.now(), endedAt: undefined, file: undefined }),
      );
      return records.at(-1)!;
    };
    const never = () => {
      throw new Error('Nobody orders in this way');
    };
    const library = {
      catchUp: () => {},
      get entries() {
        return records.map((one) => ({ group: 'finished', startedAt: one.plannedAt, record: one }) as LibraryEntry);
      },
      inputsOf: never,
      ofRecord: never,
      placesOf: () => new Set([place]),
      planned: [],
    };
    return new Orders(
      consent,
      {
        of: () => [],
        check: () => {},
        place: placed,
        placeTogether: (orders) => orders.map(placed),
        send: never,
      },
      { begin: () => {}, discard: never, isSending: never, send: never, settle: never },
      library,
      { client: () => client, place: () => place, model: () => this.model() },
      { decide: (target) => Promise.resolve(target), prove: () => Promise.resolve() },
      clock,
      { unit: () => 0.5, uuid: () => 'another' },
    );
  }
}

test('a press makes another image at once, with a new seed', async () => {
  const desk = new Desk();
  await desk.again('user', 4);
  assert.deepEqual(desk.questions, []);
  assert.equal(desk.seeds.length, 2);
  assert.notEqual(desk.seeds[1], 7);
});

test('a second press right after it is asked about, since it may be meant for the same one', async () => {
  const desk = new Desk();
  await desk.again('user', 4);
  desk.answer = false;
  await desk.again('user', 4);
  assert.equal(desk.questions.length, 1);
  assert.equal(desk.seeds.length, 2);
  await desk.clock.advance(3000);
  await desk.again('user', 4);
  assert.equal(desk.questions.length, 1);
  assert.equal(desk.seeds.length, 3);
});

test('a command asks, whatever the allowance, and offers the same image as well', async () => {
  for (const answer of [true, 'otherSeeds', false] as const) {
    const desk = new Desk();
    desk.answer = answer;
    await desk.again('automation', 4);
    assert.equal(desk.questions.length, 1);
    assert.notEqual(desk.questions[0]!.orders[0]!.otherSeeds?.['seed'], 7);
    if (answer === false) assert.deepEqual(desk.seeds, [7]);
    else assert.equal(desk.seeds[1] === 7, answer === true);
  }
});

test('if the model can’t be read, there’s no new seed, and nothing is ordered', async () => {
  const gone = new Desk();
  gone.model = () => Promise.resolve(undefined);
  await assert.rejects(gone.again('user', 4), (error) => error instanceof OrderError && error.code === 'modelGone');
  assert.deepEqual(gone.seeds, [7]);
  const desk = new Desk();
  let reads = 0;
  const unread = new ServiceError('status', 'busy', { status: 500 });
  desk.model = () => (++reads === 1 ? Promise.resolve({ kind: 'image', fields }) : Promise.reject(unread));
  await assert.rejects(desk.again('user', 4), unread);
  assert.deepEqual(desk.seeds, [7]);
});
