import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variantCaptions } from '../../../../../src/features/compare/model/comparison';
import type { Field } from '../../../../../src/catalog/fields';

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

const words = {
  seed: (seed: number) => `seed ${seed}`,
  option: (label: string, isOn: boolean) => `${label}: ${isOn ? 'on' : 'off'}`,
};

test('images are told apart by the options that not all of them have', () => {
  const same = { prompt: 'a fox', night: true };
  assert.deepEqual(variantCaptions([{ ...same, size: 's' }, { ...same, size: 'l' }, same], fields, words), [
    '1 · small',
    '2 · l',
    '3',
  ]);
  assert.deepEqual(variantCaptions([same, { ...same, night: false }], fields, words), [
    '1 · Night: on',
    '2 · Night: off',
  ]);
});

test('each has its seed, and prompts tell nothing', () => {
  const one = { prompt: 'a fox', seed: 1 };
  assert.deepEqual(variantCaptions([one, { prompt: 'a hare', seed: 2 }], fields, words), ['1 · seed 1', '2 · seed 2']);
});
