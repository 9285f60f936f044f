import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import { isHopeless, quoteMany } from '../../../src/compose/offer';
import { settled } from '../clock';
import { deferred } from '../deferred';

/** Requests these, `atOnce` concurrently; each waits for the test's response. */
function asking(subjects: Iterable<string>, atOnce: number) {
  const begun: string[] = [];
  const told: string[] = [];
  const leaving = new AbortController();
  const open = new Map<string, ReturnType<typeof deferred<number>>>();
  const isWhole = quoteMany(subjects, {
    atOnce,
    signal: leaving.signal,
    ask: (subject) => {
      begun.push(subject);
      const answer = deferred<number>();
      open.set(subject, answer);
      return answer.promise;
    },
    answered: (subject, cents) => told.push(`${subject} ${cents}`),
    failed: (subject, error) => {
      told.push(`${subject} failed`);
      return isHopeless(error);
    },
  });
  const answer = (subject: string, cents: number) => (open.get(subject)?.resolve(cents), settled());
  const fail = (subject: string, error: Error) => (open.get(subject)?.reject(error), settled());
  return { begun, told, leaving, isWhole, answer, fail };
}

test('prices are requested in order, a few at a time, and each is reported as it arrives', async () => {
  const { begun, told, isWhole, answer } = asking(['a', 'b', 'c', 'd'], 2);
  await settled();
  assert.deepEqual(begun, ['a', 'b']);
  await answer('b', 2);
  assert.deepEqual([begun, told], [['a', 'b', 'c'], ['b 2']]);
  await answer('a', 1);
  await answer('d', 4);
  await answer('c', 3);
  assert.equal(await isWhole, true);
  assert.deepEqual(told, ['b 2', 'a 1', 'd 4', 'c 3']);
});

test('the next subject is chosen when a request is free', async () => {
  const waiting = ['a'];
  function* subjects() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
  }
  const { begun, isWhole, answer } = asking(subjects(), 1);
  await settled();
  waiting.push('late');
  await answer('a', 1);
  await answer('late', 1);
  assert.equal(await isWhole, true);
  assert.deepEqual(begun, ['a', 'late']);
});

test('a rejected one doesn’t stop the others', async () => {
  const { told, isWhole, answer, fail } = asking(['a', 'b'], 1);
  await settled();
  await fail('a', new ServiceError('invalidInput', 'no', { status: 400 }));
  await answer('b', 2);
  assert.equal(await isWhole, true);
  assert.deepEqual(told, ['a failed', 'b 2']);
});

test('when the service stops responding, no more are requested, and those in progress are still reported', async () => {
  const { begun, told, isWhole, answer, fail } = asking(['a', 'b', 'c'], 2);
  await settled();
  await fail('a', new ServiceError('tooManyRequests', 'slow down', { status: 429 }));
  await answer('b', 2);
  assert.equal(await isWhole, false);
  assert.deepEqual(
    [begun, told],
    [
      ['a', 'b'],
      ['a failed', 'b 2'],
    ],
  );
});

test('once canceled, nothing more is requested or reported', async () => {
  const { begun, told, leaving, isWhole, answer, fail } = asking(['a', 'b', 'c'], 2);
  await settled();
  leaving.abort();
  await answer('a', 1);
  await fail('b', new Error('cut'));
  await isWhole;
  assert.deepEqual([begun, told], [['a', 'b'], []]);
});
