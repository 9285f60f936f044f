import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedStore, type SyncedStore } from '../../../src/base/store';

/**
 * Does as the editor: what was updated in one turn is written in the next, as a whole, and what was written then
 * replaces the window's copy.
 */
class Editor implements SyncedStore {
  private copy: Record<string, unknown> = {};
  private writing: Promise<void> | undefined;
  written: Record<string, unknown> = {};
  isFull = false;

  get(key: string): unknown {
    return this.copy[key];
  }

  update(key: string, value: unknown): Promise<void> {
    this.copy[key] = value;
    return (this.writing ??= this.write());
  }

  setKeysForSync(): void {}

  private async write(): Promise<void> {
    await turn();
    this.writing = undefined;
    if (this.isFull) throw new Error('The disk is full');
    const sent = { ...this.copy };
    await turn();
    this.written = sent;
    this.copy = { ...sent };
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an update made while another is written isn’t lost', async () => {
  const [plain, editor] = [new Editor(), new Editor()];
  const store = new SharedStore(editor);
  for (const one of [plain, store]) {
    const first = one.update('color', 'red');
    await turn();
    const second = one.update('size', 'large');
    await Promise.all([first, second]);
  }
  assert.notDeepEqual(plain.written, { color: 'red', size: 'large' }, 'as it is without it');
  assert.deepEqual(editor.written, { color: 'red', size: 'large' });
});

test('what was updated counts from the start, and the last of several updates stays', async () => {
  const editor = new Editor();
  const store = new SharedStore(editor);
  const updates = ['red', 'green', 'blue'].map((color) => store.update('color', color));
  assert.equal(store.get('color'), 'blue');
  await updates[0];
  assert.equal(store.get('color'), 'blue');
  await Promise.all(updates);
  assert.deepEqual([store.get('color'), editor.written['color']], ['blue', 'blue']);
  const again = ['red', 'green', 'red'].map((color) => store.update('color', color));
  await again[0];
  assert.equal(store.get('color'), 'red', 'the last of these three');
  await Promise.all(again);
  await store.update('color', undefined);
  assert.equal(store.get('color'), undefined);
});

test('an update that can’t be written is reported, and the next one is written', async () => {
  const editor = new Editor();
  const store = new SharedStore(editor);
  editor.isFull = true;
  await assert.rejects(store.update('color', 'red'), /disk is full/);
  editor.isFull = false;
  await store.update('size', 'large');
  assert.equal(editor.written['size'], 'large');
});
