import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import { silentLog } from '../../../src/base/log';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk } from '../../../src/files/disk';
import { localReplacing, localSink } from '../../../src/files/localSink';
import { Spool } from '../../../src/files/spool';
import { Downloader } from '../../../src/renders/downloader';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import { Staging } from '../../../src/renders/staging';
import { LeaseLost } from '../../../src/renders/windowLease';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const image = (shade: number) =>
  Buffer.from(encode({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(shade) }));
const [old, made] = [image(10), image(200)];

/** A render that is to replace a project's `hero.png`, or has no folder, finished and delivered. */
async function staged(t: TestContext, { hasTrash = true, sidecars = false, losesHold = false, hasFolder = true } = {}) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const project = join(folder, 'project');
  mkdirSync(project);
  const hero = join(project, 'hero.png');
  writeFileSync(hero, old);
  const uri = pathToFileURL(hero).href;
  const window = await openWindow(t, folder, service, clock);
  const { ledger, lease } = window;
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const random = { uuid: () => crypto.randomUUID(), unit: () => 0.5 };
  const settings = { provenance: () => 'sidecar' as const, provenancePrompt: () => true };
  const embedder = sidecars ? new MetadataEmbedder(spool, settings, 'Model Catalog 1.2.3', silentLog) : undefined;
  const root = pathToFileURL(folder).href;
  const connection = () => window.connected;
  const sink = localSink(nodeDisk, spool, random);
  const downloader = new Downloader(
    ledger,
    connection,
    lease,
    spool,
    () => sink,
    calendar('UTC'),
    clock,
    random,
    silentLog,
    embedder,
    root,
  );
  const trashed: string[] = [];
  const places = {
    replacing: (file: string, below: string) => localReplacing(nodeDisk, below, file),
    trash: (file: string) => {
      if (!hasTrash) return Promise.resolve(!existsSync(fileURLToPath(file)));
      if (existsSync(fileURLToPath(file))) trashed.push(readFileSync(fileURLToPath(file), 'utf8').slice(0, 1000));
      rmSync(fileURLToPath(file), { force: true });
      return Promise.resolve(true);
    },
  };
  const lost = (): never => {
    throw new LeaseLost('delivery');
  };
  const hold = { signal: new AbortController().signal, prove: lost };
  const turns: Pick<Downloader, 'alone' | 'copy' | 'forget' | 'saveAs'> = losesHold
    ? { alone: (_key, work) => work(hold), saveAs: lost, copy: lost, forget: lost }
    : downloader;
  const staging = new Staging(root, ledger, turns, spool, places, clock, random, silentLog);
  const replaces = { uri, sha256: createHash('sha256').update(old).digest('hex') };
  const target = hasFolder
    ? { root: pathToFileURL(project).href, folder: '', fileName: 'hero', replaces }
    : { folder: '', fileName: 'hero' };
  const { key } = await ordered(window, order({ target }));
  service.succeed('g1', made);
  await window.poller.pollNow();
  await downloader.deliver(key);
  const record = () => ledger.get(key)!;
  const waiting = () => readdirSync(join(folder, 'staged'));
  /** A user looks at the file and accepts. */
  const accept = async (of: string) => staging.accept(of, await staging.look(ledger.get(of)!));
  const seen = { record, waiting, trashed, service, window };
  return { accept, staging, downloader, ledger, key, folder, hero, project, uri, ...seen };
}

test('a result that is to replace a file is staged, and the file stays unchanged', async (t) => {
  const { record, hero, waiting, staging } = await staged(t);
  assert.deepEqual([record().state, record().staged], ['saved', true]);
  assert.deepEqual(waiting(), ['hero.png']);
  assert.deepEqual(readFileSync(hero), old);
  assert.equal((await staging.look(record())).isChanged, false);
  writeFileSync(hero, 'edited');
  assert.equal((await staging.look(record())).isChanged, true);
});

