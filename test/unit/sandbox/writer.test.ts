import assert from 'node:assert/strict';
import { test } from 'node:test';
import { altText, haiku, summary } from '../../../src/sandbox/writer';

const article = `Tides are the rise and fall of sea levels. They are caused by the pull of the moon and the sun. My aunt likes biscuits.
The moon pulls the water of the sea towards it, and the sea rises on that side. Low tides follow high tides about six hours later. Harbours print tables of tides.`;

test('a haiku has three lines, is the same for the same subject, and differs with the seed', () => {
  const one = haiku('the sea at night', 0);
  assert.equal(one.split('\n').length, 3);
  assert.equal(haiku(' The sea at night', 0), one);
  assert.ok([1, 2, 3, 4].some((seed) => haiku('the sea at night', seed) !== one));
});

test('a haiku is about the subject of the prompt', () => {
  const words = Array.from({ length: 12 }, (_, seed) => haiku('a pine forest', seed)).join(' ');
  assert.match(words, /pine|moss|needle|fern|root|trunk|owl/i);
});

test('a summary consists of sentences from the text, in order, and leaves out minor ones', () => {
  const three = summary(article, 3, false);
  assert.doesNotMatch(three, /biscuits/);
  const places = three.split(/(?<=\.)\s/).map((sentence) => article.indexOf(sentence));
  assert.equal(places.length, 3);
  assert.ok(places.every((place) => place >= 0));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test('a summary can be a list, and a short text is its own summary', () => {
  assert.match(summary(article, 2, true), /^- .+\n- .+$/);
  assert.equal(summary('Just this', 5, false), 'Just this');
  assert.equal(summary('…', 1, false), '…');
});

test('a summary that is asked to be brief is at most half of the text, in any language of the interface', () => {
  const two = 'The moon pulls the sea. The sea rises, and falls.';
  for (const instruction of ['make it shorter', 'Kürzer, bitte', 'plus court', 'más breve', '短くして']) {
    assert.equal(summary(two, 3, false, instruction).split('. ').length, 1, instruction);
    assert.equal(summary('The sea rises, and falls.', 3, false, instruction), 'The sea rises.', instruction);
  }
  assert.equal(summary(two, 3, false, 'say it in verse'), two);
});

test('an alternative text is one sentence within the limit, cut between words', () => {
  assert.equal(altText('A red boat on a lake.', 'watercolor', 125), 'A watercolor of a red boat on a lake.');
  assert.equal(altText('Ada Lovelace reading', 'engraving', 125), 'An engraving of Ada Lovelace reading.');
  const cut = altText('mountains and rivers and forests and many more things than anybody can count', 'picture', 40);
  assert.ok(cut.length <= 40);
  assert.match(cut, /\w…$/);
});
