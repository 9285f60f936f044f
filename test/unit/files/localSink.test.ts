import assert from 'node:assert/strict';
import { existsSync, lstatSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemRandom } from '../../../src/base/clock';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { localSink } from '../../../src/files/localSink';
import { FileProblem, type FileProblemCode } from '../../../src/files/problem';
import type { NameClaim } from '../../../src/files/sink';
import { Spool } from '../../../src/files/spool';
import type { Spooled } from '../../../src/renders/record';
import { diskUntil, systemError, temporaryFolder, watchedDisk } from './disks';
import { png } from './pictures';
import { recordedClaim } from './recordedClaim';

/** The set-group-ID bit of a folder has an effect. */
const setsGroups = process.platform === 'linux';

interface Place {
  /** The workspace folder. */
  readonly home: string;
  readonly root: string;
  /** A folder next to it, with one file. */
  readonly outside: string;
  readonly spool: Spool;
  readonly image: Spooled;
}

async function placeOf(t: TestContext): Promise<Place> {
  const folder = await temporaryFolder(t);
  const home = join(folder, 'work space ü');
  const outside = join(folder, 'outside');
  await mkdir(home);
  await mkdir(outside);
  await writeFile(join(outside, 'theirs'), 'untouched');
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const image = await spool.receive('a1', Readable.from([png()]), { maxBytes: 1e9 });
  return { home, root: pathToFileURL(home).href, outside, spool, image: image };
}

function publish(place: Place, folder = 'renders', baseName = 'fox', disk: Disk = nodeDisk, claim?: NameClaim) {
  return localSink(disk, place.spool, systemRandom).publish(place.image, place.root, folder, baseName, claim);
}

function is(code: FileProblemCode): (error: unknown) => boolean {
  return (error) => error instanceof FileProblem && error.code === code;
}

/** A disk whose file system has no hard links. */
function withoutLinks(code = 'EPERM'): Disk {
  return watchedDisk((operation) => {
    if (operation === 'link') throw systemError(code);
  });
}

/** A disk other than the spool's, so that the result is copied. */
function anotherDisk(before?: (operation: string, path: string) => void): Disk {
  return watchedDisk((operation, path) => {
    before?.(operation, path);
    if (operation === 'link' && basename(path).startsWith('.')) throw systemError('EXDEV');
  });
}

test('a result becomes a file in the folder, which is created if missing, and leaves nothing else', async (t) => {
  const place = await placeOf(t);
  const { uri } = await publish(place, 'assets/renders');
  assert.equal(uri, pathToFileURL(join(place.home, 'assets', 'renders', 'fox.png')).href);
  assert.deepEqual(await readFile(fileURLToPath(uri)), png());
  assert.deepEqual(await readdir(join(place.home, 'assets/renders')), ['fox.png']);
  assert.equal(await place.spool.has('a1'), true);
});

test('a result can go straight into the workspace folder', async (t) => {
  const place = await placeOf(t);
  assert.equal(fileURLToPath((await publish(place, '')).uri), join(place.home, 'fox.png'));
});

test('an existing entry keeps its name: files, folders, dangling links, different case, other Unicode form', async (t) => {
  for (const disk of [nodeDisk, anotherDisk(), withoutLinks()]) {
    const place = await placeOf(t);
    const folder = join(place.home, 'renders');
    await mkdir(join(folder, 'füchse-2.png'), { recursive: true });
    await writeFile(join(folder, 'FÜCHSE.png'), 'theirs');
    await symlink(join(place.outside, 'new'), join(folder, 'füchse-3.png'));
    await writeFile(join(folder, 'fu\u0308chse-4.PNG'), 'theirs');
    await symlink(join(place.outside, 'theirs'), join(folder, 'füchse-5.png'));
    const { uri } = await publish(place, 'renders', 'füchse', disk);
    assert.equal(fileURLToPath(uri), join(folder, 'füchse-6.png'));
    assert.deepEqual(await readFile(fileURLToPath(uri)), png());
    assert.equal(await readFile(join(folder, 'FÜCHSE.png'), 'utf8'), 'theirs');
    assert.equal(await readlink(join(folder, 'füchse-3.png')), join(place.outside, 'new'));
    assert.deepEqual(await readdir(place.outside), ['theirs']);
    assert.equal(await readFile(join(place.outside, 'theirs'), 'utf8'), 'untouched');
  }
});

