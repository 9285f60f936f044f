import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../src/base/clock';
import { Yielder } from '../../../src/base/concurrency';
import { settled } from '../clock';

test('work done at the same time shares a turn, so that other work runs after 10 ms in total', async () => {
  let now = 0;
  const pauses: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    ticks: () => now,
    after: (_, call) => {
      pauses.push(call);
      return { dispose: () => undefined };
    },
  };
  const turns = new Yielder(clock);
  const done: number[] = [];
  const work = async (who: number) => {
    for (let step = 0; step < 20; step++) {
      await turns.next();
      now += 5;
      done.push(who);
    }
  };
  const all = Promise.all([work(1), work(2), work(3)]);
  await settled();
  const pieces: number[] = [];
  while (pauses.length > 0) {
    const before = now;
    // Timers of one moment run one after another, each with what it continues.
    for (const go of pauses.splice(0)) {
      go();
      await settled();
    }
    pieces.push(now - before);
  }
  await all;
  assert.equal(done.length, 60);
  // Those that wait each take one step before they look at the clock again.
  assert.ok(Math.max(...pieces) <= 10 + 3 * 5, `${Math.max(...pieces)} ms`);
  assert.deepEqual(new Set(done), new Set([1, 2, 3]));
});
