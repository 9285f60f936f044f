import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combinationsOf, firstOf, variedFor } from '../../../src/compose/offer';
import type { Field } from '../../../src/catalog/fields';

function choice(name: string, count: number): Field {
  const choices = Array.from({ length: count }, (_, index) => ({ value: `${name}${index}`, label: `${index}` }));
  return { name, label: name, kind: 'choice', statedType: 'enum', required: false, choices };
}

const fields = [choice('a', 9), choice('b', 3), choice('c', 3), choice('many', 16)];
const all = (name: string, count: number) => ({
  field: name,
  values: Array.from({ length: count }, (_, index) => `${name}${index}`),
});

test('options of up to two inputs are varied, as many combinations as one comparison shows', () => {
  assert.deepEqual(variedFor(fields, [all('b', 3), all('a', 5)]), [all('a', 5), all('b', 3)]);
  assert.deepEqual(variedFor(fields, [all('a', 6), all('b', 3)]), []);
  assert.deepEqual(variedFor(fields, [all('a', 2), all('b', 2), all('c', 2)]), []);
  assert.deepEqual(variedFor(fields, [all('a', 1), all('b', 3), all('many', 2), all('gone', 2)]), [all('b', 3)]);
});

test('combinations have one value of each input, and the last one changes first', () => {
  assert.deepEqual(combinationsOf([all('a', 2), all('b', 2)]), [
    { a: 'a0', b: 'b0' },
    { a: 'a0', b: 'b1' },
    { a: 'a1', b: 'b0' },
    { a: 'a1', b: 'b1' },
  ]);
  assert.deepEqual(
    firstOf(
      [all('a', 2)],
      [
        ['a', 'a1'],
        ['b', 'b1'],
      ],
    ),
    [
      ['a', 'a0'],
      ['b', 'b1'],
    ],
  );
});
