import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuoteMemory } from '../../../src/catalog/quoteMemory';
import { TestClock } from '../clock';

test('a price is known for its model and inputs alone, and for its time since it was asked for', async () => {
  const clock = new TestClock();
  const memory = new QuoteMemory(clock, 1000);
  const asked = clock.ticks();
  await clock.advance(400);
  memory.remember('a/b/c', { prompt: 'a fox' }, { costCents: 4 }, asked);
  await clock.advance(599);
  assert.deepEqual(memory.recall('a/b/c', { prompt: 'a fox' }), { costCents: 4 });
  assert.equal(memory.recall('a/b/c', { prompt: 'a wolf' }), undefined);
  assert.equal(memory.recall('a/b/d', { prompt: 'a fox' }), undefined);
  await clock.advance(1);
  assert.equal(memory.recall('a/b/c', { prompt: 'a fox' }), undefined);
});

test('of more than it holds the oldest are forgotten', () => {
  const memory = new QuoteMemory(new TestClock(), 1000, 2);
  for (const prompt of ['a', 'b', 'a', 'c']) memory.remember('a/b/c', { prompt }, { costCents: 1 }, 0);
  assert.deepEqual(
    ['a', 'b', 'c'].map((prompt) => memory.recall('a/b/c', { prompt })?.costCents),
    [1, undefined, 1],
  );
});
