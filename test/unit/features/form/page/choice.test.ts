import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../../../src/catalog/types';
import { choiceStyle, matching, ratioOf } from '../../../../../src/features/form/page/choice';

function choices(...labels: string[]) {
  return labels.map((label) => ({ value: label, label }));
}

function field(labels: readonly string[], more: Partial<Field> = {}): Field {
  return {
    name: 'f',
    label: 'F',
    kind: 'choice',
    statedType: 'x',
    required: true,
    choices: choices(...labels),
    ...more,
  };
}

test('a few short choices and aspect ratios are buttons, some are a list, many are searchable', () => {
  const many = Array.from({ length: 16 }, (_, index) => `choice ${index}`);
  assert.equal(choiceStyle(field(['a', 'b', 'c'])), 'tiles');
  assert.equal(choiceStyle(field(['1:1', '2:1', '1:2', '3:1', '1:3', '21:9'])), 'tiles');
  assert.equal(choiceStyle(field(['a', 'b', 'c', 'd', 'e'])), 'select');
  assert.equal(choiceStyle(field(['a rather long choice', 'b'])), 'select');
  assert.equal(choiceStyle(field(many)), 'combobox');
});

test('an optional choice is a list whose first entry omits it', () => {
  assert.equal(choiceStyle(field(['a', 'b'], { required: false })), 'select');
  assert.equal(choiceStyle(field(['a', 'b'], { required: false, default: 'a' })), 'tiles');
});

test('only two whole numbers are a ratio', () => {
  assert.deepEqual(ratioOf({ value: '21:9', label: 'wide' }), { width: 21, height: 9 });
  for (const value of ['0:1', '1:0', '1:1:1', '1.5:1', 'a:b', 7])
    assert.equal(ratioOf({ value, label: '' }), undefined);
});

test('choices are found by any of their words, in any order', () => {
  const list = choices('Warm palette 1', 'Cool palette 1', 'Cool palette 12');
  assert.deepEqual(
    matching(list, ' 12 COOL').map(({ label }) => label),
    ['Cool palette 12'],
  );
  assert.equal(matching(list, '').length, 3);
  assert.equal(matching(list, 'hot').length, 0);
});
