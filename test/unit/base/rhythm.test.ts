import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rhythm } from '../../../src/base/rhythm';
import { TestClock } from '../clock';

async function typed(gaps: readonly number[]): Promise<number> {
  const clock = new TestClock();
  const rhythm = new Rhythm(clock);
  rhythm.beat();
  for (const gap of gaps) {
    await clock.advance(gap);
    rhythm.beat();
  }
  return rhythm.restMs;
}

test('who types fast is waited for least, who types slowly longer, and nobody long', async () => {
  assert.equal(await typed(Array(30).fill(60)), 300);
  const slow = await typed(Array(30).fill(250));
  assert.ok(slow > 700 && slow <= 750, String(slow));
  assert.equal(await typed(Array(30).fill(1000)), 900);
});

test('a pause for thought is no slower typing', async () => {
  assert.equal(await typed([60, 60, 60, 20_000, 60, 60]), 300);
});
