import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fitOfFile, fitPlan, isSide, longestSide, mostPixels } from '../../../../src/files/fit/fit';

const wide = { width: 1600, height: 900 };

test('an image that is to cover a size loses the same amount on both sides', () => {
  const plan = fitPlan(wide, { width: 1200, height: 630, mode: 'cover' });
  assert.deepEqual(plan, {
    part: { x: 0, y: 30, width: 1600, height: 840 },
    scaled: { width: 1200, height: 630 },
    canvas: { width: 1200, height: 630 },
    at: { x: 0, y: 0 },
  });
});

test('an image that is to be contained in a size stays complete, in the middle', () => {
  const plan = fitPlan(wide, { width: 800, height: 800, mode: 'contain' });
  assert.deepEqual(plan, {
    part: { x: 0, y: 0, ...wide },
    scaled: { width: 800, height: 450 },
    canvas: { width: 800, height: 800 },
    at: { x: 0, y: 175 },
  });
});

test('a side that isn’t stated follows from the other one, and without any the size stays', () => {
  assert.deepEqual(fitPlan(wide, { width: 400, mode: 'cover' })?.canvas, { width: 400, height: 225 });
  assert.deepEqual(fitPlan(wide, { height: 450, mode: 'contain' })?.canvas, { width: 800, height: 450 });
  assert.deepEqual(fitPlan(wide, { mode: 'cover' })?.canvas, wide);
});

test('whatever the sizes, the part is inside the image, and what it becomes inside the canvas', () => {
  const side = fc.integer({ min: 1, max: longestSide });
  const stated = fc.option(side, { nil: undefined });
  fc.assert(
    fc.property(side, side, stated, stated, fc.constantFrom('cover', 'contain'), (width, height, w, h, mode) => {
      const plan = fitPlan({ width, height }, { width: w, height: h, mode });
      if (!plan) return;
      const { part, scaled, canvas, at } = plan;
      assert.ok([part.width, part.height, scaled.width, scaled.height, canvas.width, canvas.height].every(isSide));
      assert.ok(part.x >= 0 && part.y >= 0 && part.x + part.width <= width && part.y + part.height <= height);
      assert.ok(at.x >= 0 && at.y >= 0);
      assert.ok(at.x + scaled.width <= canvas.width && at.y + scaled.height <= canvas.height);
      assert.ok(canvas.width * canvas.height <= mostPixels);
      if (w !== undefined && h !== undefined) assert.deepEqual(canvas, { width: w, height: h });
    }),
  );
});

test('the file extension decides the format, and others that can’t be written aren’t fitted', () => {
  const asked = { width: 1200, height: 630, mode: 'cover' } as const;
  assert.equal(fitOfFile(asked, 'webp')?.format, 'webp');
  assert.equal(fitOfFile(asked, 'JPG')?.format, 'jpeg');
  assert.equal(fitOfFile(asked, 'png')?.format, 'png');
  assert.deepEqual(fitOfFile(asked, undefined), { ...asked, format: undefined });
  for (const ending of ['gif', 'avif', 'svg', 'constructor', '']) assert.equal(fitOfFile(asked, ending), undefined);
});

test('no image becomes larger than can be written', () => {
  assert.equal(fitOfFile({ width: longestSide + 1, mode: 'cover' }, 'png'), undefined);
  assert.equal(fitOfFile({ width: 10_000, height: 10_000, mode: 'cover' }, 'png'), undefined);
  assert.equal(fitOfFile({ width: 0.5, mode: 'cover' }, 'png'), undefined);
  assert.equal(fitPlan({ width: 1, height: 1000 }, { width: 1200, mode: 'cover' }), undefined);
});
