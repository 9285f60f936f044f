import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeenBalance } from '../../../src/renders/ledger';
import { statementOf } from '../../../src/renders/spendSums';
import { record, unknownRecord } from './records';

const start = Date.UTC(2026, 0, 2, 12);
const minute = 60_000;

/** A balance requested within 50 ms, this many minutes after the start. */
function seen(minutes: number, cents: number): SeenBalance {
  const askedAt = start + minutes * minute;
  return { askedAt, at: askedAt + 50, cents };
}

/** A render sent this many minutes after the start, accepted 100 ms later, and ended after two seconds. */
function at(minutes: number, change: Parameters<typeof record>[0] = {}) {
  return record({ plannedAt: start + minutes * minute, ...change });
}

function amounts(balances: SeenBalance[], records: Parameters<typeof statementOf>[1]) {
  const statement = statementOf(balances, records);
  if (!statement) return undefined;
  const { from, to, oursCents, outsideCents, addedCents, uncertain } = statement;
  assert.equal(from.cents - oursCents - outsideCents + addedCents, to.cents, 'the lines add up');
  return { ours: oursCents, outside: outsideCents, added: addedCents, uncertain };
}

test('a balance that fell by the cost of our renders leaves nothing to explain', () => {
  const records = [at(1), at(2, { costCents: 12 })];
  assert.deepEqual(amounts([seen(0, 100), seen(3, 84)], records), { ours: 16, outside: 0, added: 0, uncertain: 0 });
});

test('any further decrease was spent outside this editor', () => {
  assert.deepEqual(amounts([seen(0, 100), seen(3, 76)], [at(1)]), { ours: 4, outside: 20, added: 0, uncertain: 0 });
});

test('an increase was added, and isn’t offset against spending elsewhere at another time', () => {
  const balances = [seen(0, 100), seen(1, 80), seen(2, 1080)];
  assert.deepEqual(amounts(balances, []), { ours: 0, outside: 20, added: 1000, uncertain: 0 });
});

test('a refund of ours is our money', () => {
  const refunded = at(1, { state: 'refunded', endedAt: start + 2 * minute });
  // Seen while it was charged but not refunded yet: neither "outside" nor "added" appears.
  const balances = [seen(0, 100), seen(1.5, 96), seen(3, 100)];
  assert.deepEqual(amounts(balances, [refunded]), { ours: 0, outside: 0, added: 0, uncertain: 0 });
});

test('a balance requested while a render of ours was being charged proves nothing', () => {
  const slow = at(1, { acceptedAt: start + 2 * minute });
  const balances = [seen(0, 100), seen(1.5, 100), seen(3, 96)];
  assert.deepEqual(amounts(balances, [slow]), { ours: 4, outside: 0, added: 0, uncertain: 0 });
  assert.equal(amounts(balances.slice(0, 2), [slow]), undefined);
});

test('a render in progress is awaited', () => {
  const open = at(1, { state: 'accepted', endedAt: undefined });
  assert.equal(amounts([seen(0, 100), seen(2, 96)], [open]), undefined);
});

test('a render without a stated charge may explain a decrease, and is counted', () => {
  const sentAt = start + minute;
  const unknown = unknownRecord({ plannedAt: sentAt, endedAt: start + 11 * minute });
  assert.deepEqual(amounts([seen(0, 100), seen(12, 96)], [unknown]), { ours: 0, outside: 4, added: 0, uncertain: 1 });
});

test('a failed render whose refund is never stated doesn’t block the statement forever', () => {
  const failed = at(1, { state: 'failed' });
  assert.equal(amounts([seen(0, 100), seen(3, 96)], [failed]), undefined);
  const balances = [seen(0, 100), seen(25 * 60, 100)];
  assert.deepEqual(amounts(balances, [failed]), { ours: 4, outside: 0, added: 4, uncertain: 1 });
});

test('renders before the first balance and after the last aren’t part of it', () => {
  const records = [at(-5), at(1), at(9)];
  assert.deepEqual(amounts([seen(0, 100), seen(3, 96)], records), { ours: 4, outside: 0, added: 0, uncertain: 0 });
});

test('a render started elsewhere and adopted here counts as outside', () => {
  const takenUp = at(1, { attempt: 0, firstSentAt: undefined });
  assert.deepEqual(amounts([seen(0, 100), seen(3, 96)], [takenUp]), { ours: 0, outside: 4, added: 0, uncertain: 0 });
});

test('rejected renders and those never sent move nothing', () => {
  const none = (['refused', 'planned', 'discarded'] as const).map((state) => at(1, { state, costCents: undefined }));
  assert.deepEqual(amounts([seen(0, 100), seen(3, 100)], none), { ours: 0, outside: 0, added: 0, uncertain: 0 });
});

test('a single balance explains nothing', () => {
  assert.equal(statementOf([seen(0, 100)], [at(1)]), undefined);
  assert.equal(statementOf([], []), undefined);
});
