import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncedStore } from '../../../../../src/base/store';
import { ChosenModels } from '../../../../../src/features/models/model/modelList';

/** The storage shared by all windows. */
class Shared implements SyncedStore {
  readonly values = new Map<string, unknown>();
  synced: readonly string[] = [];

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
    return Promise.resolve();
  }

  setKeysForSync(keys: readonly string[]): void {
    this.synced = keys;
  }
}

function world() {
  const store = new Shared();
  let place: string | undefined = 'https://one.example';
  const shelf = new ChosenModels(store, () => place);
  const move = (to: string | undefined) => (place = to);
  return { store, shelf, move };
}

test('favorites keep the order they were added in, each once, and sync with the user', async () => {
  const { store, shelf } = world();
  for (const id of ['a/b/c', 'a/b/d', 'a/b/c']) await shelf.addFavourite(id);
  assert.deepEqual(shelf.favourites, ['a/b/c', 'a/b/d']);
  await shelf.removeFavourite('a/b/c');
  assert.deepEqual(shelf.favourites, ['a/b/d']);
  assert.deepEqual(new ChosenModels(store, () => 'https://one.example').favourites, ['a/b/d']);
  assert.deepEqual(store.synced, ['models.favourites']);
});

test('each service has its own favorites and recent models', async () => {
  const { shelf, move } = world();
  await shelf.addFavourite('a/b/c');
  await shelf.use('a/b/c');
  move('sandbox');
  assert.deepEqual([shelf.favourites, shelf.recent], [[], []]);
  await shelf.removeFavourite('a/b/c');
  await shelf.use('other');
  move('https://one.example');
  assert.deepEqual([shelf.favourites, shelf.recent], [['a/b/c'], ['a/b/c']]);
});

test('the five models used last are kept, the newest first', async () => {
  const { shelf } = world();
  for (const id of ['1', '2', '3', '4', '5', '6', '3']) await shelf.use(id);
  assert.deepEqual(shelf.recent, ['3', '6', '5', '4', '2']);
});

test('a render at a service that isn’t in use counts for that service', async () => {
  const { shelf, move } = world();
  await shelf.use('a/b/c', 'sandbox');
  assert.deepEqual(shelf.recent, []);
  move('sandbox');
  assert.deepEqual(shelf.recent, ['a/b/c']);
});

test('without a service, nothing is marked', async () => {
  const { store, shelf, move } = world();
  move(undefined);
  await shelf.addFavourite('a/b/c');
  await shelf.use('a/b/c');
  assert.equal(store.values.size, 0);
});

test('a change is announced once, even one from another window, and only if there is one', async () => {
  const { store, shelf } = world();
  let told = 0;
  shelf.onDidChange(() => (told += 1));
  await shelf.addFavourite('a/b/c');
  await shelf.addFavourite('a/b/c');
  assert.equal(told, 1);
  shelf.look();
  assert.equal(told, 1);
  await new ChosenModels(store, () => 'https://one.example').addFavourite('a/b/d');
  shelf.look();
  assert.equal(told, 2);
  assert.deepEqual(shelf.favourites, ['a/b/c', 'a/b/d']);
});

test('values stored by another version are skipped', () => {
  const { store, shelf } = world();
  store.values.set('models.favourites', [null, 3, { place: 'https://one.example', modelId: 'a/b/c' }, { place: 1 }]);
  store.values.set('models.recent', { not: 'a list' });
  assert.deepEqual([shelf.favourites, shelf.recent], [['a/b/c'], []]);
});
