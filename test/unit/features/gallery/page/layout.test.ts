import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gap, layoutOf, leftOf, rowAt, topOf } from '../../../../../src/features/gallery/page/grid';

test('tiles fill any width, and never exceed it', () => {
  for (const size of ['usual', 'small'] as const)
    for (const width of [300, 420, 777, 1000, 1600, 2560]) {
      const layout = layoutOf(width, size);
      const right = leftOf(layout.columns - 1, layout) + layout.tileWidth;
      assert.ok(right <= width - gap && right > width - gap - layout.columns, `${width}`);
    }
  assert.equal(layoutOf(300, 'usual').columns, 1);
  assert.equal(layoutOf(1600, 'usual').columns, 8);
});

test('two rows fit completely in a page 360 px high, whatever its width', () => {
  // The scroll area below one line of filters, or two if narrow.
  for (const [width, height] of [
    [385, 299],
    [785, 327],
    [1185, 327],
  ] as const)
    assert.ok(topOf(2, layoutOf(width, 'low')) - gap <= height, `${width}`);
});

test('before the width is known there’s no room, and nothing breaks', () => {
  assert.deepEqual(layoutOf(0, 'usual'), { columns: 1, tileWidth: 0, tileHeight: 52 });
});

test('a row is visible until the gap below it is out of view', () => {
  const layout = layoutOf(1000, 'usual');
  assert.equal(rowAt(0, layout), 0);
  assert.equal(rowAt(topOf(3, layout), layout), 3);
  assert.equal(rowAt(topOf(3, layout) + layout.tileHeight - 1, layout), 3);
});
