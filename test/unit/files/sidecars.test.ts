import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { writeProvenance } from '../../../src/files/provenance';
import { type SidecarFiles, Sidecars } from '../../../src/files/sidecars';

/** The hash of the file that the poem is about. */
const ofPoem = 'ab'.repeat(32);
const poem = writeProvenance({ modelId: 'quill/verse/sonnet', inputs: { prompt: 'a fox' }, sha256: ofPoem });
const letter = writeProvenance({ modelId: 'quill/prose/letter', inputs: { prompt: 'a hare' } });

/** Sidecars by the name of their file. Every file is the poem, except those listed as others. */
function world(files: Readonly<Record<string, string>>, others: readonly string[] = [], hasTrash = true) {
  const texts = new Map(Object.entries(files));
  const aside: string[] = [];
  const put = (file: string, text: string) => {
    if (texts.has(file)) throw new Error(`something stands beside ${file}`);
    texts.set(file, text);
  };
  const beside: SidecarFiles = {
    read: (file) => Promise.resolve(texts.get(file)),
    move: async (from, to) => {
      // As over a network.
      await Promise.resolve();
      put(to, texts.get(from)!);
      texts.delete(from);
    },
    remove: async (file) => {
      await Promise.resolve();
      if (!hasTrash) throw new Error(`${file} stays`);
      texts.delete(file);
    },
    setAside: async (file) => {
      await Promise.resolve();
      aside.push(texts.get(file)!);
      texts.delete(file);
    },
    write: async (file, text) => {
      await Promise.resolve();
      put(file, text);
    },
    sha256: (file) => Promise.resolve(others.includes(file) ? 'cd'.repeat(32) : ofPoem),
  };
  const warnings: string[] = [];
  const sidecars = new Sidecars(beside, { ...silentLog, warn: (message) => void warnings.push(message) });
  return { sidecars, warnings, put, aside, texts: () => Object.fromEntries(texts) };
}

test('a sidecar follows its file to a new name, and back', async () => {
  const { sidecars, texts } = world({ 'a.md': poem });
  await sidecars.renamed([{ from: 'a.md', to: 'poems/fox.md' }]);
  assert.deepEqual(texts(), { 'poems/fox.md': poem });
  await sidecars.renamed([{ from: 'poems/fox.md', to: 'a.md' }]);
  assert.deepEqual(texts(), { 'a.md': poem });
});

test('a second operation waits for the first', async () => {
  const { sidecars, texts } = world({ 'a.md': poem });
  void sidecars.renamed([{ from: 'a.md', to: 'b.md' }]);
  await sidecars.renamed([{ from: 'b.md', to: 'a.md' }]);
  assert.deepEqual(texts(), { 'a.md': poem });
});

test('files renamed together keep their own sidecars, even if one takes another’s name', async () => {
  const { sidecars, texts } = world({ 'a.md': poem, 'b.md': letter });
  await sidecars.renamed([
    { from: 'b.md', to: 'c.md' },
    { from: 'a.md', to: 'b.md' },
    { from: 'none.png', to: 'd.png' },
  ]);
  assert.deepEqual(texts(), { 'b.md': poem, 'c.md': letter });
});

test('nothing else is touched, whatever its name', async () => {
  for (const text of ['', 'not JSON', '{"modelId":"m","inputs":{}}', '{"modelCatalogRender":1}']) {
    const { sidecars, texts } = world({ 'a.md': text });
    await sidecars.renamed([{ from: 'a.md', to: 'b.md' }]);
    await sidecars.deleted(['a.md']);
    assert.deepEqual(texts(), { 'a.md': text });
  }
});

test('an existing file at the new place stays, is logged, and doesn’t block the others', async () => {
  const { sidecars, texts, warnings } = world({ 'a.md': poem, 'b.md': 'theirs', 'c.md': letter });
  await sidecars.renamed([
    { from: 'a.md', to: 'b.md' },
    { from: 'c.md', to: 'd.md' },
  ]);
  assert.deepEqual(texts(), { 'a.md': poem, 'b.md': 'theirs', 'd.md': letter });
  assert.equal(warnings.length, 1);
});

test('a file moved over another keeps its own sidecar, the other’s is kept, and a single undo restores it', async () => {
  const { sidecars, texts, aside, warnings } = world({ 'a.md': poem, 'b.md': letter });
  await sidecars.renamed([{ from: 'a.md', to: 'b.md' }]);
  assert.deepEqual([texts(), aside], [{ 'b.md': poem }, [letter]]);
  await sidecars.renamed([{ from: 'b.md', to: 'a.md' }]);
  assert.deepEqual([texts(), aside, warnings], [{ 'a.md': poem }, [letter], []]);
});

test('sidecars moved along with their files stay, as does that of a file replaced by one without', async () => {
  const { sidecars, texts, aside } = world({ 'b.md': poem });
  await sidecars.renamed([{ from: 'a.md', to: 'b.md' }]);
  assert.deepEqual([texts(), aside], [{ 'b.md': poem }, []]);
});

test('a name that changes only in case is the same file', async () => {
  // On a case-insensitive disk, it's the sidecar of both names.
  const { sidecars, aside } = world({ 'Fuchs.md': poem, 'fuchs.md': poem });
  await sidecars.renamed([{ from: 'Fuchs.md', to: 'fuchs.md' }]);
  assert.deepEqual(aside, []);
});

test('a file moved over one that differs only in case keeps its sidecar on a case-sensitive disk', async () => {
  const { sidecars, texts, aside } = world({ 'hero.md': poem, 'Hero.md': letter });
  await sidecars.renamed([{ from: 'hero.md', to: 'Hero.md' }]);
  assert.deepEqual([texts(), aside], [{ 'Hero.md': poem }, [letter]]);
});

test('it is deleted with its file, and restored with it', async () => {
  const { sidecars, texts } = world({ 'a.md': poem, 'b.md': letter });
  await sidecars.deleted(['a.md', 'none.png']);
  assert.deepEqual(texts(), { 'b.md': letter });
  await sidecars.created(['a.md', 'other.md']);
  assert.deepEqual(texts(), { 'a.md': poem, 'b.md': letter });
});

test('a new file with a deleted file’s name gets no sidecar', async () => {
  const { sidecars, texts } = world({ 'a.md': poem }, ['a.md']);
  await sidecars.deleted(['a.md']);
  await sidecars.created(['a.md']);
  await sidecars.created(['a.md']);
  assert.deepEqual(texts(), {});
});

test('a sidecar written in the meantime isn’t overwritten', async () => {
  const { sidecars, put, texts } = world({ 'a.md': poem });
  await sidecars.deleted(['a.md']);
  put('a.md', letter);
  await sidecars.created(['a.md']);
  assert.deepEqual(texts(), { 'a.md': letter });
});

test('a sidecar that can’t be moved to the trash stays, is logged, and is found when its file is restored', async () => {
  const { sidecars, warnings, texts } = world({ 'a.md': poem }, [], false);
  await sidecars.deleted(['a.md']);
  assert.deepEqual([texts(), warnings.length], [{ 'a.md': poem }, 1]);
  await sidecars.created(['a.md']);
  assert.deepEqual([texts(), warnings.length], [{ 'a.md': poem }, 1]);
});
