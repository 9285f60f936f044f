import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covered } from '../../../src/renders/budget';

const balance = { id: 'balance', limit: 10, committed: 0 };
const day = { id: 'day', limit: 20, committed: 9 };

test('counts the renders that all limits cover together, and names the limit that stops the next one', () => {
  const renders = [4, 4, 4].map((cents) => ({ cents, limits: [balance, day] }));
  assert.deepEqual(covered(renders), { count: 2, over: balance });
  assert.deepEqual(covered(renders.slice(0, 2)), { count: 2 });
});

test('the used part of a limit counts', () => {
  const renders = [4, 4, 4].map((cents) => ({ cents, limits: [day] }));
  assert.deepEqual(covered(renders), { count: 2, over: day });
});

test('renders of other projects use up only their own limit', () => {
  const one = { id: 'project one', limit: 5, committed: 0 };
  const two = { id: 'project two', limit: 5, committed: 0 };
  const renders = [one, two, one].map((limit) => ({ cents: 4, limits: [limit] }));
  assert.deepEqual(covered(renders), { count: 2, over: one });
});

test('without limits, or with none set, all are covered', () => {
  assert.deepEqual(covered([{ cents: 4, limits: [] }]), { count: 1 });
  assert.deepEqual(covered([{ cents: 4, limits: [{ id: 'day', limit: undefined, committed: 3 }] }]), { count: 1 });
});
