import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closest } from '../../../src/renderFiles/fixes';

test('the words that differ least come first, ignoring case', () => {
  assert.deepEqual(closest('Sizes', ['seed', 'SIZE', 'prompt'], 2), ['SIZE', 'seed']);
});

test('very long words take no time', () => {
  const words = Array.from({ length: 1000 }, () => 'a'.repeat(100_000));
  assert.deepEqual(closest('size', [...words, 'sizes'], 1), ['sizes']);
});