test('a name that is taken during the transfer isn’t replaced', async (t) => {
  type Way = (lay: () => void) => Disk;
  const onSync = (lay: () => void) => (operation: string) => operation === 'sync' && lay();
  const ways: Readonly<Record<string, Way>> = {
    'one file system': (lay) => watchedDisk((operation) => operation === 'chmod' && lay()),
    'another file system': (lay) => anotherDisk(onSync(lay)),
    'no links': (lay) =>
      watchedDisk((operation) => {
        onSync(lay)(operation);
        if (operation === 'link') throw systemError('ENOTSUP');
      }),
  };
  for (const way of Object.values(ways)) {
    const place = await placeOf(t);
    const target = join(place.home, 'renders', 'fox.png');
    const disk = way(() => symlinkSync('nowhere', target));
    const { uri } = await publish(place, 'renders', 'fox', disk);
    assert.equal(fileURLToPath(uri), join(place.home, 'renders', 'fox-2.png'));
    assert.equal(await readlink(target), 'nowhere');
  }
});

test('fifty results with the same name at the same time are fifty files', async (t) => {
  for (const disk of [nodeDisk, anotherDisk(), withoutLinks()]) {
    const place = await placeOf(t);
    const sink = localSink(disk, place.spool, systemRandom);
    const images = await Promise.all(
      Array.from({ length: 50 }, (_, i) => place.spool.receive(`p${i}`, Readable.from([png(i)]), { maxBytes: 1e9 })),
    );
    const published = await Promise.all(images.map((image) => sink.publish(image, place.root, 'renders', 'fox')));
    assert.equal(new Set(published.map(({ uri }) => uri)).size, 50);
    assert.equal((await readdir(join(place.home, 'renders'))).length, 50);
    for (const [i, { uri }] of published.entries()) assert.deepEqual(await readFile(fileURLToPath(uri)), png(i));
  }
});

test('a folder that leads out of the workspace is rejected, and nothing is written there', async (t) => {
  const ways: Readonly<Record<string, (place: Place) => Promise<void>>> = {
    'the folder is a link': (place) => symlink(place.outside, join(place.home, 'renders')),
    'a parent is a link': (place) => symlink(join(place.outside, '..'), join(place.home, 'assets')),
    'the link leads nowhere': (place) => symlink(join(place.outside, 'new'), join(place.home, 'renders')),
    'the link leads in a circle': (place) => symlink('renders', join(place.home, 'renders')),
    'the link leads to the folder of a tool': async (place) => {
      await mkdir(join(place.home, '.git'));
      await symlink('.git', join(place.home, 'renders'));
    },
  };
  for (const [name, lay] of Object.entries(ways)) {
    const place = await placeOf(t);
    await lay(place);
    const folder = name.includes('parent') ? 'assets/outside/renders' : 'renders';
    await assert.rejects(publish(place, folder), is('outsideFolder'), name);
    assert.deepEqual(await readdir(place.outside), ['theirs'], name);
  }
});

test('a folder swapped for a link during a transfer is rejected', async (t) => {
  for (const watched of [watchedDisk, anotherDisk]) {
    for (const moment of watched === watchedDisk ? ['link', 'chmod'] : ['create', 'sync', 'link']) {
      const place = await placeOf(t);
      const folder = join(place.home, 'renders');
      const disk = watched((operation) => {
        if (operation !== moment || lstatSync(folder).isSymbolicLink()) return;
        renameSync(folder, join(place.home, 'moved'));
        symlinkSync(place.outside, folder);
      });
      await assert.rejects(publish(place, 'renders', 'fox', disk), FileProblem, moment);
      assert.deepEqual(await readdir(place.outside), ['theirs'], moment);
    }
  }
});

