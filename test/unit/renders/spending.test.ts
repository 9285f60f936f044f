import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowestLimit } from '../../../src/renders/lowestLimit';
import { covers } from '../../../src/renders/record';
import { mustAsk, Pace } from '../../../src/renders/consent';
import { TestClock } from '../clock';

const limits = { renders: 20, cents: 500 };

function paceOf(...prices: (number | undefined)[]): Pace {
  const pace = new Pace(new TestClock());
  for (const price of prices) pace.add(price);
  return pace;
}

test('twenty renders in a minute pass, and the next one is asked about', async () => {
  const clock = new TestClock();
  const pace = new Pace(clock);
  for (let count = 0; count < 20; count++) {
    assert.equal(pace.exceeds(1, limits), false, `render ${count + 1}`);
    pace.add(1);
  }
  assert.equal(pace.exceeds(1, limits), true);
  await clock.advance(60_000);
  assert.equal(pace.exceeds(1, limits), false);
  assert.deepEqual(pace.since, { renders: 20, cents: 20 });
});

test('a minute is measured by the monotonic clock: setting the computer’s clock changes nothing', () => {
  const clock = new TestClock();
  const pace = new Pace(clock);
  for (let count = 0; count < 20; count++) pace.add(1);
  clock.set(clock.now() + 3_600_000);
  assert.equal(pace.exceeds(1, limits), true);
});

test('five euros pass, and the next cent is asked about, however long it took', async () => {
  const clock = new TestClock();
  const pace = new Pace(clock);
  for (let count = 0; count < 10; count++) {
    pace.add(50);
    await clock.advance(3_600_000);
  }
  assert.equal(pace.exceeds(0, limits), false);
  assert.equal(pace.exceeds(1, limits), true);
});

test('after a confirmation, counting starts again', () => {
  const pace = paceOf(...Array.from({ length: 30 }, () => 50));
  pace.agreed();
  assert.equal(pace.exceeds(50, limits), false);
  assert.deepEqual(pace.since, { renders: 0, cents: 0 });
});

test('0 turns off one limit and leaves the other', () => {
  const many = paceOf(...Array.from({ length: 30 }, () => 1));
  assert.equal(many.exceeds(1, { renders: 0, cents: 500 }), false);
  assert.equal(many.exceeds(1, { renders: 20, cents: 0 }), true);
  assert.equal(paceOf(900).exceeds(1, { renders: 20, cents: 0 }), false);
  assert.equal(paceOf(900).exceeds(1, { renders: 0, cents: 500 }), true);
});

test('a render without a price is always asked about', () => {
  const open = { confirmAbove: 1e6, unattendedBudget: 1e6, unattendedSpent: 0 };
  assert.equal(mustAsk(undefined, 'user', open), true);
  assert.equal(mustAsk(undefined, 'automation', open), true);
});

test('what we start is asked about above the price, unattended renders above the budget', () => {
  const set = { confirmAbove: 50, unattendedBudget: 30, unattendedSpent: 20 };
  assert.deepEqual(
    [50, 51].map((price) => mustAsk(price, 'user', set)),
    [false, true],
  );
  assert.deepEqual(
    [10, 11].map((price) => mustAsk(price, 'automation', set)),
    [false, true],
  );
});

test('confirming a price covers that one and lower ones, and an unstated price only if none was stated', () => {
  const prices = [3, 4, 5, undefined];
  assert.deepEqual(
    prices.map((now) => covers(4, now)),
    [true, true, false, false],
  );
  assert.deepEqual(
    prices.map((now) => covers(undefined, now)),
    [false, false, false, true],
  );
});

test('the lowest of all limits applies, so that a project can lower it but not raise it', () => {
  assert.equal(lowestLimit([undefined, null, undefined]), undefined);
  assert.equal(lowestLimit([100, 500, undefined]), 100);
  assert.equal(lowestLimit([500, 100]), 100);
  assert.equal(lowestLimit([undefined, 0]), 0);
});

test('a limit with fractions of a cent still applies, and one that isn’t a number is none', () => {
  assert.equal(lowestLimit([99.5]), 99);
  assert.equal(lowestLimit([-1]), 0);
  assert.equal(lowestLimit(['5', NaN, Infinity, {}]), undefined);
});
