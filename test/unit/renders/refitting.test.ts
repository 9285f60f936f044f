import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { embeddedMetadataIn } from '../../../src/files/embeddedMetadata';
import { localReplacing, localSink } from '../../../src/files/localSink';
import { displayedSize } from '../../../src/files/imageSize';
import { sidecarEnding, fileMetadataOf } from '../../../src/files/provenance';
import { sniff } from '../../../src/files/sniff';
import { Spool } from '../../../src/files/spool';
import type { FileFit } from '../../../src/files/fit/fit';
import { Fitter } from '../../../src/files/fit/fitter';
import { Downloader } from '../../../src/renders/downloader';
import { Fitting } from '../../../src/renders/fitting';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import type { Target } from '../../../src/renders/record';
import { NotFitted, Results } from '../../../src/renders/results';
import { Thumbnails } from '../../../src/renders/thumbnails';
import { Staging } from '../../../src/renders/staging';
import { root } from '../../editor/root';
import { TestClock } from '../clock';
import { systemError, watchedDisk } from '../files/disks';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const size = 64;
const pixels = Uint8Array.from({ length: size * size * 3 }, (_, at) => (at * 7) % 251);
const png = Buffer.from(encode({ width: size, height: size, channels: 3, data: pixels }));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Given {
  /** Of the first order; undefined to save the image as it comes. */
  readonly fit?: FileFit;
  readonly ending?: string;
  readonly result?: Buffer;
  readonly provenance?: 'embed' | 'sidecar';
  readonly disk?: Disk;
}

/** A delivered render for `hero.<ending>`, in a project with a trash. */
async function delivered(t: TestContext, given: Given) {
  const { fit, ending = 'png', result = png, provenance = 'embed', disk = nodeDisk } = given;
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const project = join(folder, 'project');
  mkdirSync(project);
  const window = await openWindow(t, folder, service, clock);
  const { ledger, lease, poller } = window;
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const fitter = new Fitter(join(root, 'dist', 'fit.mjs'), systemClock);
  const fitting = new Fitting(spool, new Spool(join(folder, 'originals'), disk), fitter, silentLog);
  const settings = { provenance: () => provenance, provenancePrompt: () => true };
  const embedder = new MetadataEmbedder(spool, settings, 'Model Catalog 1.2.3', silentLog, undefined, fitting);
  const saving = [spool, () => localSink(disk, spool, systemRandom), calendar('UTC'), clock] as const;
  const connection = () => window.connected;
  const home = pathToFileURL(folder).href;
  const downloader = new Downloader(ledger, connection, lease, ...saving, systemRandom, silentLog, embedder, home);
  const trashed: Buffer[] = [];
  const places = {
    replacing: (file: string, below: string) => localReplacing(nodeDisk, below, file),
    trash: (file: string) => {
      if (existsSync(fileURLToPath(file))) trashed.push(readFileSync(fileURLToPath(file)));
      rmSync(fileURLToPath(file), { force: true });
      return Promise.resolve(true);
    },
  };
  const staging = new Staging(home, ledger, downloader, spool, places, clock, systemRandom, silentLog);
  const thumbnails = new Thumbnails(join(folder, 'thumbnails'), nodeDisk, fitter, systemClock, silentLog);
  const stores = { downloader, staging, originals: fitting, thumbnails };
  const results = new Results(ledger, window.library, clock, stores, spool, embedder);
  const target: Target = { root: pathToFileURL(project).href, folder: '', fileName: 'hero', ending, fit };
  const { key } = await ordered(window, order({ target }));
  service.succeed('g1', result);
  await poller.pollNow();
  await downloader.deliver(key);
  // From now on, nothing needs the service.
  window.connected = undefined;
  const path = (name: string) => join(project, name);

  async function look(name: string) {
    const bytes = readFileSync(path(name));
    const beside = existsSync(path(name + sidecarEnding))
      ? readFileSync(path(name + sidecarEnding), 'utf8')
      : undefined;
    return fileMetadataOf({ whole: { bytes, sha256: sha256(bytes) }, beside }, systemClock);
  }

  /** Fits a file again, and accepts the result. */
  async function fitAgain(name: string, to: FileFit | undefined, changes: Partial<Target> = {}): Promise<void> {
    const bytes = readFileSync(path(name));
    const record = await results.renderOf((await look(name))!);
    assert.ok(record, `${name} can be fitted`);
    const replaces = { uri: pathToFileURL(path(name)).href, sha256: sha256(bytes) };
    const { root: place } = target;
    await results.fitAgain(key, { root: place, folder: '', fileName: 'hero', fit: to, replaces, ...changes }, bytes);
    if (ledger.get(key)?.staged) await staging.accept(key, { ...replaces, isReadOnly: false });
  }

  const record = () => ledger.get(key)!;
  return { folder, path, project, window, service, ledger, results, fitAgain, look, key, trashed, record };
}

