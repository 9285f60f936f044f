import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishSpendStrings } from '../../../../../src/features/spending/page/spendMessages';
import { sumsIn } from '../../../../../src/renders/spendSums';
import { SpendTexts } from '../../../../../src/features/spending/page/spendView';

const texts = new SpendTexts(englishSpendStrings, 'en');
const nothing = sumsIn(undefined);

test('unknown amounts are never shown as zero', () => {
  assert.equal(texts.amount({ ...nothing, renders: 1, unknown: 1 }), 'not known');
  assert.equal(texts.amount({ ...nothing, renders: 1, underWay: 1 }), 'not known yet');
  assert.equal(texts.amount({ ...nothing, renders: 2, unknown: 1, spentCents: 4 }), 'at least €0.04');
  assert.equal(texts.amount({ ...nothing, renders: 2, unknown: 1, refunds: 1, refundedCents: 3 }), 'not known');
  assert.equal(texts.amount({ ...nothing, renders: 1 }), '€0.00');
});

test('a change in the balance has its sign', () => {
  assert.deepEqual(
    [-20, 0, 1000].map((cents) => texts.change(cents)),
    ['−€0.20', '€0.00', '+€10.00'],
  );
});

test('a day is the date it states, whatever the time zone', () => {
  assert.equal(texts.period('2026-03-01'), 'Sunday, March 1, 2026');
  assert.equal(texts.period('2026-03'), 'March 2026');
  assert.equal(texts.tick('2026-03-01'), 'Mar 1');
});
