import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedName } from '../../../src/files/names';

const name = (typed: string, extension = 'png') => {
  const { fileName, ending } = savedName(typed, extension);
  return `${fileName}.${ending}`;
};

test('a name is kept as typed if its file extension matches the format', () => {
  assert.equal(name('hero.png'), 'hero.png');
  assert.equal(name('hero.JPEG', 'jpg'), 'hero.JPEG');
  assert.equal(name('v1.2.png'), 'v1.2.png');
  assert.equal(name('notes.txt', 'md'), 'notes.txt');
});

test('a name loses nothing but the file extension of another format', () => {
  assert.equal(name('v1.2'), 'v1.2.png');
  assert.equal(name('hero'), 'hero.png');
  assert.equal(name('photo.jpg'), 'photo.png');
  assert.equal(name('.hero'), '.hero.png');
});
