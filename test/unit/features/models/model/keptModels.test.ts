import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { systemRandom } from '../../../../../src/base/clock';
import { silentLog } from '../../../../../src/base/log';
import { ServiceError } from '../../../../../src/catalog/errors';
import type { Listing, Model, ModelSummary } from '../../../../../src/catalog/fields';
import { nodeDisk, type Disk } from '../../../../../src/files/disk';
import { KeptModels, UsedModels } from '../../../../../src/features/models/model/keptModels';

const owner = { place: 'https://models.example/a', account: 'first' };

function listing(title: string): Listing<ModelSummary> {
  const model: ModelSummary = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title, kind: 'image' };
  return { items: [model], incomplete: true, unreadable: 2 };
}

async function folderFor(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kept-'));
  test.after(() => rm(folder, { recursive: true }));
  return join(folder, 'models');
}

test('a list is restored complete, with its time', async (test) => {
  const kept = new KeptModels(await folderFor(test), nodeDisk, systemRandom);
  assert.equal(await kept.read(owner), undefined);
  await kept.write(owner, listing('One'), 1);
  await kept.write(owner, listing('Two'), 2);
  const found = await kept.read(owner);
  assert.deepEqual([found?.listing, found?.at], [listing('Two'), 2]);
});

test('a list belongs to its service and account', async (test) => {
  const kept = new KeptModels(await folderFor(test), nodeDisk, systemRandom);
  await kept.write(owner, listing('One'), 1);
  assert.equal(await kept.read({ ...owner, place: 'https://models.example/b' }), undefined);
  assert.equal(await kept.read({ ...owner, account: 'second' }), undefined);
});

test('a list isn’t shown in another language than it was requested in', async (test) => {
  const kept = new KeptModels(await folderFor(test), nodeDisk, systemRandom);
  await kept.write({ ...owner, language: 'en' }, listing('One'), 1);
  assert.equal(await kept.read({ ...owner, language: 'de' }), undefined);
  await kept.write({ ...owner, language: 'de' }, listing('Eins'), 2);
  assert.deepEqual((await kept.read({ ...owner, language: 'de' }))?.listing, listing('Eins'));
});

test('a failed write leaves the earlier list, and no other file', async (test) => {
  const folder = await folderFor(test);
  await new KeptModels(folder, nodeDisk, systemRandom).write(owner, listing('One'), 1);
  const full: Disk = { ...nodeDisk, rename: () => Promise.reject(new Error('no space')) };
  await assert.rejects(new KeptModels(folder, full, systemRandom).write(owner, listing('Two'), 2));
  assert.equal((await readdir(folder)).length, 1);
  const found = await new KeptModels(folder, nodeDisk, systemRandom).read(owner);
  assert.equal(found?.listing.items[0]?.title, 'One');
});

test('a damaged file isn’t a list', async (test) => {
  const folder = await folderFor(test);
  const kept = new KeptModels(folder, nodeDisk, systemRandom);
  await kept.write(owner, listing('One'), 1);
  const [name] = await readdir(folder);
  const path = join(folder, name!);
  const whole = await readFile(path, 'utf8');
  for (const text of [whole.slice(0, whole.length / 2), '{}', '']) {
    await writeFile(path, text);
    assert.equal(await kept.read(owner), undefined);
  }
});

test('a model is restored with its fields, for its own account, language, and version of the extension', async (test) => {
  const kept = new KeptModels(await folderFor(test), nodeDisk, systemRandom);
  const field = { name: 'prompt', label: 'Prompt', kind: 'text', statedType: 'text', required: true } as const;
  const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', fields: [field] };
  await kept.write(owner, listing('One'), 1);
  await kept.writeModel(owner, '1.0', model);
  assert.deepEqual(await kept.readModel(owner, '1.0', 'a/b/c'), model);
  assert.equal((await kept.read(owner))?.listing.items[0]?.title, 'One', 'the list is another file');
  for (const [other, version, id] of [
    [{ ...owner, account: 'second' }, '1.0', 'a/b/c'],
    [{ ...owner, language: 'de' }, '1.0', 'a/b/c'],
    [owner, '1.1', 'a/b/c'],
    [owner, '1.0', 'a/b/d'],
  ] as const)
    assert.equal(await kept.readModel(other, version, id), undefined);
});

test('what was kept of a model is used only when the service is away, and no disk that fails is in the way', async (test) => {
  const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', fields: [] };
  const session = {
    state: { status: 'offline', place: { base: owner.place, sandbox: false } },
    client: { account: 'first', language: 'en' },
    models: () => Promise.reject(new Error('unused')),
    modelsAt: undefined,
  } as const;
  const folder = await folderFor(test);
  const used = new UsedModels(new KeptModels(folder, nodeDisk, systemRandom), session, '1.0', silentLog);
  const away = new ServiceError('noAnswer', 'offline');
  assert.equal(await used.instead('a/b/c', away), undefined);
  await used.keep(model);
  assert.deepEqual(await used.instead('a/b/c', away), model);
  assert.equal(await used.instead('a/b/c', new ServiceError('status', 'no such model', { status: 404 })), undefined);
  const broken: Disk = { ...nodeDisk, ownFolder: () => Promise.reject(new Error('read-only')) };
  await new UsedModels(new KeptModels(folder, broken, systemRandom), session, '1.0', silentLog).keep(model);
});
