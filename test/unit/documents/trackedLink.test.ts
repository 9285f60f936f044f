import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageLink } from '../../../src/documents/link';
import { imageLinks } from '../../../src/documents/imageLinks';
import { edited } from '../../../src/documents/passage';
import { movedBy, withSizeAt } from '../../../src/documents/edits';

const size = { width: 64, height: 48 };
const link = '<img src="fox.png" alt="a fox">';

const isFox = ({ path }: ImageLink) => path === 'fox.png';

test('the size goes to the inserted link, not to an earlier one of the same image', () => {
  const text = `<p>${link}</p>\n<p>${link}</p>\n`;
  const second = text.lastIndexOf('<img');
  const links = imageLinks(text, 'html');
  const edit = withSizeAt(text, links, second, size, isFox);
  assert.equal(
    edit && edited(text, edit),
    `<p>${link}</p>\n<p><img src="fox.png" alt="a fox" width="64" height="48"></p>\n`,
  );
  assert.equal(withSizeAt(text, links, second + 1, size, isFox), undefined);
  const hens = text.replaceAll('fox.png', 'hen.png');
  assert.equal(withSizeAt(hens, imageLinks(hens, 'html'), second, size, isFox), undefined);
});

test('a link is found where earlier edits moved it, and not once it was replaced', () => {
  const change = (rangeOffset: number, rangeLength: number, text: string) => ({ rangeOffset, rangeLength, text });
  assert.equal(movedBy(10, [change(0, 0, 'abc'), change(2, 5, '')]), 8);
  assert.equal(movedBy(10, [change(10, 0, 'ab'), change(12, 0, 'c')]), 13);
  assert.equal(movedBy(10, [change(11, 4, '')]), 10);
  assert.equal(movedBy(10, [change(8, 3, 'xyz')]), undefined);
});
