import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderRecord } from '../../../src/renders/record';
import { isMadeBy } from '../../../src/renders/orders';
import { record } from './records';

const inputs = { prompt: 'a red kite', seed: 7 };
const place = 'https://models.example';

function isSame(made: Partial<RenderRecord>): boolean {
  return isMadeBy({ modelId: 'a/b/c', inputs }, new Set([place]), record({ inputs, ...made }));
}

test('the same inputs make the same image as a render that is saved or in progress', () => {
  assert.ok(isSame({}));
  for (const state of ['sent', 'accepted', 'succeeded'] as const) assert.ok(isSame({ state, file: undefined }));
});

test('another seed, one more input, another model, or another service makes another image', () => {
  assert.ok(!isSame({ inputs: { ...inputs, seed: 8 } }));
  assert.ok(!isSame({ inputs: { ...inputs, steps: 3 } }));
  assert.ok(!isSame({ inputs: { seed: 7 } }));
  assert.ok(!isSame({ modelId: 'a/b/d' }));
  assert.ok(!isSame({ place: 'sandbox' }));
});

test('what failed, was never sent, or was discarded isn’t an existing image', () => {
  for (const state of ['planned', 'failed', 'refunded', 'refused', 'unknown', 'discarded'] as const)
    assert.ok(!isSame({ state, file: undefined }));
  assert.ok(!isSame({ file: undefined }));
});

test('large inputs, of which only the beginnings are known, give no result', () => {
  assert.ok(!isSame({ isApart: true }));
});
