import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../../../src/catalog/fields';
import { choiceStyle, inOneRow, matching, ratioOf } from '../../../../../src/features/form/page/choice';

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

test('of many aspect ratios, the usual ones are in the row, then others in the order of the model', () => {
  const labels = ({ choices, rest }: ReturnType<typeof inOneRow>) =>
    [choices, rest].map((part) => part.map(({ label }) => label).join(' '));
  const many = ['9:16', '1:1', '2:1', '21:9', '4:3', '3:2', '2:3', '16:9', '3:4'];
  assert.deepEqual(labels(inOneRow(choices(...many))), ['1:1 3:2 4:3 16:9 2:3 3:4 9:16', '2:1 21:9']);
  const few = ['2:1', '1:1', '1:2', '3:1', '1:3', '21:9', '9:21', '5:4', '16:9'];
  assert.deepEqual(labels(inOneRow(choices(...few))), ['1:1 16:9 2:1 1:2 3:1 1:3 21:9', '9:21 5:4']);
  const eight = ['2:1', '1:1', '1:2', '3:1', '1:3', '21:9', '9:21', '5:4'];
  assert.deepEqual(labels(inOneRow(choices(...eight))), [eight.join(' '), '']);
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
