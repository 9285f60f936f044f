import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import type { Field, Model } from '../../../src/catalog/types';
import { arrangedPrices, type PriceAnswer, PriceComparison, totalOf } from '../../../src/compose/priceComparison';
import { settled } from '../clock';
import { deferred } from '../deferred';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const seed: Field = { ...prompt, name: 'seed', label: 'Seed', kind: 'seed', required: false };
const mask: Field = { ...prompt, name: 'mask', label: 'Mask', kind: 'json' };

function modelOf(id: string, fields: readonly Field[] = [prompt]): Model {
  const [provider = '', family = '', name = ''] = id.split('/');
  return { id, provider, family, name, title: name, kind: 'image', fields };
}

const own = modelOf('a/b/own', [prompt, seed]);
const wish = { model: own, inputs: { prompt: 'a fox', seed: 7 } };

/** A service that records its requests, and how many are concurrent. */
class Prices {
  readonly asked: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  of: (modelId: string) => Promise<number | undefined> = () => Promise.resolve(1);

  constructor(private readonly models: readonly Model[]) {}

  model = (id: string) => {
    const model = this.models.find((one) => one.id === id);
    return model ? Promise.resolve(model) : Promise.reject(new ServiceError('status', 'unknown', { status: 404 }));
  };

  quote = async (modelId: string) => {
    this.asked.push(modelId);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    try {
      return { costCents: await this.of(modelId) };
    } finally {
      this.atOnce -= 1;
    }
  };
}

function comparing(models: readonly Model[]) {
  const prices = new Prices(models);
  return { prices, comparison: new PriceComparison(wish, models, prices) };
}

function many(count: number): Model[] {
  return Array.from({ length: count }, (_, index) => modelOf(`c/d/${index}`));
}

const says = (answers: readonly PriceAnswer[]) =>
  answers.map(({ says: what, model }) => `${model.title} ${what}`).sort();

test('the current model and others are listed with their price and the inputs they ignore', async () => {
  const { comparison } = comparing([modelOf('c/d/plain')]);
  await comparison.ask(12);
  assert.deepEqual(
    comparison.answers.map((answer) => answer.says === 'price' && [answer.model.title, answer.inputs, answer.left]),
    [
      ['own', { prompt: 'a fox', seed: 7 }, []],
      ['plain', { prompt: 'a fox' }, [seed]],
    ],
  );
});

test('a missing price has its reason, and models without a prompt aren’t listed', async () => {
  const { prices, comparison } = comparing([
    modelOf('c/d/masked', [prompt, mask]),
    modelOf('c/d/silent', []),
    modelOf('c/d/vague'),
    modelOf('c/d/odd'),
  ]);
  prices.of = (id) =>
    id === 'c/d/odd'
      ? Promise.reject(new ServiceError('invalidInput', 'no', { status: 400 }))
      : Promise.resolve(id === 'c/d/vague' ? undefined : 3);
  await comparison.ask(12);
  assert.deepEqual(says(comparison.answers), ['masked hindered', 'odd failed', 'own price', 'vague notStated']);
  assert.equal(comparison.unasked, 0);
});

test('in a catalog of ten thousand, only as many prices are requested as the person loads, a few at a time', async () => {
  const { prices, comparison } = comparing(many(10_000));
  prices.of = async () => (await settled(), 1);
  await comparison.ask(12);
  assert.deepEqual([prices.asked.length, prices.mostAtOnce, comparison.unasked], [12, 4, 9989]);
  await comparison.ask(12);
  assert.equal(prices.asked.length, 24);
  assert.equal(new Set(prices.asked).size, 24);
});

test('when the service stops responding, requests end, and the rest can be requested again', async () => {
  const { prices, comparison } = comparing(many(20));
  const slow = new ServiceError('tooManyRequests', 'slow down', { status: 429 });
  prices.of = () => (prices.asked.length > 3 ? Promise.reject(slow) : Promise.resolve(1));
  await comparison.ask(12);
  assert.equal(comparison.problem, slow);
  assert.ok(prices.asked.length <= 7);
  assert.equal(comparison.answers.length + comparison.unasked, 21);
  prices.of = () => Promise.resolve(1);
  await comparison.ask(30);
  assert.deepEqual([comparison.problem, comparison.answers.length, comparison.unasked], [undefined, 21, 0]);
});

test('it shows progress until all prices are in, and runs one batch at a time', async () => {
  const { prices, comparison } = comparing([]);
  const { promise, resolve } = deferred<number>();
  prices.of = () => promise;
  const asking = comparison.ask(12);
  await comparison.ask(12);
  assert.equal(comparison.isAsking, true);
  resolve(2);
  await asking;
  assert.equal(comparison.isAsking, false);
  assert.equal(prices.asked.length, 1);
});

test('once the person has left, requests in progress are canceled, and nothing more is requested or shown', async () => {
  const models = many(20);
  const signals: AbortSignal[] = [];
  const { promise, resolve } = deferred<{ costCents: number }>();
  const comparison = new PriceComparison(wish, models, {
    model: (id) => Promise.resolve(modelOf(id)),
    quote: (_, __, signal) => (signals.push(signal), promise),
  });
  const asking = comparison.ask(12);
  await settled();
  comparison.dispose();
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true, true, true],
  );
  resolve({ costCents: 1 });
  await asking;
  assert.equal(signals.length, 4);
  assert.deepEqual(comparison.answers, []);
});

const priced = (title: string, costCents: number): PriceAnswer => ({
  says: 'price',
  model: modelOf(`c/d/${title}`),
  inputs: {},
  left: [],
  costCents,
});
const unpriced = (title: string): PriceAnswer => ({ says: 'notStated', model: modelOf(`c/d/${title}`) });
const titles = (answers: readonly PriceAnswer[]) => answers.map(({ model }) => model.title).join(' ');

test('rows are sorted by price, those without one last', () => {
  const answers = [unpriced('z'), priced('c', 5), priced('b', 2), priced('a', 5), unpriced('y')];
  assert.equal(titles(arrangedPrices(answers)), 'b a c y z');
});

test('rows that someone is working with stay in place, and new ones follow by price', () => {
  const answers = [priced('c', 5), priced('b', 2), priced('new', 1), unpriced('y'), priced('newer', 3)];
  assert.equal(titles(arrangedPrices(answers, ['c/d/c', 'c/d/y', 'c/d/b'])), 'c y b new newer');
});

test('a choice is summed up with the balance after it', () => {
  const chosen = [{ costCents: 4 }, { costCents: 9 }];
  assert.deepEqual(totalOf(chosen, 10), { count: 2, costCents: 13, afterCents: -3 });
  assert.deepEqual(totalOf(chosen, undefined), { count: 2, costCents: 13, afterCents: undefined });
  assert.deepEqual(totalOf([], 10), { count: 0, costCents: 0, afterCents: 10 });
});
