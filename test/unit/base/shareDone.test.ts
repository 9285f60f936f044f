import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareDone } from '../../../src/base/numbers';

test('progress only grows, and never reaches the end', () => {
  let before = -1;
  for (let elapsed = 0; elapsed <= 100_000; elapsed += 100) {
    const share = shareDone(elapsed, 4000);
    assert.ok(share > before && share < 1, `${share} after ${elapsed} ms`);
    before = share;
  }
});

test('the pace doesn’t change abruptly if it takes longer than usual', () => {
  const [before, at, after] = [3990, 4000, 4010].map((elapsed) => shareDone(elapsed, 4000)) as [number, number, number];
  assert.ok(Math.abs(at - before - (after - at)) < 0.0001);
});

test('it still moves at three times the usual time', () => {
  assert.ok(shareDone(12_000, 4000) < 0.96);
  assert.ok(shareDone(13_000, 4000) - shareDone(12_000, 4000) > 0.002);
});
