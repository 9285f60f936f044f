import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostPrivate } from '../../../src/renders/provenancePolicy';

test('of the user’s and the project’s settings, the one that records less applies', () => {
  assert.equal(mostPrivate([undefined, undefined, undefined]), 'embed');
  assert.equal(mostPrivate(['none', 'embed', undefined]), 'none');
  assert.equal(mostPrivate(['embed', undefined, 'none']), 'none');
  assert.equal(mostPrivate(['sidecar', 'embed', 'embed']), 'sidecar');
  assert.equal(mostPrivate(['embed', 'sidecar', undefined]), 'sidecar');
});

test('an unknown value counts as not set', () => {
  assert.equal(mostPrivate([true, 'everywhere', null]), 'embed');
});
