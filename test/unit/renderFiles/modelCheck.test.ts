import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/base/json';
import { systemClock } from '../../../src/base/clock';
import { readFields } from '../../../src/catalog/fieldSchema';
import { checkModels, type KnownModel } from '../../../src/renderFiles/modelCheck';
import { noImages, read, told } from './reading';

const fields = readFields({
  fields: [
    { name: 'prompt', type: 'string', required: true },
    { name: 'steps', type: 'integer', minimum: 1, maximum: 50 },
    { name: 'size', type: 'enum', values: ['small', 'large'] },
    { name: 'seed', type: 'integer' },
  ],
})!;
const knownModel = (modelId: string): KnownModel =>
  modelId === 'a/b/c' ? { fields } : modelId === 'gone' ? 'none' : modelId === 'verse' ? 'noImages' : undefined;

test('what a model doesn’t accept is reported at its place, even in a style, and isn’t ordered', async () => {
  const text = JSON.stringify({
    model: 'a/b/c',
    styles: { big: { inputs: { size: 'huge' } } },
    renders: [
      { file: 'good', inputs: { prompt: 'a', steps: 50, size: 'small' } },
      { file: 'x-{n}', for: { n: [50, 51, 52] }, inputs: { prompt: 'a', steps: '{n}' } },
      { file: 'y', style: 'big', inputs: { prompt: 'a', step: 3, seed: 'one' } },
      { file: 'z' },
      { file: 'v', model: 'gone' },
      { file: 'u', model: 'verse', inputs: { prompt: 'a' } },
      { file: 'w', model: 'not/yet/known', inputs: { any: 1 } },
    ],
  });
  const file = await read(text);
  const { problems, unsound } = await checkModels(file, knownModel, noImages, systemClock);
  assert.deepEqual(told(text, { problems }), [
    '"{n}": Enter 50 or less.',
    '3: The model has no input “step”. Its inputs: prompt, steps, size, seed.',
    '"huge": Choose one of: small, large',
    '"one": Enter a number.',
    'z: Enter a value for “prompt”.',
    'gone: The service has no model “gone”.',
    'verse: “verse” doesn’t generate images. Choose another model.',
  ]);
  assert.deepEqual(
    file.renders.filter((render) => !unsound.has(render)).map(({ target }) => target),
    ['good', 'x-50', 'w'],
  );
});

test('a path in a list of images that leads to none is reported at its place, and a model that needs one at its entry', async () => {
  const kept = { file: 'a.png', sha256: 'ab'.repeat(32), type: 'image/png', bytes: 3 };
  const of = async (required: boolean, images?: Json) => {
    const text = JSON.stringify({
      model: 'a/b/c',
      renders: [{ file: 'x', ...(images !== undefined && { inputs: { images } }) }],
    });
    const spec = { name: 'images', type: 'array', items: { type: 'string', format: 'uri' }, required };
    const model = { fields: readFields({ fields: [spec] })! };
    return told(text, await checkModels(await read(text), () => model, noImages, systemClock));
  };
  const words = 'Choose an image, or enter a URL that starts with https://.';
  const missing = '“a.png” doesn’t exist. Enter the path from this render file’s folder.';
  assert.deepEqual(await of(false, ['a.png', 'https://b.example/b.png']), [`"a.png": ${missing}`]);
  assert.deepEqual(await of(false, 'a.png'), [`"a.png": ${missing}`]);
  const same = 'Image 2 is the same as image 1. Remove one of them.';
  const twice = ['https://b.example/b.png', 'https://b.example/b.png'];
  assert.deepEqual(await of(false, twice), [`${JSON.stringify(twice)}: ${same}`]);
  assert.deepEqual(await of(false, [kept]), [`${JSON.stringify([kept])}: ${words}`]);
  assert.deepEqual(await of(false, ['https://b.example/b.png']), []);
  assert.deepEqual(await of(false), []);
  assert.deepEqual(await of(true), ['x: Enter a value for “images”.']);
});

test('a path in a value that isn’t understood is reported at its place, and not ordered', async () => {
  const inputs = { layout: { parts: ['black/white', './parts/a'] } };
  const text = JSON.stringify({ model: 'a/b/c', renders: [{ file: 'x', inputs }] });
  const model = { fields: readFields({ fields: [{ name: 'layout', type: 'object' }] })! };
  const file = await read(text);
  const check = await checkModels(file, () => model, noImages, systemClock);
  assert.deepEqual(told(text, check), [
    `${JSON.stringify(inputs.layout)}: Enter a URL that starts with https:// instead of the path “./parts/a”. This input takes no files.`,
  ]);
  assert.equal(check.unsound.size, 1);
});

test('what isn’t among the options of a list is reported at its place', async () => {
  const of = async (parts: Json) => {
    const text = JSON.stringify({ model: 'a/b/c', renders: [{ file: 'x', inputs: { parts } }] });
    const model = { fields: readFields({ fields: [{ name: 'parts', type: 'array', items: { enum: ['a', 'b'] } }] })! };
    return told(text, await checkModels(await read(text), () => model, noImages, systemClock));
  };
  assert.deepEqual(await of(['b', 'a']), []);
  assert.deepEqual(await of(['b', 'c']), ['["b","c"]: Choose one of: a, b']);
  assert.deepEqual(await of('a'), ['"a": Choose one of: a, b']);
});

test('a required seed is drawn if its name shows that it’s one, else it’s asked for', async () => {
  const of = async (name: string) => {
    const text = JSON.stringify({ model: 'a/b/c', renders: [{ file: 'x' }] });
    const model = { fields: readFields({ fields: [{ name, type: 'seed', required: true }] })! };
    return told(text, await checkModels(await read(text), () => model, noImages, systemClock));
  };
  assert.deepEqual(await of('randomSeed'), []);
  assert.deepEqual(await of('noise'), ['x: Enter a value for “noise”.']);
});
