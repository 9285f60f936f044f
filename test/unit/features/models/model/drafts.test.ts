import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../../../../src/features/models/model/drafts';

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

test('what is forgotten in one workspace is gone from the draft of another by the time that is read, and stays gone', async () => {
  const [here, elsewhere, everywhere] = [store(), store(), store()];
  const image = { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 3 };
  const other = () => new Drafts(elsewhere, everywhere);
  await other().keep('a/b/one', { values: [['prompt', 'a secret']], at: 1, results: ['k'] });
  await other().keep('a/b/two', { values: [['start', { images: [image] }]], at: 1, results: [] });
  await other().keep('a/b/three', {
    values: [
      ['prompt', 'a secret'],
      ['size', 'x'],
    ],
    at: 1,
    results: [],
  });
  await other().keep('a/b/four', {
    values: [['prompt', 'fox']],
    sent: [['prompt', 'a fox in oil']],
    at: 1,
    results: [],
  });
  const drafts = new Drafts(here, everywhere);
  await drafts.forget('a/b/one', 'a secret', 7);
  await drafts.forget('a/b/two', image.sha256, 7);
  await drafts.forget('a/b/four', 'a fox in oil', 7);
  for (const id of ['a/b/one', 'a/b/two', 'a/b/four']) assert.deepEqual(other().read(id)?.values, []);
  assert.deepEqual(other().read('a/b/three')?.values[0], ['prompt', 'a secret'], 'of another model');
  assert.doesNotMatch(JSON.stringify([elsewhere.kept.get('form.draft/a/b/one'), [...everywhere.kept]]), /a secret|fox/);
  await other().keep('a/b/one', { values: [['prompt', 'a secret']], at: 8, results: [] });
  assert.deepEqual(other().read('a/b/one')?.values, [['prompt', 'a secret']], 'typed again since');
});
