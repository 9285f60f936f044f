import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../../../src/catalog/fields';
import { stepped } from '../../../../../src/features/form/page/inputs';

const guidance: Field = {
  name: 'guidance',
  label: 'Guidance',
  kind: 'number',
  statedType: 'number',
  required: false,
  default: 0.3,
  minimum: 0,
  maximum: 1,
  step: 0.1,
};

test('a step leads to a round number', () => {
  assert.equal(stepped({ field: guidance, value: '0.2' }, 1), '0.3');
  assert.equal(stepped({ field: guidance, value: '0.4' }, -1), '0.3');
});

test('an empty box steps from the default', () => {
  assert.equal(stepped({ field: guidance, value: '' }, 1), '0.4');
});

test('a step stays inside the bounds', () => {
  assert.equal(stepped({ field: guidance, value: '1' }, 1), '1');
  assert.equal(stepped({ field: guidance, value: '0' }, -1), '0');
});

test('invalid text steps from the default, and a value between two steps moves to the next', () => {
  assert.equal(stepped({ field: guidance, value: 'many' }, 1), '0.4');
  assert.equal(stepped({ field: { ...guidance, step: 0.5 }, value: '0.4' }, 1), '1');
});

test('without bounds and a step, a whole number steps by one', () => {
  const width: Field = { name: 'w', label: 'W', kind: 'integer', statedType: 'integer', required: false };
  assert.equal(stepped({ field: width, value: '640' }, 1), '641');
  assert.equal(stepped({ field: width, value: '' }, -1), '-1');
});
