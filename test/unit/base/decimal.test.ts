import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asWritten, decimalOf, withPoint } from '../../../src/base/numbers';

test('a fraction is read with a point or comma in every language, and written as in the language', () => {
  for (const [locale, written] of [
    ['de', '0,7'],
    ['fr', '0,7'],
    ['es', '0,7'],
    ['en', '0.7'],
    ['ja', '0.7'],
  ] as const) {
    const decimal = decimalOf(locale);
    assert.deepEqual(
      [withPoint('0,7', decimal), withPoint('0.7', decimal), withPoint('-,5', decimal)],
      ['0.7', '0.7', '-.5'],
    );
    assert.equal(asWritten('0.7', decimal), written);
    assert.equal(withPoint(asWritten('0.', decimal), decimal), '0.', 'while it is typed');
  }
});

test('text that may mean thousands or a fraction isn’t a number', () => {
  assert.equal(withPoint('1,500', '.'), '1,500');
  assert.equal(withPoint('1.500', ','), '1,500');
  assert.equal(withPoint('1,500', ','), '1.500');
  assert.equal(withPoint('0.125', ','), '0.125');
});

test('text that isn’t a number stays as typed', () => {
  for (const text of ['', 'abc', '1,2,3', '1e3', '12', ' ']) assert.equal(withPoint(text, ','), text);
});
