import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastModel } from '../../../../../src/features/models/model/lastModel';

function memory() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

test('the model used last is the default, unless it has just failed', async () => {
  const last = new LastModel(memory());
  await last.keep('a/b/good');
  await last.keep('a/b/fails');
  assert.equal(last.read(), 'a/b/fails');
  await last.failed('a/b/fails');
  assert.equal(last.read(), 'a/b/good');
});

test('a failure of an older render changes nothing', async () => {
  const last = new LastModel(memory());
  await last.keep('a/b/fails');
  await last.keep('a/b/good');
  await last.failed('a/b/fails');
  assert.equal(last.read(), 'a/b/good');
});

test('a model that always fails isn’t the default', async () => {
  const last = new LastModel(memory());
  await last.keep('a/b/fails');
  await last.keep('a/b/fails');
  await last.failed('a/b/fails');
  assert.equal(last.read(), undefined);
});

test('the model in the settings wins until it’s removed', async () => {
  let chosen = 'a/b/mine';
  const last = new LastModel(memory(), undefined, () => chosen);
  await last.keep('a/b/other');
  assert.equal(last.read(), 'a/b/mine');
  chosen = '';
  assert.equal(last.read(), 'a/b/other');
});
