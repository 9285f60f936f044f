import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../../../src/catalog/fields';
import { linkInputs, shapedValues } from '../../../../../src/features/links/model/linkPrices';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const ratio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  default: '1:1',
  choices: ['1:1', '16:9', '9:16'].map((value) => ({ value, label: value })),
};
const mask: Field = { name: 'mask', label: 'Mask', kind: 'text', statedType: 'text', required: true };

test('the link’s text is the prompt, and its size decides the shape, whatever was rendered last', () => {
  const rendered = [
    ['prompt', 'something else'],
    ['aspect_ratio', '9:16'],
  ] as const;
  const size = { width: 1280, height: 720 };
  assert.deepEqual(linkInputs({ fields: [prompt, ratio] }, rendered, 'a quay at night', size), {
    prompt: 'a quay at night',
    aspect_ratio: '16:9',
  });
});

test('without a size, the previous render’s values stay', () => {
  assert.deepEqual(linkInputs({ fields: [prompt, ratio] }, [['aspect_ratio', '9:16']], 'a quay', undefined), {
    prompt: 'a quay',
    aspect_ratio: '9:16',
  });
});

test('a model that needs more than a link provides has no inputs to price', () => {
  assert.equal(linkInputs({ fields: [prompt, mask] }, undefined, 'a quay', undefined), undefined);
});

const photo: Field = { name: 'image', label: 'Image', kind: 'image', statedType: 'image', required: false };
const given = { images: [{ file: 'photo.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 1 }] };

test('an image that was given to an earlier render isn’t sent, neither as a file nor by its address', () => {
  for (const value of [given, 'https://example.org/photo.png']) {
    const rendered = [['prompt', 'something else'] as const, ['image', value] as const];
    assert.deepEqual(linkInputs({ fields: [prompt, photo] }, rendered, 'a quay', undefined), { prompt: 'a quay' });
    const needed = { ...photo, required: true };
    assert.equal(linkInputs({ fields: [prompt, needed] }, rendered, 'a quay', undefined), undefined);
  }
});

test('a model that takes no text has no inputs to price, since nothing of the link would be sent', () => {
  assert.equal(linkInputs({ fields: [photo] }, [['image', given]], 'a quay', undefined), undefined);
  assert.equal(linkInputs({ fields: [ratio] }, undefined, 'a quay', { width: 16, height: 9 }), undefined);
});

test('a size changes nothing for a model without shapes', () => {
  assert.deepEqual(shapedValues([prompt], [['prompt', 'a quay']], { width: 10, height: 10 }), [['prompt', 'a quay']]);
});
