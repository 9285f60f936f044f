import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsFor } from '../../../../../src/features/compare/page/compareView';

test('two images are side by side in a wide view, and stacked in a narrow one', () => {
  assert.equal(columnsFor(2, { width: 1200, height: 700 }), 2);
  assert.equal(columnsFor(2, { width: 300, height: 700 }), 1);
});

test('more images fill the view', () => {
  assert.equal(columnsFor(4, { width: 1000, height: 800 }), 2);
  assert.equal(columnsFor(6, { width: 1500, height: 800 }), 3);
  assert.equal(columnsFor(3, { width: 1600, height: 500 }), 3);
});

test('the images of a pair stay in one row', () => {
  assert.equal(columnsFor(4, { width: 300, height: 900 }, 2), 2);
  assert.equal(columnsFor(6, { width: 1500, height: 800 }, 2), 4);
  assert.equal(columnsFor(6, { width: 1600, height: 500 }, 2), 6);
});
