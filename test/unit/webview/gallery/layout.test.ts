import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gap, layoutOf, leftOf, rowAt, topOf } from '../../../../src/webview/gallery/layout';

test('tiles fill the width, whatever it is, and never stand outside it', () => {
  for (const width of [300, 420, 777, 1000, 1600, 2560]) {
    const layout = layoutOf(width);
    const right = leftOf(layout.columns - 1, layout) + layout.tileWidth;
    assert.ok(right <= width - gap && right > width - gap - layout.columns, `${width}`);
  }
  assert.equal(layoutOf(300).columns, 1);
  assert.equal(layoutOf(1600).columns, 8);
});

test('before the width is known there is no room, and nothing breaks', () => {
  assert.deepEqual(layoutOf(0), { columns: 1, tileWidth: 0, tileHeight: 52 });
});

test('a row is in view until the gap below it has left', () => {
  const layout = layoutOf(1000);
  assert.equal(rowAt(0, layout), 0);
  assert.equal(rowAt(topOf(3, layout), layout), 3);
  assert.equal(rowAt(topOf(3, layout) + layout.tileHeight - 1, layout), 3);
});
