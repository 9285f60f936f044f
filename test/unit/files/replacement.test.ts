import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { localReplacing } from '../../../src/files/localReplacing';
import { FileProblem } from '../../../src/files/problem';
import { hashOf, replaceFile, sibling } from '../../../src/files/replacement';
import { systemError, temporaryFolder, watchedDisk } from './disks';

const random = { uuid: () => 'uuid', unit: () => 0 };
const bytes = (text: string) => Buffer.from(text);

async function project(t: TestContext, disk: Disk = nodeDisk) {
  const folder = await temporaryFolder(t);
  const root = pathToFileURL(folder).href;
  const path = (name: string) => join(folder, name);
  const replace = async (name: string, text: string) => {
    const file = pathToFileURL(path(name)).href;
    return replaceFile(await localReplacing(disk, root, file), file, bytes(text), random);
  };
  return { folder, path, replace, text: (name: string) => readFileSync(path(name), 'utf8') };
}

test('a file is replaced, and the earlier one has a name of its own beside it', async (t) => {
  const { path, replace, text, folder } = await project(t);
  writeFileSync(path('my hero.png'), 'old');
  const earlier = await replace('my hero.png', 'new');
  assert.equal(text('my hero.png'), 'new');
  assert.equal(text('my hero.earlier.png'), 'old');
  assert.deepEqual(earlier, { uri: pathToFileURL(path('my hero.earlier.png')).href, sha256: hashOf(bytes('old')) });
  await replace('my hero.png', 'newer');
  assert.equal(text('my hero.earlier (2).png'), 'new');
  assert.equal(readdirSync(folder).length, 3);
});

test('what is the same already stays, and a file that has gone is there again', async (t) => {
  const { path, replace, text, folder } = await project(t);
  writeFileSync(path('hero.png'), 'new');
  assert.equal(await replace('hero.png', 'new'), undefined);
  assert.equal(await replace('other.png', 'new'), undefined);
  assert.equal(text('other.png'), 'new');
  assert.deepEqual(readdirSync(folder).sort(), ['hero.png', 'other.png']);
});

for (const operation of ['create', 'write', 'sync', 'link', 'rename'])
  test(`a disk that fails at ${operation} leaves the file as it was`, async (t) => {
    let failing = true;
    const disk = watchedDisk((now) => {
      if (failing && now === operation) throw systemError('EIO');
    });
    const { path, replace, text, folder } = await project(t, disk);
    writeFileSync(path('hero.png'), 'old');
    // Where a file cannot have two names it is copied: that one failure is none.
    if (operation !== 'link') await assert.rejects(replace('hero.png', 'new'), FileProblem);
    else await replace('hero.png', 'new');
    assert.equal(text('hero.png'), operation === 'link' ? 'new' : 'old');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
    failing = false;
    await replace('hero.png', 'new');
    assert.equal(text('hero.png'), 'new');
  });

test('a link is not replaced, and nothing outside of the root is', async (t) => {
  const { path, folder } = await project(t);
  mkdirSync(path('inside'));
  writeFileSync(path('hero.png'), 'old');
  symlinkSync(path('hero.png'), path('inside/link.png'));
  symlinkSync(folder, path('inside/out'));
  const root = pathToFileURL(path('inside')).href;
  const link = pathToFileURL(path('inside/link.png')).href;
  await assert.rejects(
    replaceFile(await localReplacing(nodeDisk, root, link), link, bytes('new'), random),
    FileProblem,
  );
  await assert.rejects(localReplacing(nodeDisk, root, pathToFileURL(path('inside/out/hero.png')).href), {
    code: 'outsideFolder',
  });
});

test('a neighbour keeps the query that some file systems need', () => {
  assert.equal(sibling('vfs://host/a%20b/hero.png?v=1', 'hero (2).png'), 'vfs://host/a%20b/hero%20(2).png?v=1');
});
