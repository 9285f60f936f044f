import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, panned, percentOf, zoomed } from '../../../../../src/features/compare/page/state';

test('zooming keeps the point under the pointer in place, in a pane of any size', () => {
  const at = { x: 0.25, y: -0.25 };
  const zoom = zoomed(fitted, 2, at);
  // The point was at a quarter of the image, and would be at half at twice the size.
  assert.deepEqual(zoom, { scale: 2, x: -0.25, y: 0.25 });
  assert.equal(zoom.x + 0.25 * zoom.scale, at.x);
});

test('zooming ends at the entire image and at thirty-two times that', () => {
  assert.equal(zoomed(fitted, 1000).scale, 32);
  assert.deepEqual(zoomed({ scale: 2, x: 0.5, y: 0.5 }, 0.001), fitted);
});

test('an image is moved no further than its edge', () => {
  assert.deepEqual(panned(fitted, { x: 0.2, y: 0.2 }), fitted);
  assert.deepEqual(panned({ scale: 2, x: 0, y: 0 }, { x: -9, y: 0.1 }), { scale: 2, x: -0.5, y: 0.1 });
});

test('an image of 1,024 pixels shown at 460 is no 100 %: that is one pixel of the file for each of the page', () => {
  const [image, pane] = [
    { width: 1024, height: 1024 },
    { width: 460, height: 600 },
  ];
  assert.equal(percentOf(fitted, image, pane), undefined, 'it fits');
  assert.equal(percentOf({ ...fitted, scale: 2 }, image, pane), 90);
  assert.equal(percentOf({ ...fitted, scale: 1024 / 460 }, image, pane), 100);
  assert.equal(percentOf({ ...fitted, scale: 2 }, undefined, pane), undefined);
});
