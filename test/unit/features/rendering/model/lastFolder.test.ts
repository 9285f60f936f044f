import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastFolder } from '../../../../../src/features/rendering/model/lastFolder';

test('the folder chosen last is remembered in its workspace, and forgotten while it isn’t open', async () => {
  const memory = new Map<string, unknown>();
  const store = {
    get: (key: string) => memory.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
  };
  const folders = ['file:///alpha', 'file:///beta'];
  assert.equal(new LastFolder(store).among(folders), undefined);
  await new LastFolder(store).keep('file:///beta');
  assert.equal(new LastFolder(store).among(folders), 'file:///beta');
  assert.equal(new LastFolder(store).among(['file:///alpha']), undefined);
});
