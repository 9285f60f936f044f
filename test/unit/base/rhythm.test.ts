import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rhythm } from '../../../src/base/concurrency';
import { TestClock } from '../clock';

async function typed(gaps: readonly number[]): Promise<number> {
  const clock = new TestClock();
  const rhythm = new Rhythm(clock);
  rhythm.beat();
  for (const gap of gaps) {
    await clock.advance(gap);
    rhythm.beat();
  }
  return Math.round(rhythm.restMs);
}

test('a fast typist waits least, and nobody waits more than 350 ms at first', async () => {
  assert.equal(await typed(Array(30).fill(60)), 300);
  assert.equal(await typed(Array(30).fill(110)), 330);
  assert.equal(await typed(Array(30).fill(300)), 350);
});

test('after a pause within typing, the next keys get a longer wait', async () => {
  const paused = [...Array<number>(20).fill(150), 400];
  assert.ok((await typed(paused)) > 600);
  assert.equal(await typed([...paused, ...Array<number>(30).fill(150)]), 350);
  assert.equal(await typed(Array(30).fill(1000)), 900, 'nobody is waited for longer than that');
});

test('a pause for thought doesn’t count as slower typing', async () => {
  assert.equal(await typed([60, 60, 60, 20_000, 60, 60]), 300);
});