test('a link that stays inside the workspace is followed', async (t) => {
  const place = await placeOf(t);
  await mkdir(join(place.home, 'public', 'images'), { recursive: true });
  await symlink('public/images', join(place.home, 'renders'));
  const { uri } = await publish(place);
  assert.equal(fileURLToPath(uri), join(place.home, 'renders', 'fox.png'));
  assert.deepEqual(await readdir(join(place.home, 'public', 'images')), ['fox.png']);
});

test('a workspace folder that is itself a link works like any other', async (t) => {
  const place = await placeOf(t);
  const alias = join(place.home, '..', 'alias');
  await symlink(place.home, alias);
  const { uri } = await publish({ ...place, root: pathToFileURL(alias).href });
  assert.equal(fileURLToPath(uri), join(alias, 'renders', 'fox.png'));
});

test('a configured folder that leads out is rejected before anything is touched', async (t) => {
  const place = await placeOf(t);
  for (const folder of ['../outside', '/tmp', '.git/hooks', '~/x']) {
    await assert.rejects(publish(place, folder), is('outsideFolder'), folder);
  }
  assert.deepEqual(await readdir(place.home), []);
});

test('nothing is saved in a folder whose content programs run, nor through a link into one', async (t) => {
  const place = await placeOf(t);
  for (const folder of ['node_modules', 'node_modules/fox', 'a/Node_Modules', '.git', '.vscode'])
    await assert.rejects(publish(place, folder), is('outsideFolder'), folder);
  await mkdir(join(place.home, 'node_modules'));
  await symlink(join(place.home, 'node_modules'), join(place.home, 'renders'));
  await assert.rejects(publish(place, 'renders'), is('outsideFolder'));
  assert.deepEqual(await readdir(join(place.home, 'node_modules')), []);
});

test('a service’s text gets no name that agents obey, unless the user agreed to it', async (t) => {
  const place = await placeOf(t);
  const text = await place.spool.receiveText('a2', 'Obey.');
  const saved = async (name: string, mayInstruct?: boolean) => {
    const claim = { record: () => true, mayInstruct };
    const { uri } = await localSink(nodeDisk, place.spool, systemRandom).publish(text, place.root, '', name, claim);
    return basename(fileURLToPath(uri));
  };
  assert.equal(await saved('AGENTS'), 'AGENTS-2.md');
  assert.equal(await saved('claude'), 'claude-2.md');
  assert.equal(await saved('copilot-instructions'), 'copilot-instructions-2.md');
  assert.equal(await saved('CLAUDE', true), 'CLAUDE.md');
  assert.equal(await saved('agents-of-change'), 'agents-of-change.md');
});

test('a base name that is a path becomes a name', async (t) => {
  const place = await placeOf(t);
  const { uri } = await publish(place, 'renders', '../../outside/x');
  assert.equal(fileURLToPath(uri), join(place.home, 'renders', 'outside-x.png'));
});

test('a missing workspace folder is reported, and the result stays', async (t) => {
  const place = await placeOf(t);
  await rm(place.home, { recursive: true });
  await assert.rejects(publish(place), is('folderGone'));
  await assert.rejects(lstat(place.home), { code: 'ENOENT' });
  assert.equal(await place.spool.has('a1'), true);
});

test('a folder that vanishes during a transfer is reported', async (t) => {
  const place = await placeOf(t);
  const disk = watchedDisk((operation) => {
    if (operation === 'link') renameSync(join(place.home, 'renders'), join(place.home, 'moved'));
  });
  await assert.rejects(publish(place, 'renders', 'fox', disk), is('folderGone'));
});

test('a file in place of the folder is reported', async (t) => {
  const place = await placeOf(t);
  await writeFile(join(place.home, 'renders'), 'theirs');
  await assert.rejects(publish(place), is('notWritable'));
});

