import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../../../src/app/models/drafts';

function store() {
  const kept = new Map<string, unknown>();
  return {
    kept,
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

test('stored values are forgotten if they contain the forgotten prompt, and stay otherwise', async () => {
  const here = store();
  const everywhere = store();
  const drafts = new Drafts(here, everywhere);
  const prompt = 'a "quiet" lighthouse\nby the sea';
  for (const modelId of ['a/b/one', 'a/b/two']) {
    await drafts.keep(modelId, { values: [['prompt', `${prompt}, at night`]], at: 1, results: ['k'], style: 's' });
    await drafts.keepRendered(modelId, [['prompt', modelId === 'a/b/one' ? prompt : 'a red kite']], 1);
  }
  await drafts.forget('a/b/one', prompt, 7);
  // Newer than what the page of a form that isn't restored yet has kept of it.
  assert.deepEqual(drafts.read('a/b/one'), { values: [], at: 7, results: ['k'], style: 's' });
  assert.equal(drafts.rendered('a/b/one'), undefined);
  await drafts.forget('a/b/two', 'a red kite', 7);
  assert.deepEqual(drafts.read('a/b/two')?.values, [['prompt', `${prompt}, at night`]]);
  assert.equal(drafts.rendered('a/b/two'), undefined);
});

test('a form in another project doesn’t start with this one’s prompt', async () => {
  const everywhere = store();
  const here = new Drafts(store(), everywhere);
  await here.keep('a/b/one', { values: [['prompt', 'a secret']], at: 1, results: [] });
  await here.keepRendered('a/b/one', [['prompt', 'a secret']], 1);
  assert.equal(new Drafts(store(), everywhere).read('a/b/one'), undefined);
});
