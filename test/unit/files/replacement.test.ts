import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nodeDisk, type ReplacingDisk } from '../../../src/files/disk';
import { localReplacing } from '../../../src/files/localSink';
import { FileProblem } from '../../../src/files/problem';
import { largestReplaced, replaceFile, sibling } from '../../../src/files/replacement';
import { hashedText, systemError, temporaryFolder, watchedDisk } from './disks';

const random = { uuid: () => crypto.randomUUID(), unit: () => 0 };
const allowed = () => {};

async function project(t: TestContext, disk: ReplacingDisk = nodeDisk) {
  const folder = await temporaryFolder(t);
  const root = pathToFileURL(folder).href;
  const path = (name: string) => join(folder, name);
  const replace = async (name: string, text: string, prove = allowed) => {
    const file = pathToFileURL(path(name)).href;
    const files = await localReplacing(disk, root, file);
    const found = await (await localReplacing(nodeDisk, root, file)).read(file);
    const agreed = { sha256: found?.sha256, isReadOnly: true };
    return replaceFile(files, file, hashedText(text), agreed, random, prove);
  };
  return { folder, path, replace, text: (name: string) => readFileSync(path(name), 'utf8') };
}

test('a file is replaced, and the earlier one has its own name next to it', async (t) => {
  const { path, replace, text, folder } = await project(t);
  writeFileSync(path('my hero.png'), 'old');
  const earlier = await replace('my hero.png', 'new');
  assert.equal(text('my hero.png'), 'new');
  assert.equal(text('my hero.earlier.png'), 'old');
  assert.deepEqual(earlier, { uri: pathToFileURL(path('my hero.earlier.png')).href, sha256: hashedText('old').sha256 });
  await replace('my hero.png', 'newer');
  assert.equal(text('my hero.earlier-2.png'), 'new');
  assert.equal(readdirSync(folder).length, 3);
});

test('an identical file stays as it is, and a deleted one is restored', async (t) => {
  const { path, replace, text, folder } = await project(t);
  writeFileSync(path('hero.png'), 'new');
  assert.equal(await replace('hero.png', 'new'), undefined);
  assert.equal(await replace('other.png', 'new'), undefined);
  assert.equal(text('other.png'), 'new');
  assert.deepEqual(readdirSync(folder).sort(), ['hero.png', 'other.png']);
});

for (const operation of ['create', 'write', 'sync', 'grant', 'link', 'swap', 'syncFolder'])
  for (const at of [1, 2])
    test(`a disk that fails at the ${at}. ${operation} leaves the file as it was, or replaced, and nothing else`, async (t) => {
      let seen = 0;
      let isFailing = true;
      const disk = watchedDisk((now) => {
        if (isFailing && now === operation && ++seen === at) throw systemError('EIO');
      });
      const { path, replace, text, folder } = await project(t, disk);
      writeFileSync(path('hero.png'), 'old');
      const wasReplaced = await replace('hero.png', 'new').then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof FileProblem, String(error));
          return false;
        },
      );
      assert.equal(text('hero.png'), wasReplaced ? 'new' : 'old');
      assert.deepEqual(readdirSync(folder).sort(), wasReplaced ? ['hero.earlier.png', 'hero.png'] : ['hero.png']);
      isFailing = false;
      await replace('hero.png', 'newer');
      assert.equal(text('hero.png'), 'newer');
      assert.equal(text(wasReplaced ? 'hero.earlier-2.png' : 'hero.earlier.png'), wasReplaced ? 'new' : 'old');
    });

test('a caller that loses the right in the last step replaces nothing, however often it tries', async (t) => {
  const { path, replace, text, folder } = await project(t);
  writeFileSync(path('hero.png'), 'old');
  const forbidden = () => {
    assert.deepEqual(statSync(path('hero.png')).nlink, 1, 'the earlier one is a file of its own already');
    throw new Error('lost');
  };
  for (let attempt = 0; attempt < 3; attempt++)
    await assert.rejects(replace('hero.png', 'new', forbidden), { message: 'lost' });
  assert.deepEqual([readdirSync(folder), text('hero.png')], [['hero.png'], 'old']);
});

