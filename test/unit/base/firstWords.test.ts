import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWords } from '../../../src/base/plain';

test('a line that is too long is cut between two words, or in a word that fills it', () => {
  assert.equal(firstWords('a red lighthouse by the sea at sunset', 32), 'a red lighthouse by the sea at…');
  assert.equal(firstWords('a red fox', 32), 'a red fox');
  assert.equal(firstWords('Donaudampfschifffahrtsgesellschaft', 20), 'Donaudampfschifffah…');
  assert.equal(firstWords('a Donaudampfschifffahrtsgesellschaft', 20), 'a Donaudampfschifff…');
});
