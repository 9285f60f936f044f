import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SeenBalance } from '../../../../../src/renders/ledger';
import type { RenderRecord } from '../../../../../src/renders/record';
import { record, unknownRecord } from '../../../renders/records';
import { reported } from './reported';

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

async function amounts(t: TestContext, seen: SeenBalance[], records: RenderRecord[]) {
  const { statement } = await reported(t, records, 'all', { seen, now: start + 86_400_000 });
  if (!statement) return undefined;
  const { from, to, oursCents, outsideCents, addedCents, uncertain } = statement;
  assert.equal(from.cents - oursCents - outsideCents + addedCents, to.cents, 'the lines add up');
  return { ours: oursCents, outside: outsideCents, added: addedCents, uncertain };
}

test('a balance that fell by the cost of our renders leaves nothing to explain', async (t) => {
  const records = [at(1), at(2, { costCents: 12 })];
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(3, 84)], records), {
    ours: 16,
    outside: 0,
    added: 0,
    uncertain: 0,
  });
});

test('any further decrease was spent outside this editor', async (t) => {
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(3, 76)], [at(1)]), {
    ours: 4,
    outside: 20,
    added: 0,
    uncertain: 0,
  });
});

test('an increase was added, and isn’t offset against spending elsewhere at another time', async (t) => {
  const balances = [seen(0, 100), seen(1, 80), seen(2, 1080)];
  assert.deepEqual(await amounts(t, balances, []), { ours: 0, outside: 20, added: 1000, uncertain: 0 });
});

test('a refund of ours is our money', async (t) => {
  const refunded = at(1, { state: 'refunded', endedAt: start + 2 * minute });
  // Seen while it was charged but not refunded yet: neither "outside" nor "added" appears.
  const balances = [seen(0, 100), seen(1.5, 96), seen(3, 100)];
  assert.deepEqual(await amounts(t, balances, [refunded]), { ours: 0, outside: 0, added: 0, uncertain: 0 });
});

test('a balance requested while a render of ours was being charged proves nothing', async (t) => {
  const slow = at(1, { acceptedAt: start + 2 * minute });
  const balances = [seen(0, 100), seen(1.5, 100), seen(3, 96)];
  assert.deepEqual(await amounts(t, balances, [slow]), { ours: 4, outside: 0, added: 0, uncertain: 0 });
  assert.equal(await amounts(t, balances.slice(0, 2), [slow]), undefined);
});

test('a render in progress is awaited', async (t) => {
  const open = at(1, { state: 'accepted', endedAt: undefined });
  assert.equal(await amounts(t, [seen(0, 100), seen(2, 96)], [open]), undefined);
});

test('a render without a stated charge may explain a decrease, and is counted', async (t) => {
  const sentAt = start + minute;
  const unknown = unknownRecord({ plannedAt: sentAt, endedAt: start + 11 * minute });
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(12, 96)], [unknown]), {
    ours: 0,
    outside: 4,
    added: 0,
    uncertain: 1,
  });
});

test('a failed render whose refund is never stated doesn’t block the statement forever', async (t) => {
  const failed = at(1, { state: 'failed' });
  assert.equal(await amounts(t, [seen(0, 100), seen(3, 96)], [failed]), undefined);
  const balances = [seen(0, 100), seen(25 * 60, 100)];
  assert.deepEqual(await amounts(t, balances, [failed]), { ours: 4, outside: 0, added: 4, uncertain: 1 });
});

test('renders before the first balance and after the last aren’t part of it', async (t) => {
  const records = [at(-5), at(1), at(9)];
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(3, 96)], records), {
    ours: 4,
    outside: 0,
    added: 0,
    uncertain: 0,
  });
});

test('a render started elsewhere and adopted here counts as outside', async (t) => {
  const takenUp = at(1, { attempt: 0, firstSentAt: undefined });
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(3, 96)], [takenUp]), {
    ours: 0,
    outside: 4,
    added: 0,
    uncertain: 0,
  });
});

test('rejected renders and those never sent move nothing', async (t) => {
  const none = (['refused', 'planned', 'discarded'] as const).map((state) => at(1, { state, costCents: undefined }));
  assert.deepEqual(await amounts(t, [seen(0, 100), seen(3, 100)], none), {
    ours: 0,
    outside: 0,
    added: 0,
    uncertain: 0,
  });
});

test('a single balance explains nothing', async (t) => {
  assert.equal(await amounts(t, [seen(0, 100)], [at(1)]), undefined);
  assert.equal(await amounts(t, [], []), undefined);
});