test('disk failures are distinguished and leave nothing in the folder', async (t) => {
  const codes: Readonly<Record<string, FileProblemCode>> = {
    ENOSPC: 'diskFull',
    EACCES: 'notWritable',
    EROFS: 'notWritable',
    EBUSY: 'diskFailed',
    EIO: 'diskFailed',
    ESTALE: 'diskFailed',
    ETIMEDOUT: 'diskFailed',
    EAGAIN: 'diskFailed',
  };
  for (const [code, problem] of Object.entries(codes)) {
    for (const failing of ['mkdir', 'create', 'write', 'sync', 'link', 'chmod']) {
      // Some file systems report missing support for links like that.
      if (failing === 'link' && !['ENOSPC', 'EROFS'].includes(code)) continue;
      const place = await placeOf(t);
      const disk = (failing === 'chmod' ? watchedDisk : anotherDisk)((operation) => {
        if (operation === failing) throw systemError(code);
      });
      await assert.rejects(publish(place, 'renders', 'fox', disk), is(problem), `${code} in ${failing}`);
      assert.deepEqual(await readdir(place.home, { recursive: true }), failing === 'mkdir' ? [] : ['renders']);
    }
  }
});

test('a disk that fails for a moment isn’t taken for a link that leads out of the workspace', async (t) => {
  for (const code of ['EBUSY', 'EIO', 'ESTALE', 'ETIMEDOUT', 'EAGAIN']) {
    const place = await placeOf(t);
    let calls = 0;
    const disk: Disk = {
      ...nodeDisk,
      realpath: (path) => (++calls === 2 ? Promise.reject(systemError(code)) : nodeDisk.realpath(path)),
    };
    await assert.rejects(publish(place, 'renders', 'fox', disk), is('diskFailed'), code);
  }
});

test('what an earlier publication couldn’t remove is removed once it’s old, and nothing else', async (t) => {
  const place = await placeOf(t);
  const [key, uuid] = [systemRandom.uuid(), systemRandom.uuid()];
  const old = `.${key}.${uuid}.part`;
  const others = [`.${key}.${systemRandom.uuid()}.part`, '.notes.part', `${key}.${uuid}.part`, '.x.y.part'];
  await mkdir(join(place.home, 'renders'));
  for (const name of [old, ...others]) await writeFile(join(place.home, 'renders', name), 'left');
  const hours = (name: string) => (basename(name) === others[0] ? 0.5 : 2);
  const disk: Disk = {
    ...nodeDisk,
    lstat: async (path) => {
      const entry = await nodeDisk.lstat(path);
      return path.endsWith('part') ? { ...entry, changedAt: entry.changedAt - hours(path) * 3_600_000 } : entry;
    },
  };
  await publish(place, 'renders', 'fox', disk);
  assert.deepEqual((await readdir(join(place.home, 'renders'))).sort(), [...others, 'fox.png'].sort());
});

test('a copy leaves space for the ledger where that’s on the same disk', async (t) => {
  const place = await placeOf(t);
  const space = (path: string, free: number, other: boolean) =>
    Promise.resolve({ free, disk: other && path.includes('work space') ? 'stick' : 'home' });
  const disk = (other: boolean): Disk => ({
    ...nodeDisk,
    link: (_from, to) => Promise.reject(Object.assign(systemError('EPERM'), { to })),
    space: (path) => space(path, 1024 * 1024, other),
  });
  const copied = (other: boolean) => {
    const spool = new Spool(dirname(place.spool.path('a1')), disk(other));
    return publish({ ...place, spool }, 'renders', 'fox', disk(other));
  };
  await assert.rejects(copied(false), is('diskFull'));
  assert.match((await copied(true)).uri, /fox\.png$/);
});

test('a result that changed in the spool is not published (F1)', async (t) => {
  for (const disk of [nodeDisk, anotherDisk()]) {
    const place = await placeOf(t);
    await writeFile(place.spool.path('a1'), png(1));
    await assert.rejects(publish(place, 'renders', 'fox', disk), is('cutFile'));
    await unlink(place.spool.path('a1'));
    await assert.rejects(publish(place, 'renders', 'fox', disk), is('cutFile'));
    assert.deepEqual(await readdir(join(place.home, 'renders')), []);
  }
});

