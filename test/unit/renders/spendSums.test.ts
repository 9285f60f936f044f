import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { Yielder } from '../../../src/base/concurrency';
import { type Charge, chargeOf } from '../../../src/renders/charge';
import type { RenderRecord } from '../../../src/renders/record';
import { groupsIn, groupsOf, largestGroups, sumsOf } from '../../../src/renders/spendSums';
import { record, unknownRecord } from './records';

function charges(...records: RenderRecord[]): Charge[] {
  return records.flatMap((one) => chargeOf(one) ?? []);
}

test('charges add up, and a refund cancels its charge and is shown separately', () => {
  const sums = sumsOf(charges(record(), record({ costCents: 12 }), record({ state: 'refunded', costCents: 5 })));
  assert.deepEqual(
    { renders: sums.renders, spent: sums.spentCents, refunded: sums.refundedCents, refunds: sums.refunds },
    { renders: 3, spent: 16, refunded: 5, refunds: 1 },
  );
});

test('unstated charges are counted but not in any amount, even with a quoted price', () => {
  const sums = sumsOf(charges(unknownRecord({ shownCents: 7 }), record({ costCents: undefined }), record()));
  assert.equal(sums.unknown, 2);
  assert.equal(sums.spentCents, 4);
  assert.equal(sums.unknownShownCents, 11);
});

test('a failed render counts as charged until the service states the refund', () => {
  assert.equal(sumsOf(charges(record({ state: 'failed' }))).spentCents, 4);
  assert.equal(sumsOf(charges(record({ state: 'refunded' }))).spentCents, 0);
});

test('a render in progress counts as charged once the service says so, and isn’t unknown before', () => {
  const sent = record({ state: 'sent', acceptedAt: undefined, costCents: undefined });
  const sums = sumsOf(charges(sent, record({ state: 'accepted' })));
  assert.deepEqual([sums.renders, sums.underWay, sums.unknown, sums.spentCents], [2, 1, 0, 4]);
});

test('discarded, rejected, and unsent renders cost nothing and aren’t included', () => {
  const none = (['planned', 'discarded', 'refused'] as const).map((state) => record({ state, costCents: undefined }));
  assert.deepEqual(charges(...none), []);
});

test('a free render is one that cost nothing, not one with an unknown charge', () => {
  const sums = sumsOf(charges(record({ costCents: 0 })));
  assert.deepEqual([sums.renders, sums.spentCents, sums.unknown], [1, 0, 0]);
});

test('groups are sorted by cost, and the rest are summed up in one row', async () => {
  const all = charges(
    ...[3, 40, 5, 1, 1].map((costCents, index) => record({ costCents, modelId: `m${index}` })),
    record({ costCents: 9, modelId: 'm0' }),
  );
  const groups = await groupsOf(all, (charge) => charge.record.modelId, new Yielder(systemClock));
  assert.deepEqual(
    largestGroups(groups, 5).groups.map(({ key, sums }) => [key, sums.spentCents]),
    [
      ['m1', 40],
      ['m0', 12],
      ['m2', 5],
      ['m3', 1],
      ['m4', 1],
    ],
  );
  const few = largestGroups(groups, 2);
  assert.deepEqual(
    few.groups.map(({ key }) => key),
    ['m1', 'm0'],
  );
  assert.equal(few.others?.count, 3);
  assert.equal(few.others.sums.spentCents, 7);
  assert.equal(largestGroups(groups, 4).others, undefined, 'a single one keeps its row');
});

test('a period without a render is listed, and empty', () => {
  const groups = groupsIn(['one', 'two'], charges(record()), () => 'two');
  assert.deepEqual(
    groups.map(({ sums }) => sums.renders),
    [0, 1],
  );
});

test('names such as __proto__ are names', async () => {
  const all = charges(record({ modelId: '__proto__' }));
  const [group] = await groupsOf(all, (charge) => charge.record.modelId, new Yielder(systemClock));
  assert.deepEqual([group?.key, group?.sums.spentCents], ['__proto__', 4]);
});
