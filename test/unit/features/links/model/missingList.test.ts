import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Field, type Model, Seeds } from '../../../../../src/catalog/fields';
import type { JsonObject } from '../../../../../src/base/json';
import { ServiceError } from '../../../../../src/catalog/errors';
import { type MissingImage, MissingList } from '../../../../../src/features/links/model/missingList';
import { styleOf, TestShelf } from '../../../compose/shelf';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const ratio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  default: '1:1',
  choices: ['1:1', '16:9'].map((value) => ({ value, label: value })),
};
const mask: Field = { name: 'mask', label: 'Mask', kind: 'text', statedType: 'text', required: true };

function model(id: string, fields: readonly Field[] = [prompt, ratio]): Model {
  return { id, provider: 'a', family: 'image', name: id, title: id, kind: 'image', fields };
}

function image(name: string, words: string | undefined, more: Partial<MissingImage> = {}): MissingImage {
  return {
    file: `file:///project/${name}`,
    documents: ['file:///project/README.md'],
    offset: 0,
    prompt: words,
    isWorth: true,
    ...more,
  };
}

const seeds = new Seeds({ unit: () => 0.5 });

/** A list with its price requests; a render costs as many cents as its prompt has words. */
function listOf(
  images: readonly MissingImage[],
  answer?: (prompt: string) => number | undefined,
  shelf = new TestShelf(),
  wanted?: string,
) {
  const asked: JsonObject[] = [];
  const words = (text: string) => text.split(' ').length;
  const list = new MissingList(
    images,
    (_, inputs) => {
      asked.push(inputs);
      // An error in the response rejects the request.
      return Promise.resolve(inputs['prompt'] as string).then(answer ?? words);
    },
    seeds,
    shelf,
    wanted,
  );
  return { list, asked };
}

const pricesOf = (list: MissingList) =>
  list.rows.map(({ price }) => (price.is === 'known' ? price.priced.shownCents : price.is));
const ticksOf = (list: MissingList) => list.ticked.map(({ item }) => item.image.file.slice(16));

test('nothing is priced before there is a model, then each selected image once', async () => {
  const { list, asked } = listOf([image('a.png', 'a fox'), image('b.png', 'a red fox'), image('c.png', undefined)]);
  assert.deepEqual(asked, []);
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual(pricesOf(list), [2, 3, 'notAsked']);
  assert.deepEqual(ticksOf(list), ['a.png', 'b.png']);
  assert.deepEqual(
    list.agreed.map(({ item, cents }) => [item.modelId, item.inputs['prompt'], cents]),
    [
      ['plain', 'a fox', 2],
      ['plain', 'a red fox', 3],
    ],
  );
});

test('what may not be missing, and what isn’t worth rendering, is selected by a user alone', async () => {
  const { list, asked } = listOf([
    image('a.png', 'a red fox'),
    image('b.png', 'a fox', { isWorth: false }),
    image('c.png', 'an old fox', { doubt: { why: 'elsewhere', path: 'old/c.png' } }),
  ]);
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual([ticksOf(list), asked.length], [['a.png'], 1]);
  list.tick(new Set(['b.png', 'c.png'].map((name) => `file:///project/${name}`)));
  await list.settled();
  assert.deepEqual(
    list.agreed.map(({ cents }) => cents),
    [2, 3],
  );
});

test('the image at the cursor comes first, and is the only one selected and priced; without words, all are', async () => {
  const images = [image('a.png', 'a fox'), image('b.png', 'a red fox'), image('c.png', undefined)];
  const { list, asked } = listOf(images, undefined, undefined, 'file:///project/b.png');
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual([list.rows[0]!.item.image.file.slice(16), ticksOf(list)], ['b.png', ['b.png']]);
  assert.equal(asked.length, 1);
  const { list: other } = listOf(images, undefined, undefined, 'file:///project/c.png');
  assert.deepEqual([other.rows[0]!.item.image.file.slice(16), ticksOf(other)], ['c.png', ['a.png', 'b.png']]);
});

test('an image without a place is neither selected nor rendered until a folder is chosen for it', async () => {
  const { list, asked } = listOf([image('hero.png', 'a red fox', { doubt: { why: 'place' } })]);
  list.use(model('plain'), undefined);
  list.tick(new Set(['file:///project/hero.png']));
  await list.settled();
  assert.deepEqual([list.rows[0]?.item.wants, ticksOf(list), asked.length], ['place', [], 0]);
  list.place('file:///project/hero.png', { file: 'file:///project/src/hero.png', problem: undefined });
  await list.settled();
  assert.deepEqual(
    list.agreed.map(({ item, cents }) => [item.image.file, cents]),
    [['file:///project/src/hero.png', 3]],
  );
});

