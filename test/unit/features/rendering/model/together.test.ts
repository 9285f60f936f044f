import assert from 'node:assert/strict';
import { test } from 'node:test';
import { togetherOf } from '../../../../../src/features/rendering/model/savedTogether';
import { entry } from '../../../editor/entries';

const image = () => entry({ file: 'file:///p/a.png', mediaType: 'image/png' });
const text = () => entry({ file: 'file:///p/a.md', mediaType: 'text/markdown', textOutput: 'A kite.' });

test('the images of one prompt are compared, however many', () => {
  assert.equal(togetherOf([image(), image()]), 'comparison');
  assert.equal(togetherOf([image(), image(), image()]), 'comparison');
});

test('two responses are shown as a diff', () => {
  assert.equal(togetherOf([text(), text()]), 'difference');
});

test('results that can’t be compared are opened', () => {
  const sound = entry({ file: 'file:///p/a.mp3', mediaType: 'audio/mpeg' });
  for (const saved of [[image()], [text()], [image(), text()], [text(), text(), text()], [sound, text()]])
    assert.equal(togetherOf(saved), 'editors');
});
