import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastTold } from '../../../src/renders/provenancePlace';

test('of the user’s and the project’s settings, the one that records less applies', () => {
  assert.equal(leastTold([undefined, undefined, undefined]), 'embed');
  assert.equal(leastTold(['none', 'embed', undefined]), 'none');
  assert.equal(leastTold(['embed', undefined, 'none']), 'none');
  assert.equal(leastTold(['sidecar', 'embed', 'embed']), 'sidecar');
  assert.equal(leastTold(['embed', 'sidecar', undefined]), 'sidecar');
});

test('an unknown value counts as not set', () => {
  assert.equal(leastTold([true, 'everywhere', null]), 'embed');
});
