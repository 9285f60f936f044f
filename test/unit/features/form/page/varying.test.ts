import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takesMore, toggled, withVaried } from '../../../../../src/features/form/page/varying';

const none = { choices: [1], count: 1, canVary: true, varied: [] };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('an option is selected or not, in the order of the options', () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
  assert.deepEqual(toggled(['c'], 'a', choices), ['a', 'c']);
  assert.deepEqual(toggled(['a', 'c'], 'c', choices), ['a']);
});

test('two inputs are varied at most, and sixteen combinations', () => {
  const two = withVaried(withVaried(none, 'a', [1, 2, 3]), 'b', numbers(4));
  assert.equal(two.count, 12);
  assert.deepEqual(
    ['a', 'b', 'c'].map((field) => takesMore(two, field)),
    [true, true, false],
  );
  assert.equal(takesMore(withVaried(two, 'a', numbers(4)), 'a'), false);
  assert.equal(withVaried(two, 'b', [1]).count, 3);
  assert.equal(takesMore(withVaried(none, 'a', numbers(9)), 'b'), false);
});
