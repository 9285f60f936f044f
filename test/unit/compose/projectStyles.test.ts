import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appliedTo,
  namedByOwn,
  ownPrompt,
  sentValues,
  takesStyles,
  projectStyles,
} from '../../../src/compose/projectStyles';
import type { Field, Model } from '../../../src/catalog/fields';
import { asked, read } from '../renderFiles/reading';
import { styleOf } from './shelf';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const ratio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  choices: ['1:1', '16:9'].map((value) => ({ value, label: value })),
};
const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
const quality: Field = { name: 'quality', label: 'Quality', kind: 'text', statedType: 'text', required: true };
const image: Field = {
  name: 'picture',
  label: 'Picture',
  kind: 'image',
  statedType: 'image',
  required: false,
  image: { types: ['image/png'], maxBytes: 1000 },
};
const fields = [prompt, ratio, seed, quality, image];

const styles = {
  flat: { before: 'Flat.', inputs: { aspect_ratio: '16:9', seed: 7 } },
  icon: { extends: 'flat', before: 'An icon:', after: 'No text.', inputs: { seed: null } },
};

test('a style adds in a form exactly what it adds in its render file', async () => {
  const file = await read({
    model: 'a/b/c',
    styles,
    style: 'icon',
    renders: [{ file: 'x', inputs: { prompt: 'a fox' } }],
  });
  const icon = projectStyles([file], ['renders.jsonc']).find(({ label }) => label === 'icon')!;
  const sent = new Map(
    sentValues(appliedTo(fields, icon), [
      ['prompt', 'a fox'],
      ['aspect_ratio', '1:1'],
      ['seed', '3'],
    ]),
  );
  assert.equal(sent.get('prompt'), asked(file)[0]?.[1]);
  assert.deepEqual(file.renders[0]?.inputs, { prompt: 'Flat. An icon: a fox No text.', aspect_ratio: '16:9' });
  assert.deepEqual([sent.get('aspect_ratio'), sent.get('seed')], ['16:9', '']);
});

test('a style with an error, in a circle, or of a broken file isn’t offered; names in several files name those', async () => {
  const broken = await read('{ "styles": { "lost": { "before": "Lost." } }, "renders": [');
  const circles = await read({
    styles: { one: { extends: 'two' }, two: { extends: 'one' }, odd: { before: 4 }, docs: { after: 'No text.' } },
    renders: [],
  });
  const other = await read({ styles: { docs: { before: 'Blue.' }, game: { before: 'Sprite.' } }, renders: [] });
  const offered = projectStyles([broken, circles, other], ['a.renders.jsonc', 'b.renders.jsonc', 'c.renders.jsonc']);
  assert.deepEqual(
    offered.map(({ id, label }) => [id, label]),
    [
      ['b.renders.jsonc#docs', 'docs · b.renders.jsonc'],
      ['c.renders.jsonc#docs', 'docs · c.renders.jsonc'],
      ['c.renders.jsonc#game', 'game'],
    ],
  );
});

test('what a model doesn’t take of a style is left out and named', () => {
  const style = styleOf(
    'docs',
    {},
    {
      prompt: 'never',
      aspect_ratio: '4:3',
      seed: 9,
      quality: null,
      guidance: 4,
      picture: { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 10 },
    },
  );
  const { fixed, leftOut } = appliedTo(fields, style);
  assert.deepEqual([[...fixed], leftOut], [[['seed', '9']], ['Aspect ratio', 'Quality', 'guidance', 'Picture']]);
});

test('styles are for models that make images of a prompt, as in render files', () => {
  const model = { kind: 'image', fields } as const satisfies Pick<Model, 'kind' | 'fields'>;
  assert.ok(takesStyles(model));
  assert.ok(takesStyles({ ...model, kind: undefined }));
  assert.ok(!takesStyles({ ...model, kind: 'text' }));
  assert.ok(!takesStyles({ ...model, fields: [{ ...prompt, name: 'description' }, ratio] }));
});

test('files are named by the user’s own words', () => {
  const target = { root: 'file:///project', folder: 'renders', fileName: '${slug}-${model}' };
  const style = appliedTo(fields, styleOf('docs', { before: 'Muted blues.' }));
  assert.equal(namedByOwn(target, style, [['prompt', 'A fox']]).fileName, 'a-fox-${model}');
  assert.equal(namedByOwn(target, style, [['prompt', '🦊']]).fileName, 'untitled-${model}');
  assert.equal(namedByOwn(target, style, [['prompt', '']]), target);
  assert.equal(namedByOwn(target, undefined, [['prompt', 'A fox']]), target);
  const named = { ...target, fileName: '${slug}', ending: 'png' };
  assert.equal(namedByOwn(named, style, [['prompt', 'A fox']]), named);
});

test('an earlier prompt comes without the words of the first style that it was sent with', () => {
  const docs = { before: 'Muted.', after: '' };
  const game = { before: 'Sprite.', after: '' };
  assert.equal(ownPrompt('Sprite. a chest', [docs, game]), 'a chest');
  assert.equal(ownPrompt('a chest', [docs, game]), 'a chest');
});
