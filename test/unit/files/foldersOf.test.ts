import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from '../../../src/files/folder';

test('the folders of files are named once, in order', () => {
  const files = ['file:///p/b/one.png', 'file:///p/a/two.png', 'file:///p/b/three.png'];
  assert.deepEqual(foldersOf(files), ['file:///p/a', 'file:///p/b']);
});
