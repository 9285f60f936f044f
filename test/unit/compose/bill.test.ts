import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenInputs } from '../../../src/base/frozen';
import { Bill } from '../../../src/compose/bill';
import type { Draft } from '../../../src/renders/priced';

function draft(intent: string): Draft {
  const target = { folder: '', fileName: intent };
  return { intent, modelId: 'a/b/c', inputs: frozenInputs({ prompt: intent }), target };
}

test('what needs no render is listed and can be deselected, but is neither priced nor ordered', async () => {
  const asked: string[] = [];
  const bill = new Bill(
    [
      { title: 'Fit Again', draft: draft('free'), isFree: true },
      { title: 'A', draft: draft('paid') },
    ],
    (one) => {
      asked.push(one.intent);
      return Promise.resolve({ ...one, shownCents: 4, account: 'account-1' });
    },
  );
  assert.equal(bill.isAsking, true);
  await bill.settle();
  assert.deepEqual([asked, bill.isAsking], [['paid'], false]);
  const chosen = () => [bill.agreed.map(({ intent }) => intent), bill.free.map(({ intent }) => intent)];
  assert.deepEqual(chosen(), [['paid'], ['free']]);
  bill.tick(new Set([1]));
  assert.deepEqual(chosen(), [['paid'], []]);
  bill.tick(new Set([0]));
  assert.deepEqual(chosen(), [[], ['free']]);
  bill.dispose();
});