/** What another program does to a file during its replacement. */
const others: Readonly<Record<string, (hero: string) => void>> = {
  'writes to it': (hero) => writeFileSync(hero, 'theirs'),
  'saves another file under its name': (hero) => {
    writeFileSync(`${hero}~`, 'theirs');
    renameSync(`${hero}~`, hero);
  },
};

for (const [what, change] of Object.entries(others))
  test(`whatever another program ${what} at any moment is never lost`, async (t) => {
    let kept = 0;
    for (let moment = 1; ; moment++) {
      let left = moment;
      const strike = (path: string) => --left === 0 && change(path);
      let hero = '';
      const disk = watchedDisk(() => void strike(hero));
      const { path, replace, text, folder } = await project(t, disk);
      hero = path('hero.png');
      writeFileSync(hero, 'old');
      const error = await replace('hero.png', 'new', () => void strike(hero)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (left > 0) break;
      const texts = readdirSync(folder).map(text);
      assert.ok(texts.includes('theirs'), `${moment}: ${texts.join()}`);
      if (error) {
        assert.deepEqual(readdirSync(folder), ['hero.png']);
        kept++;
      }
    }
    assert.ok(kept > 5, String(kept));
  });

for (const mode of [0o400, 0o600, 0o664, 0o755])
  test(`a file of the mode ${mode.toString(8)} keeps it, and so does the earlier one`, async (t) => {
    const { path, replace, text } = await project(t);
    writeFileSync(path('hero.png'), 'old');
    chmodSync(path('hero.png'), mode);
    await replace('hero.png', 'new');
    const modes = ['hero.png', 'hero.earlier.png'].map((name) => statSync(path(name)).mode & 0o777);
    assert.deepEqual([modes, text('hero.png')], [[mode, mode], 'new']);
  });

test('where a file can have only one name, the earlier one is kept too', async (t) => {
  const disk = watchedDisk((now) => {
    if (now === 'link') throw systemError('EPERM');
  });
  const { path, replace, text, folder } = await project(t, disk);
  writeFileSync(path('hero.png'), 'old');
  await replace('hero.png', 'new');
  assert.deepEqual([text('hero.png'), text('hero.earlier.png'), readdirSync(folder).length], ['new', 'old', 2]);
});

test('a file too large for memory is left alone before any of it is read', async (t) => {
  const { path, replace } = await project(t);
  writeFileSync(path('hero.png'), '');
  truncateSync(path('hero.png'), largestReplaced + 1);
  await assert.rejects(replace('hero.png', 'new'), { code: 'tooLargeThere' });
  assert.equal(statSync(path('hero.png')).size, largestReplaced + 1);
});

test('a link isn’t replaced, and nothing outside the root is', async (t) => {
  const { path, folder } = await project(t);
  mkdirSync(path('inside'));
  writeFileSync(path('hero.png'), 'old');
  symlinkSync(path('hero.png'), path('inside/link.png'));
  symlinkSync(folder, path('inside/out'));
  const root = pathToFileURL(path('inside')).href;
  const link = pathToFileURL(path('inside/link.png')).href;
  await assert.rejects(
    replaceFile(
      await localReplacing(nodeDisk, root, link),
      link,
      hashedText('new'),
      { sha256: hashedText('old').sha256, isReadOnly: true },
      random,
      allowed,
    ),
    FileProblem,
  );
  await assert.rejects(localReplacing(nodeDisk, root, pathToFileURL(path('inside/out/hero.png')).href), {
    code: 'outsideFolder',
  });
});

test('a sibling keeps the query that some file systems need', () => {
  assert.equal(sibling('vfs://host/a%20b/hero.png?v=1', 'hero (2).png'), 'vfs://host/a%20b/hero%20(2).png?v=1');
});