test('once accepted, it replaces the file, the earlier one is in the trash, and the ledger states that', async (t) => {
  const { accept, record, key, hero, project, waiting, trashed, uri } = await staged(t);
  assert.deepEqual(await accept(key), { file: uri, kept: undefined });
  assert.deepEqual(readFileSync(hero), made);
  assert.deepEqual(readdirSync(project), ['hero.png']);
  assert.deepEqual(trashed, [old.toString()]);
  assert.deepEqual(waiting(), []);
  assert.deepEqual([record().file, record().staged], [uri, undefined]);
  assert.equal(await accept(key), undefined, 'decided once');
});

test('without a trash, the earlier file is kept next to it, and its render knows the new path', async (t) => {
  const { accept, key, hero, project, ledger, record, downloader, service, window } = await staged(t, {
    hasTrash: false,
  });
  await accept(key);
  assert.deepEqual(readdirSync(project).sort(), ['hero.earlier.png', 'hero.png']);
  const again = await ordered(
    window,
    order({ target: { ...record().target, replaces: { uri: pathToFileURL(hero).href, sha256: '' } } }),
  );
  service.succeed('g2', image(90));
  await window.poller.pollNow();
  await downloader.deliver(again.key);
  const accepted = await accept(again.key);
  assert.ok(accepted?.kept?.endsWith('/hero.earlier-2.png'), accepted?.kept);
  assert.equal(ledger.get(key)?.file, accepted?.kept);
  assert.deepEqual(readFileSync(fileURLToPath(accepted!.kept!)), made);
});

test('accepting again after an interruption has the same result', async (t) => {
  const { accept, record, key, hero, waiting, uri } = await staged(t);
  writeFileSync(hero, made);
  rmSync(fileURLToPath(record().file!));
  assert.equal((await accept(key))?.file, uri);
  assert.deepEqual([record().file, record().staged, waiting()], [uri, undefined, []]);
});

const url = (path: string) => pathToFileURL(path).href;

test('an image renamed before the decision is followed: once accepted, the new one has its new name', async (t) => {
  const { accept, staging, ledger, record, key, hero, project, waiting } = await staged(t);
  const heard: (string | undefined)[] = [];
  ledger.onDidChange(({ now: { target } }) => heard.push(target.replaces?.uri));
  const banner = join(project, 'banner.png');
  renameSync(hero, banner);
  await staging.renamed([{ from: url(join(project, 'other.png')), to: url(join(project, 'x.png')) }], []);
  assert.equal((await staging.look(record())).isChanged, true);
  await staging.renamed([{ from: url(hero), to: url(banner) }], []);
  assert.equal((await staging.look(record())).isChanged, false);
  assert.deepEqual(heard, [url(banner)]);
  assert.equal((await accept(key))?.file, url(banner));
  assert.deepEqual(readdirSync(project), ['banner.png']);
  assert.deepEqual(readFileSync(banner), made);
  assert.deepEqual(waiting(), []);
});

test('the same if its folder is renamed repeatedly; with both kept, the new one is next to it', async (t) => {
  const { staging, record, key, hero, project, ledger } = await staged(t);
  mkdirSync(join(project, 'a b'));
  renameSync(hero, join(project, 'a b', 'hero.png'));
  await staging.renamed([{ from: url(hero), to: url(join(project, 'a b', 'hero.png')) }], []);
  renameSync(join(project, 'a b'), join(project, 'c'));
  await staging.renamed([{ from: url(join(project, 'a b')), to: url(join(project, 'c')) }], []);
  assert.equal(record().target.replaces?.uri, url(join(project, 'c', 'hero.png')));
  assert.equal((await staging.look(record())).isChanged, false);
  await staging.keepBoth(key);
  assert.deepEqual(readdirSync(join(project, 'c')).sort(), ['hero-2.png', 'hero.png']);
  assert.deepEqual(readdirSync(project), ['c']);
  assert.equal(ledger.get(key)?.file, url(join(project, 'c', 'hero-2.png')));
});

