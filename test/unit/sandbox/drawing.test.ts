import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aspectRatios, dimensions, draw, type DrawingStyle } from '../../../src/sandbox/art/artist';
import type { Field, Inputs, Value } from '../../../src/sandbox/fields';
import { modelOf, models } from '../../../src/sandbox/models';
import { decoded, mean } from './pictures';

const styles: readonly DrawingStyle[] = ['paper', 'poster', 'watercolor', 'engraving', 'pixels', 'blocks'];

function small(style: DrawingStyle, inputs: Inputs): Promise<Uint8Array> {
  return draw(style, { size: 'small', ...inputs });
}

for (const style of styles) {
  test(`${style}: the same inputs give the same whole PNG, other words and another seed give another`, async () => {
    const inputs = { prompt: 'A lighthouse by the sea at sunset', seed: 3 };
    const [one, again] = [await small(style, inputs), await small(style, inputs)];
    assert.deepEqual(one, again);
    const { width, height } = decoded(one);
    assert.deepEqual([width, height], [512, 512]);
    assert.notDeepEqual(await small(style, { ...inputs, seed: 4 }), one);
    assert.notDeepEqual(await small(style, { ...inputs, prompt: 'A forest in the snow' }), one);
  });
}

test('models of different styles draw the same prompt differently', async () => {
  const images = await Promise.all(styles.map((style) => small(style, { prompt: 'mountains at dawn' })));
  assert.equal(new Set(images.map((png) => Buffer.from(png).toString('latin1'))).size, styles.length);
});

test('aspect_ratio decides the size: about a megapixel, the long side from 1024 to 1344', () => {
  assert.deepEqual(dimensions('1:1', 'large'), { width: 1024, height: 1024 });
  assert.deepEqual(dimensions('3:1', 'large'), { width: 1344, height: 448 });
  assert.deepEqual(dimensions('1:3', 'large'), { width: 448, height: 1344 });
  for (const aspectRatio of aspectRatios) {
    const [across, up] = aspectRatio.split(':').map(Number);
    const { width, height } = dimensions(aspectRatio, 'large');
    assert.ok(Math.max(width, height) >= 1024 && Math.max(width, height) <= 1344, aspectRatio);
    assert.ok(Math.abs(width / height / (across! / up!) - 1) < 0.01, aspectRatio);
  }
});

test('the image has the size of its aspect ratio', async () => {
  const { width, height } = decoded(await small('pixels', { prompt: 'a hill', aspect_ratio: '21:9' }));
  assert.deepEqual({ width, height }, dimensions('21:9', 'small'));
});

test('night is darker than day', async () => {
  const light = async (prompt: string) => mean(decoded(await small('pixels', { prompt })), 1, [0, 0, 1, 1]);
  assert.ok((await light('mountains at night')) < 0.7 * (await light('mountains at noon')));
});

test('a named color is visible', async () => {
  const redOverBlue = async (prompt: string) => {
    const image = decoded(await small('pixels', { prompt }));
    return mean(image, 0, [0, 0, 1, 1]) - mean(image, 2, [0, 0, 1, 1]);
  };
  assert.ok((await redOverBlue('red hills')) > (await redOverBlue('blue hills')) + 30);
});

test('every image model draws every aspect ratio, and prompts of unknown words', async () => {
  const draws = models.filter(({ fields }) => fields.some(({ name }) => name === 'aspect_ratio'));
  for (const model of draws.filter(({ type, id }) => type === 'image' && !id.endsWith('always-fails'))) {
    const fields = new Map(model.fields.map((field) => [field.name, field.default]));
    const inputs = {
      ...Object.fromEntries([...fields].filter(([, value]) => value !== undefined)),
      prompt: 'Ünïcödé 漢字 \u{1f600} zzz',
    };
    const sized: Inputs = fields.has('size') ? { size: 'small' } : {};
    const result = await model.make({ ...(inputs as Inputs), ...sized, aspect_ratio: '1:3' });
    assert.ok('content' in result);
    assert.ok(decoded(result.content.bytes).height > 600, model.id);
  }
});

test('each of the forty fields that shape a block landscape changes the image', async () => {
  const model = modelOf('isoworks/blocks/metropolis-40')!;
  const usual = Object.fromEntries(
    model.fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  ) as Inputs;
  const grounds = [
    'a city by the sea at night',
    'snowy mountains and forest by a lake',
    'a field of flowers',
    'autumn forest',
  ];
  const image = (prompt: string, inputs: Inputs) =>
    draw('blocks', { ...usual, size: 'small', aspect_ratio: '3:2', grid: 10, ...inputs, prompt });
  const before = await Promise.all(grounds.map((prompt) => image(prompt, {})));
  for (const field of model.fields) {
    if (['prompt', 'notes', 'size'].includes(field.name)) continue;
    const inputs = { [field.name]: field.name === 'grid' ? 12 : another(field) };
    let changed = false;
    for (const [i, prompt] of grounds.entries()) {
      if (changed) break;
      changed = !Buffer.from(before[i]!).equals(await image(prompt, inputs));
    }
    assert.ok(changed, field.name);
  }
});

/** A value other than the default. */
function another(field: Field): Value {
  switch (field.type) {
    case 'enumeration':
      return field.values.at(-1)!;
    case 'boolean':
      return !field.default;
    case 'text':
    case 'long_text':
    case 'image':
    case 'images':
    case 'color':
    case 'multiple_choice':
      return 'something else';
    default:
      return field.default === field.maximum ? field.minimum : field.maximum;
  }
}

test('a long drawing lets other work run, and ends when it’s no longer wanted', async () => {
  const closing = new AbortController();
  let turns = 0;
  const drawing = draw('watercolor', { prompt: 'the sea' }, closing.signal);
  const count = () => {
    turns += 1;
    if (turns === 5) closing.abort();
    else setImmediate(count);
  };
  setImmediate(count);
  await assert.rejects(drawing, { name: 'AbortError' });
  assert.equal(turns, 5);
});
