import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readings } from '../../../../../src/features/links/model/linkReader';
import { deferred } from '../../../deferred';

/** A document that someone types in, and the readings of it that have begun. */
function typedIn() {
  const document = { version: 1 };
  const begun: { readonly version: number; readonly end: () => void }[] = [];
  const readings = new Readings(({ version }: { readonly version: number }) => {
    const { promise, resolve } = deferred<string>();
    begun.push({ version, end: () => resolve(`read at ${version}`) });
    return promise;
  });
  const readAt = (version: number) => {
    document.version = version;
    return readings.of(document);
  };
  return { begun, readAt };
}

const versions = (begun: readonly { readonly version: number }[]) => begun.map(({ version }) => version);

test('of many versions typed while one is read, only the newest is read next, and everyone who asked gets it', async () => {
  const { begun, readAt } = typedIn();
  const first = readAt(1);
  const others = [2, 3, 4, 5].map(readAt);
  assert.deepEqual(versions(begun), [1]);
  begun[0]!.end();
  assert.equal(await first, 'read at 1');
  assert.deepEqual(versions(begun), [1, 5]);
  begun[1]!.end();
  assert.deepEqual(
    await Promise.all(others),
    Array.from(others, () => 'read at 5'),
  );
  assert.equal(await readAt(5), 'read at 5');
  assert.deepEqual(versions(begun), [1, 5]);
});

test('a version typed while that one is read in turn waits for it, too', async () => {
  const { begun, readAt } = typedIn();
  const first = readAt(1);
  const second = readAt(2);
  begun[0]!.end();
  await first;
  const third = readAt(3);
  assert.deepEqual(versions(begun), [1, 2]);
  begun[1]!.end();
  assert.equal(await second, 'read at 2');
  begun[2]!.end();
  assert.equal(await third, 'read at 3');
});

test('after a reading is over, the next version is read at once', async () => {
  const { begun, readAt } = typedIn();
  const first = readAt(1);
  begun[0]!.end();
  await first;
  void readAt(2);
  assert.deepEqual(versions(begun), [1, 2]);
});
