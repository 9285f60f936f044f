import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { systemRandom } from '../../../src/base/clock';
import { nodeDisk } from '../../../src/files/disk';
import { readSalt } from '../../../src/files/salt';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'salt-'))));
afterEach(() => rm(folder, { recursive: true }));

test('the salt is created once and stays', async () => {
  const below = join(folder, 'not', 'there', 'yet');
  const salt = await readSalt(below, nodeDisk, systemRandom);
  assert.match(salt, /^[0-9a-f-]{36}$/);
  assert.equal(await readSalt(below, nodeDisk, systemRandom), salt);
  assert.deepEqual(await readdir(below), ['salt']);
});

test('windows that start at the same time agree on one salt', async () => {
  const salts = await Promise.all(Array.from({ length: 20 }, () => readSalt(folder, nodeDisk, systemRandom)));
  assert.equal(new Set(salts).size, 1);
  assert.deepEqual(await readdir(folder), ['salt']);
});

test('a damaged salt is replaced', async () => {
  await writeFile(join(folder, 'salt'), '');
  const salt = await readSalt(folder, nodeDisk, systemRandom);
  assert.equal(await readSalt(folder, nodeDisk, systemRandom), salt);
  assert.deepEqual(await readdir(folder), ['salt']);
});

test('a salt is kept on a disk without hard links too', async () => {
  const disk = { ...nodeDisk, link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })) };
  const salt = await readSalt(folder, disk, systemRandom);
  assert.equal(await readSalt(folder, disk, systemRandom), salt);
});

test('a salt that can’t be read is an error, not a reason for a new one', async () => {
  const denied = () => {
    throw Object.assign(new Error('denied'), { code: 'EACCES' });
  };
  await assert.rejects(readSalt(folder, { ...nodeDisk, read: denied }, systemRandom), { code: 'EACCES' });
  assert.deepEqual(await readdir(folder), []);
});
