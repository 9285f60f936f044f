import assert from 'node:assert/strict';
import { test } from 'node:test';
import { styledItem, stylesFor } from '../../../../../src/features/agents/model/toolInputs';
import type { Field, Model } from '../../../../../src/catalog/fields';
import { styleOf } from '../../../compose/shelf';

const fields: Field[] = [
  { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true },
  { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false },
  { name: 'quality', label: 'Quality', kind: 'text', statedType: 'text', required: false },
];
const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image', fields };
const calm = styleOf('calm', { before: 'Muted blues.', after: 'No text.' }, { seed: 7, guidance: 3 });
const target = { root: 'file:///project', folder: '', fileName: '${slug}' };

function sent(item: { readonly style?: string; readonly inputs: Record<string, string> }, to = model) {
  return styledItem({ modelId: to.id, ...item }, to, [calm]);
}

test('an item without a style is sent as it is', () => {
  const item = sent({ inputs: { prompt: 'a fox' } });
  assert.ok('inputs' in item);
  assert.deepEqual(item.inputs, { prompt: 'a fox' });
  assert.equal(item.named(target).fileName, '${slug}');
});

test('a style adds its words and inputs, and leaves the file’s name to the agent’s own words', () => {
  const item = sent({ style: 'calm', inputs: { prompt: 'a fox', quality: 'fine' } });
  assert.ok('inputs' in item);
  assert.deepEqual(item.inputs, { prompt: 'Muted blues. a fox No text.', quality: 'fine', seed: 7 });
  assert.equal(item.named(target).fileName, 'a-fox');
});

test('an agent is told which styles there are, and what a style sets', () => {
  assert.deepEqual(stylesFor(model, [calm]), ['calm']);
  assert.deepEqual(stylesFor({ ...model, kind: 'text' }, [calm]), []);
  assert.deepEqual(sent({ style: 'loud', inputs: { prompt: 'a fox' } }), {
    problem: 'there is no style “loud” for this model. Styles: calm.',
  });
  assert.deepEqual(sent({ style: 'calm', inputs: { prompt: 'a fox' } }, { ...model, kind: 'text' }), {
    problem: 'there is no style “calm” for this model.',
  });
  assert.deepEqual(sent({ style: 'calm', inputs: { prompt: 'a fox', seed: '8' } }), {
    problem: 'the style “calm” sets “seed”. Leave it out of the inputs.',
  });
  assert.deepEqual(sent({ style: 'calm', inputs: {} }), { problem: 'a style needs a prompt.' });
});
