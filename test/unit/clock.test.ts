import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wait } from '../../src/base/concurrency';
import { TestClock } from './clock';

test('timers fire in chronological order, with promises settled in between', async () => {
  const clock = new TestClock();
  const seen: string[] = [];
  clock.after(20, () => seen.push('second'));
  clock.after(10, () => void Promise.resolve().then(() => seen.push('first')));
  clock.after(20, () => seen.push('third'));
  clock.after(31, () => seen.push('never'));
  await clock.advance(30);
  assert.deepEqual(seen, ['first', 'second', 'third']);
  assert.equal(clock.waiting, 1);
});

test('a timer set while time passes fires within the same step', async () => {
  const clock = new TestClock(1000);
  const seen: number[] = [];
  const chain = async () => {
    await wait(clock, 10);
    seen.push(clock.now());
    await wait(clock, 10);
    seen.push(clock.now());
  };
  void chain();
  await clock.advance(25);
  assert.deepEqual(seen, [1010, 1020]);
  assert.equal(clock.now(), 1025);
});

test('setting the machine’s clock advances no time', async () => {
  const clock = new TestClock();
  let called = false;
  clock.after(5, () => (called = true));
  clock.set(0);
  await clock.advance(4);
  assert.equal(called, false);
  assert.equal(clock.now(), 4);
  assert.equal(clock.ticks(), 4);
});