test('an image that is moved out of all open folders isn’t followed', async (t) => {
  const { staging, record, hero, project } = await staged(t);
  const outside = join(project, '..', 'hero.png');
  renameSync(hero, outside);
  await staging.renamed([{ from: url(hero), to: url(outside) }], [url(project)]);
  assert.equal(record().target.replaces?.uri, url(hero));
  await staging.renamed([{ from: url(hero), to: url(outside) }], [url(join(project, '..'))]);
  assert.deepEqual([record().target.root, record().target.folder], [url(join(project, '..')), '']);
});

test('a missing staged result is reported, and the file is kept', async (t) => {
  const { accept, record, key, hero } = await staged(t);
  rmSync(fileURLToPath(record().file!));
  await assert.rejects(accept(key), { problem: { code: 'noContent' } });
  assert.deepEqual(readFileSync(hero), old);
});

test('keeping both saves it next to the file without downloading it again', async (t) => {
  const { staging, record, key, hero, project, waiting, service } = await staged(t);
  service.contents.clear();
  const saved = await staging.keepBoth(key);
  assert.ok(saved?.file?.endsWith('/hero-2.png'));
  assert.deepEqual(readdirSync(project).sort(), ['hero-2.png', 'hero.png']);
  assert.deepEqual(readFileSync(join(project, 'hero-2.png')), made);
  assert.deepEqual(readFileSync(hero), old);
  assert.deepEqual([record().staged, waiting()], [undefined, []]);
});

test('when discarded, it is removed here, and when downloaded again, it waits for review again', async (t) => {
  const { staging, downloader, record, key, hero, waiting } = await staged(t);
  await staging.discard(key);
  assert.deepEqual([record().state, record().file, record().staged, waiting()], ['saved', undefined, undefined, []]);
  await downloader.downloadAgain(key);
  assert.deepEqual([record().staged, waiting()], [true, ['hero.png']]);
  assert.deepEqual(readFileSync(hero), old);
});

test('accepted and deleted since, it’s downloaded under its own name', async (t) => {
  const { accept, downloader, record, key, hero, uri } = await staged(t);
  await accept(key);
  rmSync(hero);
  await downloader.downloadAgain(key);
  assert.deepEqual([record().file, record().staged], [uri, undefined]);
});

test('sidecar files come and go with their images', async (t) => {
  const { accept, key, hero, project, trashed } = await staged(t, { sidecars: true });
  writeFileSync(`${hero}.render.json`, 'of the old one');
  await accept(key);
  assert.deepEqual(readdirSync(project).sort(), ['hero.png', 'hero.png.render.json']);
  assert.match(readFileSync(`${hero}.render.json`, 'utf8'), /"modelCatalogRender"/);
  assert.deepEqual(trashed, [old.toString(), 'of the old one']);
});

test('a copy for viewing doesn’t change the record', async (t) => {
  const { accept, downloader, record, key } = await staged(t);
  await accept(key);
  const before = record();
  const copy = await downloader.copy(key);
  assert.deepEqual(readFileSync(fileURLToPath(copy!.uri)), made);
  assert.deepEqual(record(), before);
});

for (const [what, bytes] of [
  ['is empty', Buffer.alloc(0)],
  ['is cut short', made.subarray(0, 20)],
  ['holds other bytes', Buffer.from(made).fill(0, 30)],
] as const)
  test(`a staged result that ${what} replaces nothing, and is reported`, async (t) => {
    const { accept, record, key, hero, project, trashed } = await staged(t);
    writeFileSync(fileURLToPath(record().file!), bytes);
    await assert.rejects(accept(key), { problem: { code: 'cutFile' } });
    assert.deepEqual(readFileSync(hero), old);
    assert.deepEqual([readdirSync(project), trashed, record().staged], [['hero.png'], [], true]);
  });

test('a file saved by another program after the confirmation isn’t replaced', async (t) => {
  const { staging, record, key, hero, project, trashed } = await staged(t);
  const agreed = await staging.look(record());
  writeFileSync(hero, 'edited');
  await assert.rejects(staging.accept(key, agreed), { code: 'changed' });
  assert.equal(readFileSync(hero, 'utf8'), 'edited');
  assert.deepEqual([readdirSync(project), trashed, record().staged], [['hero.png'], [], true]);
});

