import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferredInputs, transferInputs, alternativesOf } from '../../../src/catalog/alternatives';
import { requestBody } from '../../../src/catalog/request';
import type { Field, Model } from '../../../src/catalog/fields';

const text = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind: 'longText',
  statedType: 'text',
  required: false,
  ...more,
});
const choice = (name: string, values: readonly string[], more: Partial<Field> = {}): Field => ({
  ...text(name, { kind: 'choice' }),
  choices: values.map((value) => ({ value, label: value.toUpperCase() })),
  ...more,
});

function modelOf(id: string, fields: readonly Field[]): Model {
  const [provider = '', family = '', name = ''] = id.split('/');
  return { id, provider, family, name, title: name, kind: 'image', fields };
}

const prompt = text('prompt', { required: true });
const size = choice('size', ['small', 'large'], { default: 'large' });
const ratio = choice('ratio', ['1:1', '2:1', '1:2'], { default: '1:1' });
const poster = modelOf('a/b/poster', [prompt, ratio, size]);

test('each variant changes one choice, those with few choices first', () => {
  const variants = alternativesOf(poster, { prompt: 'a fox', ratio: '2:1' });
  assert.deepEqual(
    variants.map(({ inputs }) => inputs),
    [
      { prompt: 'a fox', ratio: '2:1', size: 'small' },
      { prompt: 'a fox', ratio: '1:1' },
      { prompt: 'a fox', ratio: '1:2' },
    ],
  );
  assert.deepEqual(
    variants.map(({ change }) => [change?.field.name, change?.choice.label]),
    [
      ['size', 'SMALL'],
      ['ratio', '1:1'],
      ['ratio', '1:2'],
    ],
  );
});

test('a field with the name of a kind is plain data', () => {
  const odd = modelOf('a/b/odd', [prompt, choice('__proto__', ['x', 'y'], { default: 'x' })]);
  const [variant] = alternativesOf(odd, { prompt: 'a fox' });
  assert.deepEqual(Object.entries(variant!.inputs), [
    ['prompt', 'a fox'],
    ['__proto__', 'y'],
  ]);
});

test('another model gets the prompt under its own name for it, with the inputs that both accept', () => {
  const other = modelOf('c/d/e', [text('scene', { required: true }), choice('size', ['small', 'tiny']), text('mood')]);
  const alternative = transferredInputs(poster, other, { prompt: 'a fox', size: 'small', ratio: '2:1' });
  assert.deepEqual(alternative?.inputs, { scene: 'a fox', size: 'small' });
  assert.deepEqual(
    alternative.left.map(({ name }) => name),
    ['ratio'],
  );
});

test('a value that the other model doesn’t accept is omitted and reported', () => {
  const other = modelOf('c/d/e', [prompt, choice('size', ['tiny', 'huge'], { default: 'tiny' })]);
  const alternative = transferredInputs(poster, other, { prompt: 'a fox', size: 'small' });
  assert.deepEqual(alternative?.inputs, { prompt: 'a fox', size: 'tiny' });
  assert.deepEqual(
    alternative.left.map(({ name }) => name),
    ['size'],
  );
});

test('a value that’s the default of the first model isn’t reported as omitted', () => {
  const alternative = transferredInputs(poster, modelOf('c/d/e', [prompt]), {
    prompt: 'a fox',
    size: 'large',
    ratio: '2:1',
  });
  assert.deepEqual(alternative?.left, [ratio]);
});

test('a model that needs more than a prompt, or accepts none that long, isn’t an alternative', () => {
  assert.equal(
    transferredInputs(poster, modelOf('c/d/e', [prompt, text('mask', { required: true })]), { prompt: 'a' }),
    undefined,
  );
  assert.equal(
    transferredInputs(poster, modelOf('c/d/e', [text('prompt', { maxLength: 2 })]), { prompt: 'abc' }),
    undefined,
  );
  assert.equal(transferredInputs(poster, modelOf('c/d/e', [size]), { prompt: 'a fox' }), undefined);
  assert.equal(transferredInputs(poster, modelOf('c/d/e', [prompt]), {}), undefined);
});

test('the field that rules out another model is reported; a model without a prompt has none', () => {
  const mask = text('mask', { required: true, kind: 'json' });
  const short = text('prompt', { required: true, maxLength: 3 });
  const hindrance = (fields: readonly Field[]) => {
    const carried = transferInputs(poster, modelOf('c/d/e', fields), { prompt: 'a fox' });
    return carried && 'field' in carried ? [carried.field.name, carried.issue] : carried;
  };
  assert.deepEqual(hindrance([prompt, mask]), ['mask', { code: 'required' }]);
  assert.deepEqual(hindrance([short]), ['prompt', { code: 'tooLong', length: 5, maxLength: 3 }]);
  assert.equal(hindrance([size]), undefined);
});

test('another model gets a given image in the form that its own field takes', () => {
  const limits = { types: ['image/png'], maxBytes: 1000 };
  const start = text('start', { kind: 'image', image: limits });
  const plain = modelOf('a/b/plain', [prompt, start]);
  const bare = modelOf('a/b/bare', [prompt, { ...start, image: { ...limits, base64: true } }]);
  const image = { file: 'a.png', sha256: 'ab'.repeat(32), type: 'image/png', bytes: 3 };
  const bodyFor = (to: Model, from: Model, given: object) => {
    const { inputs = {} } = transferredInputs(from, to, { prompt: 'a fox', start: { ...image, ...given } }) ?? {};
    return JSON.parse(new TextDecoder().decode(requestBody(to.id, inputs, () => Buffer.from('png')))) as object;
  };
  assert.deepEqual(bodyFor(plain, bare, { encoding: 'base64' }), {
    modelId: 'a/b/plain',
    inputs: { prompt: 'a fox', start: 'data:image/png;base64,cG5n' },
  });
  assert.deepEqual(bodyFor(bare, plain, {}), { modelId: 'a/b/bare', inputs: { prompt: 'a fox', start: 'cG5n' } });
});
