import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf } from '../../../src/base/clock';
import { questionOf, QuoteMemory } from '../../../src/catalog/quotes';
import { TestClock } from '../clock';

test('a price is known only for its model and inputs, and for a limited time since its request', async () => {
  const clock = new TestClock();
  const memory = new QuoteMemory(clock, 1000);
  const asked = momentOf(clock);
  await clock.advance(400);
  memory.remember(questionOf('a/b/c', { prompt: 'a fox' }), { quote: { costCents: 4 }, askedAt: asked });
  await clock.advance(599);
  assert.deepEqual(memory.recall(questionOf('a/b/c', { prompt: 'a fox' }))?.quote, { costCents: 4 });
  assert.equal(memory.recall(questionOf('a/b/c', { prompt: 'a wolf' })), undefined);
  assert.equal(memory.recall(questionOf('a/b/d', { prompt: 'a fox' })), undefined);
  await clock.advance(1);
  assert.equal(memory.recall(questionOf('a/b/c', { prompt: 'a fox' })), undefined);
});

test('beyond the limit, the oldest are forgotten', () => {
  const clock = new TestClock();
  const memory = new QuoteMemory(clock, 1000, 2);
  const one = { quote: { costCents: 1 }, askedAt: momentOf(clock) };
  for (const prompt of ['a', 'b', 'a', 'c']) memory.remember(questionOf('a/b/c', { prompt }), one);
  assert.deepEqual(
    ['a', 'b', 'c'].map((prompt) => memory.recall(questionOf('a/b/c', { prompt }))?.quote.costCents),
    [1, undefined, 1],
  );
});

test('inputs that contain entire images don’t fill up the window’s memory', () => {
  const clock = new TestClock();
  const memory = new QuoteMemory(clock, 1000, 500);
  const one = { quote: { costCents: 1 }, askedAt: momentOf(clock) };
  const questions = ['a', 'b', 'c'].map((name) => questionOf('a/b/c', { image: name.repeat(7_000_000) }));
  for (const question of questions) memory.remember(question, one);
  assert.deepEqual(
    questions.map((question) => memory.recall(question) !== undefined),
    [false, true, true],
  );
  const huge = questionOf('a/b/c', { image: 'd'.repeat(20_000_000) });
  memory.remember(huge, one);
  assert.ok(memory.recall(huge), 'the last is known whatever its size');
});