test('a result that another session downloaded is read again and verified when it’s published', async (t) => {
  const place = await placeOf(t);
  const spool = new Spool(join(place.spool.path('a1'), '..'), nodeDisk);
  const { uri } = await publish({ ...place, spool });
  assert.deepEqual(await readFile(fileURLToPath(uri)), png());
  await writeFile(spool.path('a1'), png(1));
  await assert.rejects(publish({ ...place, spool }), is('cutFile'));
});

test(
  'a file has the permissions of any other new file, however it was written',
  { skip: process.platform === 'win32' },
  async (t) => {
    for (const disk of [nodeDisk, anotherDisk(), withoutLinks()]) {
      const place = await placeOf(t);
      const { uri } = await publish(place, 'renders', 'fox', disk);
      await writeFile(join(place.home, 'any'), '');
      const [file, any] = [await lstat(fileURLToPath(uri)), await lstat(join(place.home, 'any'))];
      assert.equal(file.mode, any.mode);
    }
  },
);

test('on the spool’s file system nothing is copied, and the spool can be emptied', async (t) => {
  const place = await placeOf(t);
  const { ino } = await lstat(place.spool.path('a1'));
  const { uri } = await publish(place);
  assert.equal((await lstat(fileURLToPath(uri))).ino, ino);
  await place.spool.remove('a1');
  assert.equal((await lstat(fileURLToPath(uri))).nlink, 1);
  assert.deepEqual(await readFile(fileURLToPath(uri)), png());
});

test(
  'in a folder that a group shares, a new file is created, so that it belongs to the group',
  { skip: !setsGroups },
  async (t) => {
    const place = await placeOf(t);
    await mkdir(join(place.home, 'renders'));
    await chmod(join(place.home, 'renders'), 0o2775);
    const { uri } = await publish(place);
    assert.notEqual((await lstat(fileURLToPath(uri))).ino, (await lstat(place.spool.path('a1'))).ino);
    assert.deepEqual(await readFile(fileURLToPath(uri)), png());
  },
);

test('after a crash at any time there is one complete file and no other trace of it (D21)', async (t) => {
  for (let operations = 0; ; operations++) {
    const place = await placeOf(t);
    await writeFile(join(place.home, 'fox.png'), 'theirs');
    const claim = recordedClaim();
    const disk = diskUntil(operations);
    await publish(place, '', 'fox', disk, claim).catch(() => {});
    assert.deepEqual(await readFile(place.spool.path('a1')), png());
    const torn = (await readdir(place.home)).filter((name) => !name.startsWith('.') && name !== 'fox.png');
    for (const name of torn) assert.deepEqual(await readFile(join(place.home, name)), png());
    const { uri } = await publish(place, '', 'fox', nodeDisk, claim);
    assert.deepEqual((await readdir(place.home)).sort(), ['fox-2.png', 'fox.png'], `after ${operations} operations`);
    assert.equal(fileURLToPath(uri), join(place.home, 'fox-2.png'));
    assert.equal(await readFile(join(place.home, 'fox.png'), 'utf8'), 'theirs');
    if (!disk.reached) return;
  }
});

for (const [how, refuse] of Object.entries({
  'that says so': () => 'EPERM',
  'that looks for the name first': (path: string) => (existsSync(path) ? 'EEXIST' : 'EPERM'),
}))
  test(`after a crash on a disk without links ${how} there is one whole file under the name it was to have (A4)`, async (t) => {
    const refusing = (operation: string, path: string) => {
      if (operation === 'link') throw systemError(refuse(path));
    };
    for (let operations = 0; ; operations++) {
      const place = await placeOf(t);
      const claim = recordedClaim();
      const disk = diskUntil(operations, refusing);
      await publish(place, '', 'fox', disk, claim).catch(() => {});
      const { uri } = await publish(place, '', 'fox', watchedDisk(refusing), claim);
      assert.deepEqual(await readdir(place.home), ['fox.png'], `after ${operations} operations`);
      assert.deepEqual(await readFile(fileURLToPath(uri)), png());
      if (!disk.reached) return;
    }
  });

