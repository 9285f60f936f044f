import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { edited, findPassage, insertingBelow, passageOf, replacing } from '../../../src/documents/passage';

/** The document and where its part in brackets stands, without the brackets. */
function marked(text: string) {
  const start = text.indexOf('[');
  const end = text.indexOf(']') - 1;
  return { document: text.replace(/[[\]]/g, ''), span: { start, end } };
}

function found(before: string, now: string) {
  const { document, span } = marked(before);
  const place = findPassage(now, passageOf(document, span));
  return typeof place === 'string' ? place : now.slice(0, place.start) + '[' + now.slice(place.start, place.end) + ']';
}

test('a passage is where it was, and moves with what is written above or below it', () => {
  assert.equal(found('a [fox] b fox', 'a fox b fox'), 'a [fox]');
  assert.equal(found('a [fox] b fox', 'a fox b fox, and more'), 'a [fox]');
  assert.equal(found('a fox b [fox] c', 'Once: a fox b fox c'), 'Once: a fox b [fox]');
});

test('with changes on both sides it is the only place with its text', () => {
  assert.equal(found('a [fox] b', 'one fox, two'), 'one [fox]');
  assert.equal(found('a [fox] b', 'one fox, two foxes'), 'several');
  assert.equal(found('a [fox] b', 'one hare'), 'gone');
});

test('where two places are as good as each other, neither is taken', () => {
  assert.equal(found('x[ab]y', 'xababy'), 'several');
});

test('a passage is never found where its text is not', () => {
  const words = fc.array(fc.constantFrom('a', 'b', ' ', '\n'), { maxLength: 12 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(words, words, words, words, (before, text, after, now) => {
      fc.pre(text !== '');
      const place = findPassage(now, { before, text, after });
      assert.ok(typeof place === 'string' || now.slice(place.start, place.end) === text);
      assert.deepEqual(findPassage(before + text + after, { before, text, after }) === 'gone', false);
    }),
  );
});

function replaced(text: string, answer: string): string {
  const { document, span } = marked(text);
  return edited(document, replacing(document, span, answer));
}

test('an answer stands in the place of the passage, whose own white space stays', () => {
  assert.equal(replaced('a [red fox] runs', ' hare\n'), 'a hare runs');
  assert.equal(replaced('[  old\n]next', 'new'), '  new\nnext');
});

function below(text: string, answer: string): string {
  const { document, span } = marked(text);
  return edited(document, insertingBelow(document, span, answer));
}

test('an answer below stands on lines of its own, between blank lines', () => {
  assert.equal(below('a [fox] runs\nand hides\n', 'hare\n'), 'a fox runs\n\nhare\n\nand hides\n');
  assert.equal(below('[a fox\n]\nnext\n', 'hare'), 'a fox\n\nhare\n\nnext\n');
  assert.equal(below('[a fox]', 'hare'), 'a fox\n\nhare');
  assert.equal(below('[a fox\n]', 'hare'), 'a fox\n\nhare\n');
  assert.equal(below('[a fox\r\n]\r\nnext', 'hare'), 'a fox\n\nhare\r\n\r\nnext');
});
