import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previousOf } from '../../../src/renders/origin';
import { record } from './records';

const file = 'file:///project/renders/hero.png';
const isAt = (uri: string) => uri === file;
const now = record({ plannedAt: 30, file, inputs: { prompt: 'a heron', seed: 3 } });

test('the previous render is the latest earlier one saved to the same file', () => {
  const first = record({ plannedAt: 10, claimed: file, modelId: 'another/model' });
  const second = record({ plannedAt: 20, claimed: file, file: 'file:///project/renders/moved.png' });
  const later = record({ plannedAt: 40, claimed: file });
  assert.equal(previousOf(now, isAt, [first, later, now, second]), second);
});

test('otherwise it’s the latest other attempt with the same model and prompt', () => {
  const tried = record({ plannedAt: 10, inputs: { prompt: 'a heron', seed: 1 } });
  const again = record({ plannedAt: 20, inputs: { prompt: 'a heron', seed: 2 } });
  const other = record({ plannedAt: 25, inputs: { prompt: 'a fox' } });
  assert.equal(previousOf(now, isAt, [tried, again, other, now]), again);
  assert.equal(previousOf(now, isAt, [other, now]), undefined);
});

test('unsaved and deleted renders don’t count', () => {
  const failed = record({ plannedAt: 10, claimed: file, state: 'failed', file: undefined });
  const deleted = record({ plannedAt: 20, claimed: file, deleted: true });
  assert.equal(previousOf(now, isAt, [failed, deleted, now]), undefined);
});

test('a file that isn’t ours has the renders saved there before it', () => {
  const earlier = record({ plannedAt: 10, file });
  assert.equal(previousOf(undefined, isAt, [earlier]), earlier);
});
