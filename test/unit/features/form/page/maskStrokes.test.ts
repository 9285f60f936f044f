import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fromMask,
  type MaskStep,
  paintedShare,
  redo,
  type Strokes,
  toMask,
  undo,
  withStep,
} from '../../../../../src/features/form/page/maskStrokes';

const line: MaskStep = { type: 'line', erases: false, width: 4, points: [[1, 1]] };
const inverted: MaskStep = { type: 'inverted' };
const nothing: Strokes = { done: [], undone: [] };

/** Paint with soft edges: of four pixels, the first and half of the second. */
const painted = () => Uint8ClampedArray.of(255, 45, 85, 255, 255, 45, 85, 128, 255, 45, 85, 127, 0, 0, 0, 0);

for (const [color, marked, other] of [
  ['white', [255, 255, 255, 255], [0, 0, 0, 255]],
  ['black', [0, 0, 0, 255], [255, 255, 255, 255]],
  ['transparent', [255, 255, 255, 0], [255, 255, 255, 255]],
] as const)
  test(`a mask that marks the change in ${color} has only two colors, and becomes the same paint again`, () => {
    const pixels = painted();
    toMask(pixels, color);
    assert.deepEqual([...pixels], [...marked, ...marked, ...other, ...other]);
    fromMask(pixels, color, [255, 45, 85]);
    assert.equal(paintedShare(pixels), 0.5);
    const again = pixels.slice();
    toMask(again, color);
    assert.deepEqual([...again], [...marked, ...marked, ...other, ...other]);
  });

test('steps are undone and redone one at a time, until something new is painted', () => {
  const two = withStep(withStep(nothing, line), inverted);
  assert.deepEqual(undo(two), { done: [line], undone: [inverted] });
  assert.deepEqual(undo(undo(two)), { done: [], undone: [line, inverted] });
  assert.deepEqual(redo(undo(undo(two))), { done: [line], undone: [inverted] });
  assert.deepEqual(redo(two), two);
  assert.deepEqual(undo(nothing), nothing);
  assert.deepEqual(withStep(undo(two), line), { done: [line, line], undone: [] });
});
