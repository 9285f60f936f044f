import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachLimit } from '../../../src/base/concurrency';
import { settled } from '../clock';
import { deferred } from '../deferred';

test('only the allowed number run at the same time, and all get their turn in order', async () => {
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => deferred<undefined>());
  const all = forEachLimit([0, 1, 2, 3, 4], 2, (index) => (begun.push(index), ends[index]!.promise));
  await settled();
  assert.deepEqual(begun, [0, 1]);
  ends[1]!.resolve(undefined);
  await settled();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve(undefined);
  await all;
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('none is begun once it’s over, and those already begun are awaited', async () => {
  const begun: number[] = [];
  let isOver = false;
  const { promise, resolve } = deferred<undefined>();
  const all = forEachLimit(
    [0, 1, 2],
    1,
    (index) => (begun.push(index), promise),
    () => !isOver,
  );
  isOver = true;
  resolve(undefined);
  await all;
  assert.deepEqual(begun, [0]);
});

test('one failure fails all', async () => {
  await assert.rejects(
    forEachLimit([0], 1, () => Promise.reject(new Error('no'))),
    /no/,
  );
});
