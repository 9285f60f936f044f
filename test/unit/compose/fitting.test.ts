import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import type { Field, Model, ModelSummary } from '../../../src/catalog/fields';
import { findFits, similarModels, type ModelFit } from '../../../src/compose/fitting';
import { settled } from '../clock';
import { deferred } from '../deferred';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const size: Field = {
  ...prompt,
  name: 'size',
  kind: 'choice',
  required: false,
  default: 'large',
  choices: ['small', 'medium', 'large'].map((value) => ({ value, label: value })),
};

function modelOf(id: string, fields: readonly Field[] = [prompt]): Model {
  const [provider = '', family = '', name = ''] = id.split('/');
  return { id, provider, family, name, title: name, kind: 'image', fields };
}

const own = modelOf('a/b/own', [prompt, size]);
const wish = { model: own, inputs: { prompt: 'a fox' } };

/** A price list that counts its requests. */
class Prices {
  readonly asked: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  of: (modelId: string, size: unknown) => Promise<number | undefined> = () => Promise.resolve(1);

  model = (id: string) => Promise.resolve(modelOf(id));

  quote = async (modelId: string, inputs: object) => {
    const value = 'size' in inputs ? inputs.size : undefined;
    this.asked.push([modelId, value].filter(Boolean).join(' '));
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    try {
      return { costCents: await this.of(modelId, value) };
    } finally {
      this.atOnce -= 1;
    }
  };
}

async function fitsOf(
  prices: Prices,
  models: readonly ModelSummary[],
  limit = 3,
  signal = new AbortController().signal,
) {
  const found: ModelFit[] = [];
  const isWhole = await findFits(wish, models, limit, prices, (fit) => found.push(fit), signal);
  return { isWhole, found: found.map(({ model, change, costCents }) => [model.id, change?.choice.value, costCents]) };
}

test('cheaper options come with the service’s price, from the same model and others', async () => {
  const prices = new Prices();
  prices.of = (id, value) => Promise.resolve(id === 'c/d/dear' ? 9 : value === 'medium' ? 4 : 2);
  const { isWhole, found } = await fitsOf(prices, [modelOf('c/d/dear'), modelOf('c/d/cheap')]);
  assert.equal(isWhole, true);
  assert.deepEqual(found.sort(), [
    ['a/b/own', 'small', 2],
    ['c/d/cheap', undefined, 2],
  ]);
});

test('an unstated price never fits', async () => {
  const prices = new Prices();
  prices.of = () => Promise.resolve(undefined);
  assert.deepEqual((await fitsOf(prices, [modelOf('c/d/e')])).found, []);
});

test('a few are requested at the same time, and only the closest in a large catalog', async () => {
  const prices = new Prices();
  prices.of = async () => (await settled(), 1);
  const models = Array.from({ length: 500 }, (_, index) => modelOf(`c/d/${index}`));
  await fitsOf(prices, models);
  assert.equal(prices.mostAtOnce, 3);
  assert.equal(prices.asked.length, 2 + 12);
});

test('a rejected one doesn’t affect the others', async () => {
  const prices = new Prices();
  prices.of = (id) =>
    id === 'c/d/odd' ? Promise.reject(new ServiceError('invalidInput', 'no', { status: 400 })) : Promise.resolve(1);
  const { isWhole, found } = await fitsOf(prices, [modelOf('c/d/odd'), modelOf('c/d/e')]);
  assert.equal(isWhole, true);
  assert.equal(found.length, 3);
});

test('a service that asks for fewer requests gets no more', async () => {
  const prices = new Prices();
  prices.of = () => Promise.reject(new ServiceError('tooManyRequests', 'slow down', { status: 429 }));
  const models = Array.from({ length: 20 }, (_, index) => modelOf(`c/d/${index}`));
  const { isWhole, found } = await fitsOf(prices, models);
  assert.deepEqual([isWhole, found], [false, []]);
  assert.equal(prices.asked.length, 3);
});

test('once the user has left, nothing more is requested or shown', async () => {
  const prices = new Prices();
  const { promise, resolve } = deferred<number>();
  prices.of = () => promise;
  const leaving = new AbortController();
  const asking = fitsOf(prices, [modelOf('c/d/e'), modelOf('c/d/f')], 3, leaving.signal);
  await settled();
  leaving.abort();
  resolve(1);
  assert.deepEqual((await asking).found, []);
  assert.equal(prices.asked.length, 3);
});

test('recently used models come first, then the family, the provider, and the others; other kinds aren’t included', () => {
  const listed = [
    modelOf('x/y/z'),
    { ...modelOf('a/b/text'), kind: 'text' as const },
    modelOf('a/c/same-provider'),
    modelOf('a/b/same-family'),
    own,
    modelOf('x/y/favourite'),
  ];
  assert.deepEqual(
    similarModels(own, listed, ['x/y/favourite']).map(({ id }) => id),
    ['x/y/favourite', 'a/b/same-family', 'a/c/same-provider', 'x/y/z'],
  );
});
