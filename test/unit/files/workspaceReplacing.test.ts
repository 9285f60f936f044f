import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { FileProblem } from '../../../src/files/problem';
import { replaceFile, writeNew } from '../../../src/files/replacement';
import { type ReplaceableFiles, workspaceReplacing } from '../../../src/files/workspaceSink';
import { hashedText } from './disks';

const random = { uuid: () => crypto.randomUUID(), unit: () => 0 };

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The same, asynchronously. */
function soon<Given extends unknown[], Found>(work: (...given: Given) => Found): (...given: Given) => Promise<Found> {
  return (...given) => Promise.resolve().then(() => work(...given));
}

/** A file system in memory as the editor provides one. Each write loses `cut` bytes. */
function memory(files: Map<string, Buffer>, cut = 0): ReplaceableFiles {
  const held = (uri: string) => {
    const bytes = files.get(uri);
    if (!bytes) throw failed('FileNotFound');
    return bytes;
  };
  const none = () => Promise.reject(failed('Unavailable'));
  return {
    stat: soon((uri: string) => ({ kind: 'file', link: false, size: held(uri).length, changedAt: 0 }) as const),
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
    rename: soon((from: string, to: string) => {
      if (files.has(to)) throw failed('FileExists');
      files.set(to, held(from));
      files.delete(from);
    }),
  };
}

const hero = 'vfs://host/project/hero.png?branch=main';
const earlierHero = 'vfs://host/project/hero.earlier.png?branch=main';

function replace(files: ReplaceableFiles) {
  const agreed = { sha256: hashedText('old').sha256, isReadOnly: false };
  return replaceFile(workspaceReplacing(files, systemClock), hero, hashedText('new'), agreed, random, () => {});
}

function texts(files: Map<string, Buffer>) {
  return Object.fromEntries([...files].map(([uri, bytes]) => [uri, String(bytes)]));
}

test('the editor’s file system also replaces a file and keeps the earlier one next to it', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  const earlier = await replace(memory(files));
  assert.equal(earlier?.uri, earlierHero);
  assert.deepEqual(texts(files), { [hero]: 'new', [earlierHero]: 'old' });
});

test('a file system that stores only a part leaves the file unchanged', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  await assert.rejects(replace(memory(files, 1)), FileProblem);
  assert.deepEqual(texts(files), { [hero]: 'old' });
});

/** Removes what is to be replaced, then calls `after` and fails. */
function halfway(files: Map<string, Buffer>, after: () => void = () => {}): ReplaceableFiles {
  return {
    ...memory(files),
    replace: () => {
      files.delete(hero);
      after();
      return Promise.reject(failed('NoPermissions'));
    },
  };
}

test('a file that the system removed before it failed is restored', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  await assert.rejects(replace(halfway(files)), FileProblem);
  assert.deepEqual(texts(files), { [hero]: 'old' });
});

test('a file that can’t be restored is reported with its new name', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  const broken = halfway(files, () => void (broken.rename = () => Promise.reject(failed('NoPermissions'))));
  await assert.rejects(replace(broken), { name: 'NotReplaced', code: 'halfDone', earlier: earlierHero });
  assert.equal(texts(files)[earlierHero], 'old');
});

test('nothing is written over a file that already has the name', async () => {
  const beside = `vfs://host/project/hero.png.render.json`;
  const files = new Map([[beside, Buffer.from('theirs')]]);
  assert.equal(
    await writeNew(workspaceReplacing(memory(files), systemClock), beside, hashedText('ours'), random),
    false,
  );
  assert.deepEqual(texts(files), { [beside]: 'theirs' });
});

test('a read-only file is rejected unless a user agreed', async () => {
  const files = new Map([[hero, Buffer.from('old')]]);
  const memorized = memory(files);
  const locked: ReplaceableFiles = {
    ...memorized,
    stat: async (uri) => ({ ...(await memorized.stat(uri)), readOnly: uri === hero }),
  };
  await assert.rejects(replace(locked), { code: 'readOnly' });
  assert.deepEqual(texts(files), { [hero]: 'old' });
});

test('other work runs while a large file is examined', async () => {
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const large = Buffer.alloc(100 * 1024 * 1024, 'a picture');
  await workspaceReplacing(memory(new Map([[hero, large]])), systemClock).read(hero);
  clearInterval(ticking);
  assert.ok(turns > 0);
});
