import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenIds } from '../../../../../src/features/generations/model/generationGroups';

const one = { id: 'one', group: 'today' };
const two = { id: 'two', group: 'today' };

test('a command applies to the items selected with the one it was called on, each once', () => {
  assert.deepEqual(chosenIds(two, [one, two, one], ['three']), ['one', 'two']);
});

test('called on an item outside the selection, it applies to that item only', () => {
  assert.deepEqual(chosenIds(one, undefined, ['three']), ['one']);
  assert.deepEqual(chosenIds(one, [], ['three']), ['one']);
  assert.deepEqual(chosenIds('one', 'something else', ['three']), ['one']);
});

test('a keyboard shortcut applies to the selection', () => {
  assert.deepEqual(chosenIds(undefined, undefined, ['one', 'two']), ['one', 'two']);
});

test('groups and values that aren’t items are skipped', () => {
  assert.deepEqual(chosenIds({ group: 'today' }, [{ group: 'today' }, one, null, 7], []), ['one']);
  assert.deepEqual(chosenIds(null, undefined, ['three']), []);
});
