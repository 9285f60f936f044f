import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelSummary } from '../../../../../src/catalog/fields';
import { modelNames } from '../../../../../src/features/models/model/modelNames';

const sprite: ModelSummary = {
  id: 'a/b/sprite-1',
  provider: 'a',
  family: 'b',
  name: 'sprite-1',
  title: 'Sprite 1',
  kind: 'image',
};

const silent = { models: () => assert.fail('asked'), readModel: () => Promise.resolve(undefined) };

test('a model is named by its title in the list, or by its ID if it has none', async () => {
  const nameOf = await modelNames({
    readModel: () => assert.fail('not asked for'),
    modelsAt: 1,
    models: () =>
      Promise.resolve({
        items: [sprite, { ...sprite, id: 'a/b/blank', title: ' \u200b' }],
        incomplete: true,
        unreadable: 0,
      }),
  });
  assert.deepEqual(['a/b/sprite-1', 'a/b/other', 'a/b/blank'].map(nameOf), ['Sprite 1', 'a/b/other', 'a/b/blank']);
});

test('until a list is read, models are shown by ID, and the service isn’t asked for one', async () => {
  const nameOf = await modelNames({ ...silent, modelsAt: undefined });
  assert.equal(nameOf('a/b/sprite-1'), 'a/b/sprite-1');
});

test('without a list, a model whose details were read is named by its title', async () => {
  const readModel = (id: string) => Promise.resolve(id === sprite.id ? { ...sprite, fields: [] } : undefined);
  const nameOf = await modelNames({ ...silent, modelsAt: undefined, readModel }, [sprite.id, 'a/b/other']);
  assert.deepEqual([sprite.id, 'a/b/other'].map(nameOf), ['Sprite 1', 'a/b/other']);
});
