import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { nodeDisk } from '../../../src/files/disk';
import { throughLinks } from '../../../src/files/folder';
import { temporaryFolder } from './disks';

/** A folder with `site/docs`, `link` to `site`, and `work` to `site/docs`. */
async function linkedFolders(t: TestContext): Promise<(...names: string[]) => string> {
  const folder = await temporaryFolder(t);
  const at = (...names: string[]) => join(folder, ...names);
  mkdirSync(at('site', 'docs'), { recursive: true });
  symlinkSync(at('site'), at('link'));
  symlinkSync(at('site', 'docs'), at('work'));
  return at;
}

test('a path is spelled from the folder that it leads into, also where nothing is there yet', async (t) => {
  const at = await linkedFolders(t);
  const spelled = (path: string, ...folders: string[]) => throughLinks(nodeDisk, path, folders);
  assert.equal(await spelled(at('site', 'docs'), at('link')), at('link', 'docs'));
  assert.equal(await spelled(at('site', 'docs', 'new', 'a.png'), at('link')), at('link', 'docs', 'new', 'a.png'));
  assert.equal(await spelled(at('work', 'a.png'), at('site')), at('site', 'docs', 'a.png'));
  assert.equal(await spelled(at('work'), at('work')), at('work'));
});

test('a path in two folders is spelled from the innermost, and one in none isn’t spelled', async (t) => {
  const at = await linkedFolders(t);
  const file = at('site', 'docs', 'a.png');
  assert.equal(await throughLinks(nodeDisk, file, [at('link'), at('work')]), at('work', 'a.png'));
  for (const path of [at('sites', 'a.png'), `${at('site')}/../a.png`, at('a.png')])
    assert.equal(await throughLinks(nodeDisk, path, [at('link'), at('gone')]), undefined);
});