const cover = (width: number, height: number, format: FileFit['format'] = 'png'): FileFit => ({
  width,
  height,
  mode: 'cover',
  format,
});

test('a fitted image is fitted again from its original without the service, and both hashes are recorded', async (t) => {
  const { path, project, fitAgain, look, trashed, record, service, ledger, key } = await delivered(t, {
    fit: cover(16, 8),
  });
  const before = readFileSync(path('hero.png'));
  await fitAgain('hero.png', cover(48, 32));
  const after = readFileSync(path('hero.png'));
  // Enlarged from the small one, it would have lost its details.
  assert.deepEqual(displayedSize(after), { width: 48, height: 32 });
  assert.deepEqual(readdirSync(project), ['hero.png']);
  assert.deepEqual(trashed, [before]);
  const told = await look('hero.png');
  assert.deepEqual([told?.change, told?.record.provenance.fit], ['none', { width: 48, height: 32, mode: 'cover' }]);
  assert.equal(told?.record.provenance.generationId, 'g1');
  const { spooled, state, staged, file, target } = record();
  assert.deepEqual([state, staged, file], ['saved', undefined, pathToFileURL(path('hero.png')).href]);
  assert.deepEqual([spooled?.sha256, spooled?.original?.sha256], [sha256(after), sha256(png)]);
  assert.deepEqual(target.fit, cover(48, 32));
  assert.deepEqual([service.charges.length, service.posts.length], [1, 1]);
  assert.equal(ledger.whereabouts(Number.MAX_SAFE_INTEGER, 10).length, 1);
  await fitAgain('hero.png', undefined);
  assert.deepEqual(displayedSize(readFileSync(path('hero.png'))), { width: size, height: size });
  await fitAgain('hero.png', cover(10, 10));
  assert.equal(ledger.get(key)?.spooled?.original?.sha256, sha256(png), 'the very original is still kept');
});

test('an image that was saved as it came is its own original, and is kept as such', async (t) => {
  const { path, fitAgain, look, record } = await delivered(t, {});
  const before = readFileSync(path('hero.png'));
  await fitAgain('hero.png', cover(20, 10));
  assert.deepEqual(displayedSize(readFileSync(path('hero.png'))), { width: 20, height: 10 });
  assert.equal(record().spooled?.original?.sha256, sha256(before));
  await fitAgain('hero.png', undefined);
  const { record: told, change, pictureSha256 } = (await look('hero.png'))!;
  assert.deepEqual([change, told.provenance.fit], ['none', undefined]);
  assert.equal(pictureSha256, (await embeddedMetadataIn(before, systemClock))?.pictureSha256);
});

for (const provenance of ['embed', 'sidecar'] as const)
  test(`an image that came in the requested size only gets that into its metadata (${provenance})`, async (t) => {
    const { path, fitAgain, look } = await delivered(t, { provenance });
    const before = (await look('hero.png'))!;
    await fitAgain('hero.png', cover(size, size));
    const { record: told, change, pictureSha256 } = (await look('hero.png'))!;
    assert.deepEqual([change, told.provenance.fit], ['none', { width: size, height: size, mode: 'cover' }]);
    assert.equal(pictureSha256, before.pictureSha256);
    assert.equal(existsSync(path(`hero.png${sidecarEnding}`)), provenance === 'sidecar');
  });

test('in another format, it’s a new file, and the earlier one stays', async (t) => {
  const { path, project, fitAgain, look, trashed, record } = await delivered(t, { fit: cover(16, 8) });
  await fitAgain('hero.png', cover(16, 8, 'webp'), { ending: 'webp', replaces: undefined });
  assert.deepEqual(readdirSync(project).sort(), ['hero.png', 'hero.webp']);
  assert.equal(sniff(readFileSync(path('hero.webp'))).mediaType, 'image/webp');
  assert.deepEqual((await look('hero.webp'))?.record.provenance.fit, { width: 16, height: 8, mode: 'cover' });
  assert.deepEqual(trashed, []);
  assert.equal(record().file, pathToFileURL(path('hero.webp')).href);
});

test('an image that a colleague has fitted meanwhile is fitted again from the original here', async (t) => {
  const [here, there] = [await delivered(t, { fit: cover(16, 8) }), await delivered(t, { fit: cover(30, 30) })];
  writeFileSync(here.path('hero.png'), readFileSync(there.path('hero.png')));
  await here.fitAgain('hero.png', cover(40, 20));
  assert.deepEqual(displayedSize(readFileSync(here.path('hero.png'))), { width: 40, height: 20 });
});

