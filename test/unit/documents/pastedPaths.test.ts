import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pastedPaths } from '../../../src/documents/insertion';

test('image paths are recognized in every form they’re copied in', () => {
  for (const path of ['/home/me/a fox.png', 'renders/fox.JPG', 'C:\\site\\fox.webp', 'file:///site/fox.png'])
    assert.deepEqual(pastedPaths(path), [path]);
  assert.deepEqual(pastedPaths('"C:\\site\\fox.webp"\r\n'), ['C:\\site\\fox.webp']);
  assert.deepEqual(pastedPaths('/a/fox.png\n/a/hen.png\n'), ['/a/fox.png', '/a/hen.png']);
});

test('other text isn’t paths', () => {
  const others = ['', ' ', 'a fox', '/a/notes.md', 'https://example.org/fox.png', '![fox](fox.png)', '/a/fox.png\nand'];
  for (const text of [...others, '<img src="a.png', 'x'.repeat(30_000) + '.png'])
    assert.deepEqual(pastedPaths(text), []);
});
