import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileProblem } from '../../../src/files/problem';
import { replaceFile } from '../../../src/files/replacement';
import { workspaceReplacing, type ReplaceableFiles } from '../../../src/files/workspaceReplacing';

const random = { uuid: () => 'uuid', unit: () => 0 };

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The same, in a while. */
function soon<Given extends unknown[], Found>(work: (...given: Given) => Found): (...given: Given) => Promise<Found> {
  return (...given) => Promise.resolve().then(() => work(...given));
}

/** A file system in memory, as the editor gives one; `cut` of its bytes are lost with each write. */
function memory(files: Map<string, Buffer>, cut = 0): ReplaceableFiles {
  const held = (uri: string) => {
    const bytes = files.get(uri);
    if (!bytes) throw failed('FileNotFound');
    return bytes;
  };
  const none = () => Promise.reject(failed('Unavailable'));
  return {
    stat: soon((uri: string) => ({ kind: 'file', link: false, size: held(uri).length }) as const),
    readFile: soon(held),
    writeFile: soon((uri: string, bytes: Uint8Array) => void files.set(uri, Buffer.from(bytes.subarray(cut)))),
    copy: soon((from: string, to: string) => {
      if (files.has(to)) throw failed('FileExists');
      files.set(to, held(from));
    }),
    replace: soon((from: string, to: string) => {
      files.set(to, held(from));
      files.delete(from);
    }),
    delete: soon((uri: string) => {
      held(uri);
      files.delete(uri);
    }),
    readDirectory: none,
    createDirectory: none,
    rename: none,
  };
}

const hero = 'vfs://host/project/hero.png?branch=main';

test('through the editor a file is replaced too, and the earlier one stands beside it', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  const earlier = await replaceFile(workspaceReplacing(memory(files)), hero, Buffer.from('new'), random);
  assert.equal(earlier?.uri, 'vfs://host/project/hero.earlier.png?branch=main');
  assert.deepEqual(Object.fromEntries([...files].map(([uri, bytes]) => [uri, String(bytes)])), {
    [hero]: 'new',
    'vfs://host/project/hero.earlier.png?branch=main': 'old',
  });
});

test('a file system that keeps only a part leaves the file as it was', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  const replacing = workspaceReplacing(memory(files, 1));
  await assert.rejects(replaceFile(replacing, hero, Buffer.from('new'), random), FileProblem);
  assert.deepEqual([...files.keys()], [hero]);
  assert.equal(String(files.get(hero)), 'old');
});