test('no file is offered that was edited, that this computer didn’t render, or whose original is gone', async (t) => {
  const { path, results, look, folder, key, ledger } = await delivered(t, { fit: cover(16, 8) });
  const told = (await look('hero.png'))!;
  assert.equal((await results.renderOf(told))?.key, key);
  const provenance = { ...told.record.provenance, generationId: 'g2' };
  assert.equal(await results.renderOf({ ...told, record: { ...told.record, provenance } }), undefined);
  const service = { ...told.record.provenance, service: 'https://other.example' };
  assert.equal(await results.renderOf({ ...told, record: { ...told.record, provenance: service } }), undefined);
  const bytes = readFileSync(path('hero.png'));
  const at = bytes.indexOf('IEND') - 12;
  writeFileSync(path('hero.png'), Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1));
  assert.equal((await look('hero.png'))?.change, 'changed');
  assert.equal(await results.renderOf((await look('hero.png'))!), undefined);
  writeFileSync(path('hero.png'), bytes);
  rmSync(join(folder, 'originals', key));
  assert.equal(await results.renderOf((await look('hero.png'))!), undefined);
  assert.equal(ledger.get(key)?.spooled?.original?.sha256, sha256(png));
});

test('as its own original, only the very image counts, in any size it was received in', async (t) => {
  const [here, there] = [await delivered(t, {}), await delivered(t, { result: Buffer.from(png).fill(3, 60, 61) })];
  assert.ok(await here.results.renderOf((await here.look('hero.png'))!));
  writeFileSync(here.path('hero.png'), readFileSync(there.path('hero.png')));
  assert.equal(await here.results.renderOf((await here.look('hero.png'))!), undefined);
});

test('what can’t be fitted leaves the file and the record as they were', async (t) => {
  const damaged = Buffer.from(png).fill(0x55, 41, 60);
  const { path, project, folder, fitAgain, record } = await delivered(t, { result: damaged });
  const [before, was] = [readFileSync(path('hero.png')), record()];
  await assert.rejects(fitAgain('hero.png', cover(20, 10)), NotFitted);
  assert.deepEqual([readdirSync(project), readFileSync(path('hero.png'))], [['hero.png'], before]);
  const { spooled, file, target, state, staged, claimed } = record();
  const { spooled: a, file: b, target: c, state: d, staged: e, claimed: f } = was;
  assert.deepEqual([spooled, file, target, state, staged, claimed], [a, b, c, d, e, f]);
  assert.deepEqual(readdirSync(join(folder, 'spool')), []);
});

test('a full disk leaves the file and the record as they were, and it can be tried again', async (t) => {
  let isFull = false;
  const disk = watchedDisk((operation, path) => {
    if (isFull && operation !== 'unlink' && path.includes('staged')) throw systemError('ENOSPC');
  });
  const { path, fitAgain, record, look, results } = await delivered(t, { fit: cover(16, 8), disk });
  const [before, was] = [readFileSync(path('hero.png')), record()];
  isFull = true;
  await assert.rejects(fitAgain('hero.png', cover(40, 40)));
  assert.deepEqual(readFileSync(path('hero.png')), before);
  assert.deepEqual([record().spooled, record().file, record().target], [was.spooled, was.file, was.target]);
  assert.ok(await results.renderOf((await look('hero.png'))!));
  isFull = false;
  await fitAgain('hero.png', cover(40, 40));
  assert.deepEqual(displayedSize(readFileSync(path('hero.png'))), { width: 40, height: 40 });
});

test('if the file changes at the last moment, it stays, and the new image waits for review', async (t) => {
  const { path, results, look, key, record, project } = await delivered(t, { fit: cover(16, 8) });
  const bytes = readFileSync(path('hero.png'));
  assert.ok(await results.renderOf((await look('hero.png'))!));
  const replaces = { uri: pathToFileURL(path('hero.png')).href, sha256: sha256(bytes) };
  const target = { root: pathToFileURL(project).href, folder: '', fileName: 'hero', fit: cover(30, 30), replaces };
  await results.fitAgain(key, target, bytes);
  appendFileSync(path('hero.png'), 'changed');
  assert.deepEqual([record().staged, record().target.replaces], [true, replaces]);
  assert.ok(readFileSync(path('hero.png')).toString('latin1').endsWith('changed'));
  assert.deepEqual(displayedSize(readFileSync(fileURLToPath(record().file!))), { width: 30, height: 30 });
});
