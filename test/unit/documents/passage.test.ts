import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  edited,
  findPassage,
  insertingBelow,
  passageOf,
  replacedPassage,
  spansWithText,
} from '../../../src/documents/passage';

/** The document without its brackets, and the place of the bracketed part. */
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

test('a passage moves with text inserted above or below it', () => {
  assert.equal(found('a [fox] b fox', 'a fox b fox'), 'a [fox]');
  assert.equal(found('a red [fox] b fox', 'a red fox b fox, and more'), 'a red [fox]');
  assert.equal(found('a fox b [fox] c', 'Once: a fox b fox c'), 'Once: a fox b [fox]');
});

test('with changes on both sides, a passage is where its surroundings still are', () => {
  const near = 'There the quick red [fox] jumps over a hedge';
  assert.equal(found(`One. ${near}. Three.`, `1. ${near.replace(/[[\]]/g, '')}. 3.`), `1. There the quick red [fox]`);
  const long = 'a sentence that is long enough to be no other';
  assert.equal(found(`One [${long}] two`, `Three ${long} four`), `Three [${long}]`);
  assert.equal(found('a [fox] b', 'one hare'), 'gone');
});

test('a text that may be a different one isn’t the passage', () => {
  assert.equal(found('a [fox] b', 'one fox, two'), 'unsure');
  assert.equal(found('a [fox] b', 'one fox, two foxes'), 'unsure');
  assert.equal(found('x[ab]y', 'xababy'), 'unsure');
  assert.equal(found('[cat]', 'cat food is cheap'), 'unsure');
  assert.equal(found('[The] fox runs and runs', 'The other document is about trees'), 'unsure');
});

test('next to the document’s start, a copy of a passage isn’t taken for it', () => {
  const rest = 'the cat sat on a mat cat';
  assert.equal(found(`[cat]${rest}`, `cattcat${rest.slice(1)}the cat sat on a mat`), 'unsure');
  assert.equal(found(`[cat]${rest}`, `a cat: cat${rest}`), `a cat: [cat]`);
});

test('a passage that has grown isn’t the same passage', () => {
  assert.equal(found('My neighbour has a [cat]', 'My neighbour has a catamaran'), 'unsure');
  assert.equal(found('[cat] is what they call it', 'tomcat is what they call it'), 'unsure');
});

test('of several copies, a remaining one can’t be identified', () => {
  assert.equal(found('one cat sat\n[one cat sat]\n', 'one cat sat\n'), 'unsure');
  assert.equal(found('one cat sat\n[one cat sat]\n', 'one cat sat\none cat sat\none cat sat\n'), 'unsure');
  assert.equal(
    found('one cat sat\n[one cat sat]\n', 'one cat sat\none cat sat\nThe end'),
    'one cat sat\n[one cat sat]',
  );
});

test('if one copy was removed and another added, the passage can’t be identified', () => {
  const row = `| a row of a table | cat | that has many of its kind |\n`;
  const chosen = row.replace('cat', '[cat]');
  assert.equal(found(`A\n${row}B\n${chosen}C`, `A\nB\n${row}D\n${row}E`), 'unsure');
});

/** Similar words, so that places are easily confused. */
const words = fc.constantFrom('cat', 'cat ', ' cat', 'the cat sat on a mat', 'catamaran', '\n', ' ', 'a', 'dog ');
const texts = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(''));

test('whatever is typed and deleted around a passage, it’s found in the right place or not at all', () => {
  const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), write: texts });
  let places = 0;
  fc.assert(
    fc.property(texts, texts, texts, fc.array(change, { maxLength: 4 }), (before, text, after, changes) => {
      fc.pre(text !== '');
      let [above, below] = [before, after];
      for (const { at, remove, write } of changes) {
        const place = Math.floor(at * (above.length + below.length + 1));
        if (place <= above.length) above = above.slice(0, Math.max(0, place - remove)) + write + above.slice(place);
        else below = below.slice(0, place - above.length) + write + below.slice(place - above.length + remove);
      }
      const place = findPassage(above + text + below, { before, text, after });
      assert.notEqual(place, 'gone');
      if (typeof place === 'string') return;
      places++;
      assert.equal(place.start, above.length, JSON.stringify({ before, text, after, now: above + text + below }));
    }),
    { numRuns: 3000 },
  );
  assert.ok(places > 500, String(places));
});

function replaced(text: string, answer: string): string {
  const { document, span } = marked(text);
  return edited(document, replacedPassage(document, span, answer));
}

test('a response replaces the passage, and keeps its surrounding white space', () => {
  assert.equal(replaced('a [red fox] runs', ' hare\n'), 'a hare runs');
  assert.equal(replaced('[  old\n]next', 'new'), '  new\nnext');
});

function below(text: string, answer: string): string {
  const { document, span } = marked(text);
  return edited(document, insertingBelow(document, span, answer));
}

test('a response below gets lines of its own, between blank lines', () => {
  assert.equal(below('a [fox] runs\nand hides\n', 'hare\n'), 'a fox runs\n\nhare\n\nand hides\n');
  assert.equal(below('[a fox\n]\nnext\n', 'hare'), 'a fox\n\nhare\n\nnext\n');
  assert.equal(below('[a fox]', 'hare'), 'a fox\n\nhare');
  assert.equal(below('[a fox\n]', 'hare'), 'a fox\n\nhare\n');
  assert.equal(below('[a fox\r\n]\r\nnext', 'hare'), 'a fox\n\nhare\r\n\r\nnext');
});

test('all selections with text count, and empty cursors don’t', () => {
  const span = (start: number, end: number) => ({ start, end });
  const selections = [span(0, 0), span(0, 5), span(5, 6), span(6, 9), span(9, 9)];
  assert.deepEqual(spansWithText('a fox ran', selections), [span(0, 5), span(6, 9)]);
  assert.deepEqual(spansWithText('a fox ran', [span(5, 6)]), []);
});
