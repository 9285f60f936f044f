import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEach } from '../../../src/base/concurrency';

test('a failure stops none of the others, and is returned with its reason', async () => {
  const done: string[] = [];
  const error = new Error('no');
  const failures = await toEach(['a', 'b', 'c'], async (thing) => {
    await Promise.resolve();
    if (thing === 'b') throw error;
    done.push(thing);
  });
  assert.deepEqual(done, ['a', 'c']);
  assert.deepEqual(failures, [{ thing: 'b', error }]);
});