test('someone else’s empty file keeps its name where hard links work', async (t) => {
  const place = await placeOf(t);
  const claim = recordedClaim();
  claim.record(pathToFileURL(join(place.home, 'fox.png')).href);
  await writeFile(join(place.home, 'fox.png'), '');
  const { uri } = await publish(place, '', 'fox', nodeDisk, claim);
  assert.deepEqual((await readdir(place.home)).sort(), ['fox-2.png', 'fox.png']);
  assert.equal(fileURLToPath(uri), join(place.home, 'fox-2.png'));
});

test('only the empty file that reserved a name is removed, and only where there are no hard links', async (t) => {
  const place = await placeOf(t);
  const name = join(place.home, 'fox.png');
  const free = (disk: Disk) =>
    localSink(disk, place.spool, systemRandom).free!(pathToFileURL(name).href, () => undefined);
  assert.equal(await free(withoutLinks()), false);
  await writeFile(name, 'mine');
  assert.equal(await free(withoutLinks()), false);
  await writeFile(name, '');
  assert.equal(await free(nodeDisk), false);
  assert.deepEqual(await readdir(place.home), ['fox.png']);
  assert.equal(await free(withoutLinks()), true);
  assert.deepEqual(await readdir(place.home), []);
});

test('a result is saved whatever error a file system without hard links reports', async (t) => {
  for (const code of ['EISDIR', 'EACCES', 'EINVAL', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'UNKNOWN']) {
    const place = await placeOf(t);
    const { uri } = await publish(place, 'renders', 'fox', withoutLinks(code));
    assert.deepEqual(await readdir(join(place.home, 'renders')), ['fox.png'], code);
    assert.deepEqual(await readFile(fileURLToPath(uri)), png());
  }
});

test('a link that fails once on a disk that supports links leaves no empty file, and is retried', async (t) => {
  const place = await placeOf(t);
  let fails = true;
  const disk = watchedDisk((operation, path) => {
    // Another program has both open for a moment.
    if (operation === 'rename' || (operation === 'unlink' && basename(path) === 'fox.png')) throw systemError('EBUSY');
    if (operation !== 'link' || basename(path) !== 'fox.png' || !fails) return;
    fails = false;
    throw systemError('EACCES');
  });
  await assert.rejects(publish(place, 'renders', 'fox', disk), is('notWritable'));
  assert.deepEqual(await readdir(join(place.home, 'renders')), []);
  await publish(place, 'renders', 'fox', disk);
  assert.deepEqual(await readdir(join(place.home, 'renders')), ['fox.png']);
});

test('a file that replaced the downloaded one at the last moment isn’t published (A3)', async (t) => {
  const place = await placeOf(t);
  let isReplaced = false;
  const disk = watchedDisk((operation, path) => {
    if (operation !== 'link' || isReplaced || !basename(path).startsWith('.')) return;
    isReplaced = true;
    writeFileSync(place.spool.path('other'), png(2).subarray(0, 40));
    renameSync(place.spool.path('other'), place.spool.path('a1'));
  });
  await assert.rejects(publish(place, 'renders', 'fox', disk), is('cutFile'));
  assert.deepEqual(await readdir(join(place.home, 'renders')), []);
});

test('a failed rename removes no file that someone has saved under the name since', async (t) => {
  const place = await placeOf(t);
  const target = join(place.home, 'renders', 'fox.png');
  const disk = watchedDisk((operation, path) => {
    if (operation === 'link') throw systemError('EPERM');
    if (operation !== 'rename') return;
    writeFileSync(path, png());
    throw systemError('ENOENT');
  });
  await assert.rejects(publish(place, 'renders', 'fox', disk), is('folderGone'));
  assert.deepEqual(await readFile(target), png());
});

test('no name is taken once the right to it is lost (A3)', async (t) => {
  const place = await placeOf(t);
  const claim = { ...recordedClaim(), prove: () => assert.fail('lost') };
  await assert.rejects(publish(place, 'renders', 'fox', nodeDisk, claim), /lost/);
  assert.deepEqual(await readdir(join(place.home, 'renders')), []);
});

