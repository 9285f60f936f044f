import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, panned, zoomed } from '../../../../src/webview/gallery/zoom';

const pane = { width: 400, height: 200 };

test('zooming keeps what is at the point where it is', () => {
  const at = { x: 100, y: -50 };
  const zoom = zoomed(fitted, 2, pane, at);
  // The point lay at 100 of the whole picture; at twice the size it would lie at 200.
  assert.deepEqual(zoom, { scale: 2, x: -100, y: 50 });
  assert.equal(zoom.x + 100 * zoom.scale, at.x);
});

test('zooming ends at the whole picture and at sixteen times that', () => {
  assert.equal(zoomed(fitted, 1000, pane).scale, 16);
  assert.deepEqual(zoomed({ scale: 2, x: 200, y: 100 }, 0.001, pane), fitted);
});

test('a picture is moved no further than its edge', () => {
  assert.deepEqual(panned(fitted, { x: 50, y: 50 }, pane), fitted);
  assert.deepEqual(panned({ scale: 2, x: 0, y: 0 }, { x: -900, y: 30 }, pane), { scale: 2, x: -200, y: 30 });
});
