import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json';
import { Rhythm } from '../../../src/base/concurrency';
import { ServiceError } from '../../../src/catalog/errors';
import { LiveQuote } from '../../../src/catalog/liveQuote';
import type { LiveQuoteState } from '../../../src/catalog/liveQuote';
import type { Quote } from '../../../src/catalog/types';
import { pauses } from '../../bench/typist';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';

interface Question {
  readonly inputs: JsonObject;
  readonly signal: AbortSignal;
  answer(costCents: number | undefined): Promise<void>;
  fail(error: Error): Promise<void>;
}

function desk() {
  const clock = new TestClock();
  const questions: Question[] = [];
  const live = new LiveQuote((_modelId, inputs, signal) => {
    const { promise, resolve, reject } = deferred<Quote>();
    questions.push({
      inputs,
      signal,
      answer: (costCents) => (resolve({ costCents }), settled()),
      fail: (error) => (reject(error), settled()),
    });
    return promise;
  }, clock);
  const seen: string[] = [];
  live.onDidChange((state) => seen.push(worded(state)));
  return { clock, questions, live, seen };
}

function worded(state: LiveQuoteState): string {
  if (state.status === 'none') return 'none';
  const price = state.status === 'priced' ? ` ${state.costCents}` : '';
  return `${state.status} ${JSON.stringify(state.inputs)}${price}`;
}

test('inputs are priced once they’re stable, and no price is current in the meantime', async () => {
  const { clock, questions, live, seen } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(249);
  assert.equal(questions.length, 0);
  await clock.advance(1);
  await questions[0]!.answer(4);
  live.ask('m', { n: 2 });
  assert.equal(worded(live.state), 'asking {"n":2}');
  await clock.advance(250);
  await questions[1]!.answer(undefined);
  assert.deepEqual(seen, ['asking {"n":1}', 'priced {"n":1} 4', 'asking {"n":2}', 'notStated {"n":2}']);
});

test('fifty edits in a row make one request, for the last', async () => {
  const { clock, questions, live } = desk();
  for (let n = 1; n <= 50; n++) {
    live.ask('m', { n });
    await clock.advance(20);
  }
  await clock.advance(250);
  assert.deepEqual(
    questions.map(({ inputs }) => inputs),
    [{ n: 50 }],
  );
});

test('an older request is aborted, and its response changes nothing if it arrives anyway', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  live.ask('m', { n: 2 });
  await clock.advance(250);
  assert.equal(questions[0]!.signal.aborted, true);
  await questions[1]!.answer(20);
  await questions[0]!.answer(10);
  assert.equal(worded(live.state), 'priced {"n":2} 20');
});

test('an older request that fails late changes nothing', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  live.ask('m', { n: 2 });
  await questions[0]!.fail(new Error('aborted'));
  assert.equal(worded(live.state), 'asking {"n":2}');
});

test('invalid inputs have no price and request none', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  live.ask('m', undefined);
  await clock.advance(1000);
  assert.equal(questions.length, 0);
  assert.equal(live.state.status, 'none');
});

test('equal inputs in a new object keep their price without a request', async () => {
  const { clock, questions, live, seen } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[0]!.answer(4);
  live.ask('m', { n: 1 });
  live.ask('m', { n: 2 });
  live.ask('m', { n: 1 });
  await clock.advance(1000);
  assert.equal(questions.length, 1);
  assert.deepEqual(seen, ['asking {"n":1}', 'priced {"n":1} 4', 'asking {"n":2}', 'priced {"n":1} 4']);
});

test('the same inputs for another model are another request', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[0]!.answer(4);
  live.ask('other', { n: 1 });
  assert.equal(live.state.status, 'asking');
  await clock.advance(250);
  assert.equal(questions.length, 2);
});

test('a price is requested again after a minute', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[0]!.answer(4);
  await clock.advance(60_000);
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[1]!.answer(5);
  assert.equal(worded(live.state), 'priced {"n":1} 5');
});

test('a failure is shown with its inputs, which can be requested again', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[0]!.fail(new ServiceError('tooManyRequests', 'slow down'));
  assert.equal(live.state.status === 'failed' && live.state.error.kind, 'tooManyRequests');
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[1]!.answer(4);
  assert.equal(worded(live.state), 'priced {"n":1} 4');
});

test('renewing forgets remembered prices and requests them again', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 });
  await clock.advance(250);
  await questions[0]!.answer(4);
  live.renew();
  assert.equal(worded(live.state), 'asking {"n":1}');
  await questions[1]!.answer(6);
  assert.equal(worded(live.state), 'priced {"n":1} 6');
});

test('nothing is requested or reported after disposal', async () => {
  const { clock, questions, live, seen } = desk();
  live.ask('m', { n: 1 });
  live.dispose();
  await clock.advance(1000);
  assert.equal(questions.length, 0);
  assert.equal(clock.waiting, 0);
  assert.deepEqual(seen, ['asking {"n":1}']);
});

test('typing sixty characters at the usual speed requests about three prices', async () => {
  const counts: number[] = [];
  for (let typist = 1; typist <= 9; typist++) {
    const clock = new TestClock();
    const rhythm = new Rhythm(clock);
    let asked = 0;
    const debounceMs = () => (rhythm.beat(), rhythm.restMs);
    const live = new LiveQuote(() => (asked++, Promise.resolve({ costCents: 4 })), clock, { debounceMs });
    const pause = pauses(typist);
    for (let key = 1; key <= 60; key++) {
      live.ask('m', { key });
      await clock.advance(pause.next().value);
    }
    await clock.advance(1000);
    assert.equal(worded(live.state), 'priced {"key":60} 4');
    counts.push(asked);
  }
  assert.ok(counts.sort((a, b) => a - b)[4]! <= 3, `asked ${counts.join(', ')} times`);
});

test('inputs that nobody is typing are priced immediately, with one request', async () => {
  const { clock, questions, live } = desk();
  live.ask('m', { n: 1 }, true);
  assert.equal(questions.length, 1);
  live.ask('m', { n: 1 }, true);
  live.ask('m', { n: 2 });
  live.ask('m', { n: 2 }, true);
  assert.equal(questions.length, 2, 'also when they were waited for already');
  assert.equal(questions[0]!.signal.aborted, true);
  await questions[1]!.answer(5);
  await clock.advance(1000);
  assert.equal(questions.length, 2);
  assert.equal(worded(live.state), 'priced {"n":2} 5');
});