test('a read-only file is asked about, and is read-only afterward', async (t) => {
  const { staging, record, key, hero } = await staged(t);
  chmodSync(hero, 0o440);
  const look = await staging.look(record());
  assert.deepEqual([look.isReadOnly, look.isChanged], [true, false]);
  await assert.rejects(staging.accept(key, { ...look, isReadOnly: false }), { code: 'readOnly' });
  await staging.accept(key, look);
  assert.deepEqual(readFileSync(hero), made);
  assert.equal(statSync(hero).mode & 0o777, 0o440);
});

for (const decision of ['accept', 'discard'] as const)
  test(`a window that lost its hold on the way does not ${decision}`, async (t) => {
    const { staging, record, key, hero, ledger, waiting } = await staged(t, { losesHold: true });
    const agreed = await staging.look(record());
    const lost = decision === 'accept' ? staging.accept(key, agreed) : staging.discard(key);
    await assert.rejects(lost, LeaseLost);
    assert.deepEqual(readFileSync(hero), old);
    assert.deepEqual([ledger.get(key)?.staged, waiting()], [true, ['hero.png']]);
  });

test('saved over a file that the user agreed to replace, it has that name, and the earlier one is in the trash', async (t) => {
  const { staging, record, key, project, trashed } = await staged(t);
  const other = join(project, 'other.png');
  writeFileSync(other, 'other');
  const uri = pathToFileURL(other).href;
  assert.deepEqual(await staging.saveOver(key, uri, pathToFileURL(project).href), { file: uri, kept: undefined });
  assert.deepEqual(readFileSync(other), made);
  assert.deepEqual([trashed, readdirSync(project).sort()], [['other'], ['hero.png', 'other.png']]);
  assert.deepEqual([record().file, record().state, record().staged], [uri, 'saved', undefined]);
});

test('a paid result that can’t replace the file it is to be saved over is kept, without the service', async (t) => {
  const { staging, downloader, record, key, hero, project, service, folder, uri } = await staged(t, {
    hasFolder: false,
  });
  assert.deepEqual([record().state, record().problem?.code], ['succeeded', 'noFolder']);
  service.contents.clear();
  chmodSync(hero, 0o440);
  const root = pathToFileURL(project).href;
  await assert.rejects(staging.saveOver(key, uri, root), { code: 'readOnly' });
  assert.deepEqual([readFileSync(hero), readdirSync(join(folder, 'compared'))], [old, []]);
  chmodSync(hero, 0o640);
  assert.deepEqual(await staging.saveOver(key, uri, root), { file: uri, kept: undefined });
  assert.deepEqual([readFileSync(hero), record().state], [made, 'saved']);
  assert.deepEqual(readdirSync(join(folder, 'spool')), []);
  await assert.rejects(downloader.downloadAgain(key));
});

test('a result in another format than the file it is to be saved over is saved beside it', async (t) => {
  const { staging, record, key, project, trashed } = await staged(t, { hasFolder: false });
  const photo = join(project, 'photo.webp');
  writeFileSync(photo, 'a photo');
  const root = pathToFileURL(project).href;
  const { file } = (await staging.saveOver(key, pathToFileURL(photo).href, root))!;
  assert.deepEqual([file, record().file], [`${root}/photo.png`, `${root}/photo.png`]);
  assert.deepEqual(readFileSync(join(project, 'photo.png')), made);
  assert.deepEqual([readFileSync(photo, 'utf8'), trashed], ['a photo', []]);
});

test('a result that can’t be downloaded replaces nothing', async (t) => {
  const { staging, downloader, key, hero, project, service, uri } = await staged(t);
  await staging.discard(key);
  service.contents.clear();
  await assert.rejects(staging.saveOver(key, uri, pathToFileURL(project).href));
  assert.deepEqual([readFileSync(hero), readdirSync(project)], [old, ['hero.png']]);
  await assert.rejects(downloader.downloadAgain(key));
});
