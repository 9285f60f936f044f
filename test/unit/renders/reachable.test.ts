import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { systemRandom } from '../../../src/base/clock';
import { nodeDisk } from '../../../src/files/disk';
import { localReplacing, localSink } from '../../../src/files/localSink';
import { Spool } from '../../../src/files/spool';
import { proveReachable } from '../../../src/renders/staging';
import { temporaryFolder } from '../files/disks';

async function project(t: TestContext) {
  const folder = await temporaryFolder(t);
  const home = join(folder, 'project');
  const outside = join(folder, 'outside');
  for (const made of [home, outside, join(home, 'assets')]) mkdirSync(made);
  for (const image of [join(outside, 'hero.png'), join(home, 'assets/hero.png')]) writeFileSync(image, 'theirs');
  const sink = localSink(nodeDisk, new Spool(join(folder, 'spool'), nodeDisk), systemRandom);
  const places = { replacing: (file: string, root: string) => localReplacing(nodeDisk, root, file) };
  const prove = (below: string, replaced?: string) => {
    const replaces = replaced === undefined ? undefined : { uri: uriOf(join(home, below, replaced)), sha256: '' };
    return proveReachable({ root: uriOf(home), folder: below, fileName: 'hero', replaces }, () => sink, places);
  };
  return { home, outside, prove };
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

test('a folder with a link that leads out of the project is known to be unusable before a render is ordered for it', async (t) => {
  const { home, outside, prove } = await project(t);
  symlinkSync(outside, join(home, 'linked'));
  symlinkSync(join(outside, 'nothing'), join(home, 'dangling'));
  for (const folder of ['linked', 'linked/deeper', 'dangling'])
    await assert.rejects(prove(folder), { code: 'outsideFolder' }, folder);
  await assert.rejects(prove('linked', 'hero.png'), { code: 'outsideFolder' });
  assert.deepEqual(readdirSync(outside), ['hero.png']);
});

test('an image that is itself a link, and a folder that is a file, are known to be unusable too', async (t) => {
  const { home, outside, prove } = await project(t);
  symlinkSync(join(outside, 'hero.png'), join(home, 'assets/away.png'));
  symlinkSync('hero.png', join(home, 'assets/near.png'));
  for (const link of ['away.png', 'near.png'])
    await assert.rejects(prove('assets', link), { code: 'notWritable' }, link);
  await assert.rejects(prove('assets/hero.png'), { code: 'notWritable' });
});

test('existing folders, missing ones, and links that stay inside are reachable, and checking creates nothing', async (t) => {
  const { home, prove } = await project(t);
  symlinkSync(join(home, 'assets'), join(home, 'images'));
  await prove('');
  await prove('assets', 'hero.png');
  await prove('images', 'hero.png');
  await prove('renders/deeper');
  assert.equal(existsSync(join(home, 'renders')), false);
});
