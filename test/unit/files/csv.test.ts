import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../../src/features/spending/model/spendReport';

const mark = '\ufeff';

test('cells with commas, quotes, and line breaks are quoted, and lines end as in RFC 4180', () => {
  assert.equal(
    csv([
      ['plain', 'a, b', 'say "hi"', 'two\nlines'],
      [4, undefined, '', 0],
    ]),
    `${mark}plain,"a, b","say ""hi""","two\nlines"\r\n4,,,0\r\n`,
  );
});

test('anything a spreadsheet would evaluate is written as text', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1', '"=1"', '＝1', '|cmd'])
    assert.match(csv([[formula]]), /^\ufeff"?'/, formula);
  assert.equal(csv([[-4]]), `${mark}-4\r\n`, 'a number is a number');
  assert.equal(csv([['a=b']]), `${mark}a=b\r\n`);
});

test('nothing is evaluated when the list is split at semicolons either', () => {
  assert.equal(csv([['a fox;=1+1; "-2', 'wide; tall']]), `${mark}"a fox;'=1+1;' ""-2",wide; tall\r\n`);
});

test('an apostrophe precedes every possible formula, whatever comes before it, and nothing else', () => {
  const formula = /(^|[;\t\r\n])(?=[\s"']*[=+\-@|\uff1d\uff0b\uff20\uff0d])|^(?=[\t\r\n])/g;
  for (const text of upTo(6, ['=', 'a', ';', ' ', '"', '\n'])) {
    const cell = csv([[text]]).slice(mark.length, -2);
    const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    assert.equal(read, text.replace(formula, "$1'"), JSON.stringify(text));
  }
});

/** All texts of these characters, up to a length. */
function* upTo(length: number, characters: readonly string[]): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of upTo(length - 1, characters)) for (const character of characters) yield character + rest;
}
