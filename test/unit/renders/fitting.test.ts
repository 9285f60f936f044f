import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { embeddedMetadataIn } from '../../../src/files/embeddedMetadata';
import { localSink } from '../../../src/files/localSink';
import { displayedSize } from '../../../src/files/imageSize';
import { sniff } from '../../../src/files/sniff';
import { Spool } from '../../../src/files/spool';
import { Fitter } from '../../../src/files/fit/fitter';
import type { FileFit } from '../../../src/files/fit/fit';
import { Results } from '../../../src/renders/results';
import { Staging } from '../../../src/renders/staging';
import { Thumbnails } from '../../../src/renders/thumbnails';
import { Downloader } from '../../../src/renders/downloader';
import { Fitting } from '../../../src/renders/fitting';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import { root } from '../../editor/root';
import { TestClock } from '../clock';
import { systemError, watchedDisk } from '../files/disks';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const png = Buffer.from(encode({ width: 64, height: 64, channels: 3, data: new Uint8Array(64 * 64 * 3).fill(90) }));
const fit: FileFit = { width: 40, height: 21, mode: 'cover', format: 'webp' };

/** A render for `hero.webp` that the service has finished, delivered to its project folder. */
async function delivered(t: TestContext, result: Buffer = png, disk: Disk = nodeDisk) {
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
  const settings = { provenance: () => 'embed' as const, provenancePrompt: () => true };
  const embedder = new MetadataEmbedder(spool, settings, 'Model Catalog 1.2.3', silentLog, undefined, fitting);
  const saving = [spool, () => localSink(nodeDisk, spool, systemRandom), calendar('UTC'), clock] as const;
  const connection = () => window.connected;
  const downloader = new Downloader(ledger, connection, lease, ...saving, systemRandom, silentLog, embedder);
  const target = { root: pathToFileURL(project).href, folder: '', fileName: 'hero', ending: 'webp', fit };
  const { key } = await ordered(window, order({ target }));
  service.succeed('g1', result);
  await poller.pollNow();
  await downloader.deliver(key);
  const original = join(folder, 'originals', key);
  const places = { replacing: () => assert.fail('nothing is replaced'), trash: () => assert.fail('nothing goes') };
  const staging = new Staging('', ledger, downloader, spool, places, clock, systemRandom, silentLog);
  const thumbnails = new Thumbnails(join(folder, 'thumbnails'), nodeDisk, fitter, systemClock, silentLog);
  const stores = { downloader, staging, originals: fitting, thumbnails };
  const results = new Results(ledger, window.library, systemClock, stores, spool, embedder);
  return { folder, project, window, downloader, fitting, results, key, original, record: () => ledger.get(key)! };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('a result is fitted to the size and format of its target, and records it', async (t) => {
  const { project, record } = await delivered(t);
  assert.deepEqual(readdirSync(project), ['hero.webp']);
  const file = readFileSync(join(project, 'hero.webp'));
  assert.equal(sniff(file).mediaType, 'image/webp');
  assert.deepEqual(displayedSize(file), { width: 40, height: 21 });
  const told = await embeddedMetadataIn(file, systemClock);
  assert.ok(told?.isOfThis);
  assert.deepEqual(told.provenance.fit, { width: 40, height: 21, mode: 'cover' });
  const { state, spooled } = record();
  assert.equal(state, 'saved');
  assert.equal(spooled?.sha256, sha256(file), 'so the file is known to be rendered here');
  assert.equal(spooled.fitted, true);
});

test('what was received is kept as it came, readable only by this user, until the render is forgotten', async (t) => {
  const { window, fitting, results, key, original, record } = await delivered(t);
  const kept = record().spooled?.original;
  assert.deepEqual([kept?.sha256, kept?.mediaType], [sha256(png), 'image/png']);
  assert.deepEqual(await fitting.original(kept!), png);
  assert.equal(statSync(original).mode & 0o077, 0);
  await fitting.tidy((one) => window.ledger.get(one)?.forgotten === true);
  assert.ok(existsSync(original));
  assert.equal(await results.forget([key], async () => {}), 1);
  assert.ok(!existsSync(original));
});

test('downloaded again, it’s the same file', async (t) => {
  const { project, downloader, key, record } = await delivered(t);
  const before = record().spooled;
  await downloader.downloadAgain(key);
  assert.deepEqual(record().spooled, before);
  assert.deepEqual(readdirSync(project), ['hero.webp']);
});

test('a damaged image is saved as it came, and doesn’t claim to be fitted', async (t) => {
  const damaged = Buffer.from(png).fill(0x55, 41, 60);
  const { project, record, original } = await delivered(t, damaged);
  assert.deepEqual(readdirSync(project), ['hero.png']);
  const told = await embeddedMetadataIn(readFileSync(join(project, 'hero.png')), systemClock);
  assert.equal(told?.provenance.fit, undefined);
  assert.equal(record().spooled?.fitted, false);
  assert.ok(!existsSync(original));
});

test('if the original can’t be kept, the result is saved as it came', async (t) => {
  const disk = watchedDisk((operation, path) => {
    if (operation === 'write' && path.includes('originals')) throw systemError('ENOSPC');
  });
  const { project, record } = await delivered(t, png, disk);
  assert.deepEqual(readdirSync(project), ['hero.png']);
  assert.deepEqual([record().state, record().spooled?.fitted], ['saved', false]);
});
