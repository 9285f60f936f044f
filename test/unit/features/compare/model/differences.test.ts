import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf } from '../../../../../src/features/compare/model/comparison';
import type { Field } from '../../../../../src/catalog/types';

const fields: readonly Field[] = [
  { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true },
  {
    name: 'size',
    label: 'Size',
    kind: 'choice',
    statedType: 'enum',
    required: false,
    choices: [{ value: 's', label: 'small' }],
  },
  { name: 'night', label: 'Night', kind: 'boolean', statedType: 'boolean', required: false },
  { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false },
];

test('images are told apart by the options that not all of them have', () => {
  const same = { prompt: 'a fox', night: true };
  assert.deepEqual(differencesOf([{ ...same, size: 's' }, { ...same, size: 'l' }, same], fields), [
    [{ label: 'Size', value: 'small' }],
    [{ label: 'Size', value: 'l' }],
    [],
  ]);
  assert.deepEqual(differencesOf([same, { ...same, night: false }], fields), [
    [{ label: 'Night', value: true }],
    [{ label: 'Night', value: false }],
  ]);
});

test('seeds and prompts tell nothing', () => {
  const one = { prompt: 'a fox', seed: 1 };
  assert.deepEqual(differencesOf([one, { prompt: 'a hare', seed: 2 }], fields), [[], []]);
});
