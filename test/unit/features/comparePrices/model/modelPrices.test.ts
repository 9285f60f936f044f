import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../../src/catalog/errors';
import type { Field, Model } from '../../../../../src/catalog/fields';
import { Blocked, ModelPrices } from '../../../../../src/features/comparePrices/model/modelPrices';
import { settled } from '../../../clock';

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

function comparing(models: readonly Model[], ticked: readonly string[] = []) {
  const prices = new Prices(models);
  return { prices, list: new ModelPrices(wish, models, prices, ticked) };
}

function many(count: number): Model[] {
  return Array.from({ length: count }, (_, index) => modelOf(`c/d/${index}`));
}

const titles = (list: ModelPrices, held: readonly string[] = []) =>
  list
    .arranged(held)
    .map(({ item }) => item.model.title)
    .join(' ');

test('the current model and others are listed with their price and the inputs they ignore', async () => {
  const { list } = comparing([modelOf('c/d/plain')]);
  await list.askMore(12);
  assert.deepEqual(
    list.rows.map(
      ({ item, price }) => price.is === 'known' && [item.model.title, price.priced.inputs, price.priced.left],
    ),
    [
      ['own', { prompt: 'a fox', seed: 7 }, []],
      ['plain', { prompt: 'a fox' }, [seed]],
    ],
  );
});

test('a missing price has its reason, and models without a prompt aren’t listed', async () => {
  const odd = new ServiceError('invalidInput', 'no', { status: 400 });
  const { prices, list } = comparing([
    modelOf('c/d/masked', [prompt, mask]),
    modelOf('c/d/silent', []),
    modelOf('c/d/vague'),
    modelOf('c/d/odd'),
  ]);
  prices.of = (id) => (id === 'c/d/odd' ? Promise.reject(odd) : Promise.resolve(id === 'c/d/vague' ? undefined : 3));
  await list.askMore(12);
  const answers = list.rows.map(({ item, price }) => [
    item.model.title,
    price.is === 'known' ? price.priced.shownCents : price.is === 'failed' && price.error,
  ]);
  const hindered = answers.find(([title]) => title === 'masked')?.[1];
  assert.ok(hindered instanceof Blocked && hindered.blocker.field === mask);
  assert.deepEqual(
    answers.filter(([title]) => title !== 'masked'),
    [
      ['own', 3],
      ['vague', undefined],
      ['odd', odd],
    ],
  );
  assert.deepEqual(list.unasked, []);
});

test('in a catalog of ten thousand, only as many prices are requested as the user loads, a few at a time', async () => {
  const { prices, list } = comparing(many(10_000), ['c/d/9000']);
  assert.equal(prices.asked.length, 0);
  prices.of = async () => (await settled(), 1);
  const asking = list.askMore(12);
  await list.askMore(12);
  await asking;
  assert.deepEqual([prices.asked.length, prices.mostAtOnce, list.unasked.length], [12, 4, 9989]);
  await list.askMore(12);
  assert.equal(prices.asked.length, 24);
  assert.equal(new Set(prices.asked).size, 24);
});

test('when the service stops responding, requests end, and the rest can be requested again', async () => {
  const { prices, list } = comparing(many(20));
  const slow = new ServiceError('tooManyRequests', 'slow down', { status: 429 });
  prices.of = () => (prices.asked.length > 3 ? Promise.reject(slow) : Promise.resolve(1));
  await list.askMore(12);
  assert.equal(list.problem, slow);
  assert.ok(prices.asked.length <= 7);
  assert.equal(list.arranged([]).length + list.unasked.length, 21);
  prices.of = () => Promise.resolve(1);
  await list.askMore(30);
  assert.deepEqual([list.problem, list.arranged([]).length, list.unasked.length], [undefined, 21, 0]);
});

test('rows are sorted by price, those without one last; held ones stay in place, and new ones follow by price', async () => {
  const cents: Record<string, number | undefined> = { own: 9, c: 5, b: 2, a: 5, z: undefined, y: undefined };
  const { prices, list } = comparing(Array.from('zcbay', (name) => modelOf(`c/d/${name}`)));
  prices.of = (id) => Promise.resolve(cents[id.split('/')[2] ?? '']);
  await list.askMore(12);
  assert.equal(titles(list), 'b a c own y z');
  list.tick(new Set(list.rows.map(({ item }) => item.id)));
  assert.deepEqual(
    list.agreed.map(({ cents }) => cents),
    [2, 5, 5, 9],
  );
  assert.equal(titles(list, ['c/d/c', 'c/d/y', 'c/d/b']), 'c y b a own z');
});

test('last time’s models are selected once they have a price; one without a price never is', async () => {
  const { prices, list } = comparing(
    Array.from('abcd', (name) => modelOf(`c/d/${name}`)),
    ['c/d/b', 'c/d/c', 'c/d/d'],
  );
  prices.of = (id) =>
    id === 'c/d/d'
      ? Promise.reject(new ServiceError('status', 'no', { status: 500 }))
      : Promise.resolve(id === 'c/d/c' ? undefined : 4);
  const ticked = () => list.ticked.map(({ item }) => item.model.title).join(' ');
  await list.askMore(2);
  list.tick(new Set(['c/d/a']));
  await list.askMore(12);
  assert.equal(ticked(), 'a b');
  list.tick(new Set(['c/d/b', 'c/d/c']));
  assert.deepEqual([ticked(), list.sumCents], ['b', 4]);
});