test('the same result published for another render is a second file: only a recorded name counts as ours', async (t) => {
  const place = await placeOf(t);
  await publish(place);
  const { uri } = await publish(place);
  assert.equal(fileURLToPath(uri), join(place.home, 'renders', 'fox-2.png'));
});

test('a recorded name that someone else has taken since is left to them', async (t) => {
  const place = await placeOf(t);
  const claim = recordedClaim();
  const { uri } = await publish(place, 'renders', 'fox', nodeDisk, claim);
  await unlink(fileURLToPath(uri));
  await writeFile(fileURLToPath(uri), 'theirs, edited since');
  const second = await publish(place, 'renders', 'fox', nodeDisk, claim);
  assert.equal(fileURLToPath(second.uri), join(place.home, 'renders', 'fox-2.png'));
  assert.equal(await readFile(fileURLToPath(uri), 'utf8'), 'theirs, edited since');
});

test('a file edited after a crash is left alone, and the result is downloaded again', async (t) => {
  const place = await placeOf(t);
  const claim = recordedClaim();
  const { uri } = await publish(place, 'renders', 'fox', nodeDisk, claim);
  await writeFile(fileURLToPath(uri), 'edited since');
  await assert.rejects(publish(place, 'renders', 'fox', nodeDisk, claim), is('cutFile'));
  await place.spool.remove('a1');
  await place.spool.receive('a1', Readable.from([png()]), { maxBytes: 1e9 });
  const second = await publish(place, 'renders', 'fox', nodeDisk, claim);
  assert.deepEqual(await readFile(fileURLToPath(second.uri)), png());
  assert.equal(await readFile(fileURLToPath(uri), 'utf8'), 'edited since');
});

test('the file survives a power loss: bytes before the name, the name before the response', async (t) => {
  const stepsOf = async (watched: (before: (operation: string) => void) => Disk, isThere = false) => {
    const steps: string[] = [];
    const disk = watched((operation) => void steps.push(operation));
    const place = await placeOf(t);
    if (isThere) await mkdir(join(place.home, 'renders'));
    await publish(place, 'renders', 'fox', disk);
    return steps;
  };
  // The spool's bytes are on disk before any of them are published.
  assert.deepEqual(await stepsOf(watchedDisk), [
    ...['mkdir', 'syncFolder'],
    ...['link', 'chmod', 'link', 'syncFolder', 'unlink'],
  ]);
  assert.deepEqual(await stepsOf(anotherDisk), [
    ...['mkdir', 'syncFolder', 'link'],
    ...['create', 'write', 'sync', 'link', 'syncFolder', 'unlink'],
  ]);
  // A window that created the folder may have ended before it was on disk.
  assert.deepEqual((await stepsOf(watchedDisk, true)).slice(0, 2), ['mkdir', 'syncFolder']);
});

test('a folder on disk in another Unicode form gets the result, and no look-alike is created', async (t) => {
  const place = await placeOf(t);
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
  await mkdir(join(place.home, decomposed, 'ü'), { recursive: true });
  for (const folder of [decomposed, composed]) {
    const { uri } = await publish(place, `${folder}/u\u0308`, 'fox');
    assert.equal(dirname(fileURLToPath(uri)), join(place.home, decomposed, 'ü'));
  }
  assert.deepEqual(await readdir(place.home), [decomposed]);
  assert.deepEqual((await readdir(join(place.home, decomposed, 'ü'))).sort(), ['fox-2.png', 'fox.png']);
});

test('a folder that doesn’t exist yet is created in composed form, and of two existing ones exactly the named one is used', async (t) => {
  const place = await placeOf(t);
  await publish(place, 'cafe\u0301', 'fox');
  assert.deepEqual(await readdir(place.home), ['caf\u00e9']);
  if (process.platform !== 'linux') return;
  await mkdir(join(place.home, 'cafe\u0301'));
  const { uri } = await publish(place, 'cafe\u0301', 'hen');
  assert.equal(fileURLToPath(uri), join(place.home, 'cafe\u0301/hen.png'));
});