test('what isn’t selected is neither priced nor rendered', async () => {
  const { list, asked } = listOf([image('a.png', 'a fox'), image('b.png', 'a red fox')]);
  list.tick(new Set(['file:///project/b.png']));
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual(
    asked.map((inputs) => inputs['prompt']),
    ['a red fox'],
  );
  assert.deepEqual(
    list.agreed.map(({ cents }) => cents),
    [3],
  );
});

test('a size sets the image’s shape, in the model’s own terms', () => {
  const { list } = listOf([image('a.png', 'a fox', { size: { width: 1600, height: 900 } })]);
  list.use(model('plain'), undefined);
  const [row] = list.rows;
  assert.equal(row?.item.shape, '16:9');
  assert.deepEqual(row.item.inputs, { prompt: 'a fox', aspect_ratio: '16:9' });
});

test('typing a prompt selects an image that had none, and prices it again', async () => {
  const { list } = listOf([image('a.png', undefined)]);
  list.use(model('plain'), undefined);
  assert.equal(list.rows[0]?.item.wants, 'prompt');
  list.say('file:///project/a.png', '  an owl at night ');
  await list.settled();
  assert.deepEqual(
    list.agreed.map(({ item, cents }) => [item.inputs['prompt'], cents]),
    [['an owl at night', 4]],
  );
  list.say('file:///project/a.png', ' ');
  assert.deepEqual(ticksOf(list), []);
});

test('an image that can’t be saved or rendered is never selected', () => {
  const { list } = listOf([image('a.png', undefined), image('b.png', 'a fox', { problem: 'No such name.' })]);
  list.use(model('plain'), undefined);
  list.tick(new Set(['file:///project/a.png', 'file:///project/b.png']));
  assert.deepEqual(ticksOf(list), []);
  assert.deepEqual(
    list.rows.map(({ item }) => item.wants),
    ['prompt', 'name'],
  );
});

test('with a model that needs more than a prompt, nothing is rendered', async () => {
  const { list, asked } = listOf([image('a.png', 'a fox')]);
  list.use(model('masked', [prompt, mask]), undefined);
  await list.settled();
  assert.deepEqual([list.rows[0]?.item.wants, asked, list.agreed], ['model', [], []]);
});

test('if there are many images, only some are selected, and so priced, at first', () => {
  const { list } = listOf(Array.from({ length: 60 }, (_, index) => image(`${index}.png`, `fox ${index}`)));
  assert.equal(ticksOf(list).length, 20);
});

test('when the service isn’t responding, no more prices are requested until the next attempt', async () => {
  let away = true;
  const { list, asked } = listOf([image('a.png', 'a fox'), image('b.png', 'a red fox')], () => {
    if (away) throw new ServiceError('noAnswer', 'reset');
    return 4;
  });
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual([pricesOf(list), asked.length], [['failed', 'notAsked'], 1]);
  away = false;
  await list.renew();
  assert.deepEqual(pricesOf(list), [4, 4]);
});

test('rejected inputs don’t affect the others, and a price that isn’t stated can’t be confirmed', async () => {
  const { list } = listOf([image('a.png', 'a fox'), image('b.png', 'an owl'), image('c.png', 'a cat')], (words) => {
    if (words === 'a fox') throw new ServiceError('invalidInput', 'no foxes');
    return words === 'an owl' ? undefined : 4;
  });
  list.use(model('plain'), undefined);
  await list.settled();
  assert.deepEqual(pricesOf(list), ['failed', undefined, 4]);
  assert.deepEqual(
    list.agreed.map(({ item }) => item.inputs['prompt']),
    ['a cat'],
  );
});

test('all images get the words and inputs of a style, at the prices of these, and keep their own prompts', async () => {
  const docs = styleOf('docs', { before: 'Muted blues.' }, { aspect_ratio: '16:9', guidance: 4 });
  const { list, asked } = listOf([image('a.png', 'a fox')], undefined, new TestShelf([docs]));
  list.use(model('m'), undefined);
  await list.renew();
  assert.deepEqual(list.styles, [docs]);
  list.chooseStyle(docs.id);
  await list.renew();
  assert.deepEqual(asked.at(-1), { prompt: 'Muted blues. a fox', aspect_ratio: '16:9' });
  assert.deepEqual(
    list.agreed.map(({ item, cents }) => [item.inputs, cents]),
    [[asked.at(-1), 4]],
  );
  assert.deepEqual([list.rows[0]?.item.prompt, list.style?.leftOut], ['a fox', ['guidance']]);
});
