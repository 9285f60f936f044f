import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedTo } from '../../../../../src/features/gallery/page/grid';

// Three rows of four and a last one of two: 0 to 13.
const grid = { count: 14, columns: 4, pageRows: 2 };

test('arrow keys go to neighbors and stop at the edges', () => {
  assert.equal(movedTo(5, 'ArrowLeft', grid), 4);
  assert.equal(movedTo(0, 'ArrowLeft', grid), 0);
  assert.equal(movedTo(3, 'ArrowRight', grid), 4);
  assert.equal(movedTo(13, 'ArrowRight', grid), 13);
  assert.equal(movedTo(5, 'ArrowUp', grid), 1);
  assert.equal(movedTo(2, 'ArrowUp', grid), 2);
  assert.equal(movedTo(5, 'ArrowDown', grid), 9);
});

test('moving down into an incomplete last row leads to its last tile', () => {
  assert.equal(movedTo(8, 'ArrowDown', grid), 12);
  assert.equal(movedTo(11, 'ArrowDown', grid), 13);
  assert.equal(movedTo(12, 'ArrowDown', grid), 12);
});

test('Page Up and Page Down keep the column', () => {
  assert.equal(movedTo(1, 'PageDown', grid), 9);
  assert.equal(movedTo(9, 'PageDown', grid), 13);
  assert.equal(movedTo(9, 'PageUp', grid), 1);
  assert.equal(movedTo(5, 'PageUp', grid), 1);
});

test('Home and End lead to the first and last tile', () => {
  assert.equal(movedTo(5, 'Home', grid), 0);
  assert.equal(movedTo(5, 'End', grid), 13);
});

test('other keys lead nowhere', () => {
  for (const key of ['Enter', ' ', 'c', 'Delete', 'Tab']) assert.equal(movedTo(5, key, grid), undefined);
});
