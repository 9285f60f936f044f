import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sentValue, styled, unstyled } from '../../../src/catalog/fields';

test('a style’s words are around the prompt, with a space where two would touch', () => {
  assert.equal(styled({ before: 'Muted.', after: 'No text.' }, 'a fox'), 'Muted. a fox No text.');
  assert.equal(styled({ before: 'Muted:\n', after: '' }, 'a fox'), 'Muted:\na fox');
  assert.equal(styled({ before: '', after: '' }, 'a fox'), 'a fox');
});

test('a prompt is told from a style’s words, only where these are around it', () => {
  const muted = { before: 'Muted.', after: 'No text.' };
  assert.equal(unstyled(muted, 'Muted. a fox No text.'), 'a fox');
  for (const other of ['a fox', 'Muted. a fox', 'a fox No text.', 'Muted. No text.', 'Muted.a fox No text.'])
    assert.equal(unstyled(muted, other), undefined, other);
  assert.equal(unstyled({ before: 'A', after: '' }, 'Apple pie'), undefined);
  assert.equal(unstyled({ before: '', after: '' }, 'a fox'), undefined);
  assert.equal(unstyled({ before: 'a b', after: 'b c' }, 'a b c'), undefined);
});

test('any prompt comes back from any style’s words, but for spaces', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', '\n'), maxLength: 8 });
  const collapsed = (text: string) => text.trim().replace(/\s+/g, ' ');
  fc.assert(
    fc.property(words, words, words, (before, after, prompt) => {
      if ((before + after).trim() === '' || prompt.trim() === '') return;
      const own = unstyled({ before, after }, styled({ before, after }, prompt));
      assert.equal(collapsed(own ?? ''), collapsed(prompt));
    }),
  );
});

test('a style’s value is sent instead of the user’s, and its words only with a prompt', () => {
  const style = { before: 'Muted.', after: '', fixed: new Map<string, string | number>([['steps', 4]]) };
  assert.equal(sentValue<string | number>(style, 'steps', 9), 4);
  assert.equal(sentValue<string | number>(style, 'size', 9), 9);
  assert.equal(sentValue<string | number>(style, 'prompt', 'a fox'), 'Muted. a fox');
  assert.equal(sentValue<string | number>(style, 'prompt', ' '), ' ');
  assert.equal(sentValue<string | number>(undefined, 'steps', 9), 9);
});
