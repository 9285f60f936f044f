import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import type { JsonObject } from '../../../src/base/json';
import { silentLog } from '../../../src/base/log';
import { ServiceError } from '../../../src/catalog/errors';
import type { ModelKind } from '../../../src/catalog/fields';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { embeddedMetadataIn } from '../../../src/files/embeddedMetadata';
import { localSink } from '../../../src/files/localSink';
import { readProvenance } from '../../../src/files/provenance';
import { inputsSha256 } from '../../../src/files/recordedImages';
import { Spool } from '../../../src/files/spool';
import { atAllPlaces, type Target } from '../../../src/renders/record';
import { Downloader } from '../../../src/renders/downloader';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import { LedgerError } from '../../../src/renders/ledgerError';
import { takePart } from '../../../src/renders/takePart';
import { mostPrivate, type ProvenancePlace } from '../../../src/renders/provenancePolicy';
import { settled, TestClock } from '../clock';
import { systemError, watchedDisk } from '../files/disks';
import { TestService, noResponse } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const hour = 3_600_000;
const png = encode({ width: 2, height: 2, channels: 3, data: new Uint8Array(12) });

/** How results should state how they were made. */
interface Telling {
  place: ProvenancePlace;
  prompt?: boolean;
  tool?: string;
  /** In the window that orders it, if it's another. */
  ordered?: { place: ProvenancePlace; prompt: boolean };
}

/** A render that the service has finished, the project folder it was ordered for, and a window that delivers it. */
async function finished(
  t: TestContext,
  target?: Partial<Target>,
  telling?: Telling,
  inputs?: JsonObject,
  disk: Disk = nodeDisk,
  makes?: ModelKind,
) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const project = join(folder, 'project');
  mkdirSync(project);
  const { ordered: there } = telling ?? {};
  const settingsThere = there && { provenance: () => there.place, provenancePrompt: () => there.prompt };
  const window = await openWindow(t, folder, service, clock, undefined, settingsThere);
  const spool = new Spool(join(folder, 'spool'), disk);
  const random = { uuid: () => crypto.randomUUID(), unit: () => 0.5 };
  const sink = localSink(disk, spool, random);
  const { ledger, lease } = window;
  const connection = () => atAllPlaces(window.connected, ledger);
  const settings = {
    provenance: (_: unknown, ordered?: ProvenancePlace) => mostPrivate([telling!.place, ordered]),
    provenancePrompt: () => telling!.prompt ?? true,
  };
  const embedder = telling && new MetadataEmbedder(spool, settings, telling.tool ?? 'Model Catalog 1.2.3', silentLog);
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
    undefined,
    () => Promise.resolve(makes),
  );
  const root = pathToFileURL(project).href;
  const change = { target: { root, folder: 'renders', fileName: '${slug}', ...target }, ...(inputs && { inputs }) };
  const { key } = await ordered(window, order(change));
  const finish = () => service.succeed('g1', png);
  const saved = () => readdirSync(join(project, 'renders'));
  return { clock, service, window, downloader, project, spool, key, finish, saved, folder };
}

/** The project folder itself. */
function folderOf({ project }: Awaited<ReturnType<typeof finished>>): Pick<Target, 'root' | 'folder'> {
  return { root: pathToFileURL(project).href, folder: '' };
}

/** Another window on the same ledger, with its own downloader; it may not reach the project. */
async function secondWindow(
  t: TestContext,
  { folder, service, clock }: Awaited<ReturnType<typeof finished>>,
  reachesProject = true,
  disk: Disk = nodeDisk,
) {
  const window = await openWindow(t, folder, service, clock);
  const spool = new Spool(join(folder, 'spool'), disk);
  const sink = localSink(disk, spool, systemRandom);
  const sinks = () => (reachesProject ? sink : undefined);
  const saving = [spool, sinks, calendar('UTC'), clock, systemRandom, silentLog] as const;
  const downloader = new Downloader(window.ledger, () => window.connected, window.lease, ...saving);
  takePart(window.library, window.lease, silentLog, () => downloader.wake());
  return [window, downloader] as const;
}

/** Polls once, and lets real files be written until the resulting delivery has ended. */
async function polled({ window, downloader, key }: Awaited<ReturnType<typeof finished>>): Promise<void> {
  await window.poller.pollNow();
  await downloader.deliver(key);
}

/** Advances time while files are written, until the work is done. */
async function whileTimePasses(clock: TestClock, work: Promise<void>): Promise<void> {
  let done = false;
  void work.finally(() => (done = true));
  while (!done) await clock.advance(100);
}

/** Advances time in steps of a second, in each of which files may be written, until it's so. */
async function until(clock: TestClock, isSo: () => boolean, mostMs = 2 * hour): Promise<void> {
  const end = clock.ticks() + mostMs;
  while (!isSo()) {
    assert.ok(clock.ticks() < end, `it isn’t so after ${mostMs} ms`);
    await passes(clock, 1000, 1000);
  }
}

/** Advances a lot of time in steps, in each of which files may be written. */
async function passes(clock: TestClock, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs);
    for (let turn = 0; turn < 10; turn++) await settled();
  }
}

test('a result becomes a complete file in its target folder, with its own extension', async (t) => {
  const world = await finished(t);
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
  assert.equal(world.window.ledger.get(world.key)?.state, 'saved');
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), []);
});

test('a file that a document names gets exactly that name if it has that format', async (t) => {
  const world = await finished(t, { fileName: 'hero--${slug}', ending: 'PNG' });
  world.finish();
  await polled(world);
  // Here the dollar sign and braces are the document's own characters, not a variable.
  assert.deepEqual(world.saved(), ['hero-slug.PNG']);
});

test('a file that a document names gets its true file extension if it has another format', async (t) => {
  const world = await finished(t, { fileName: 'hero--dark', ending: 'jpeg' });
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved(), ['hero--dark.png']);
  assert.match(world.window.ledger.get(world.key)?.file ?? '', /renders\/hero--dark\.png$/);
});

test('an existing file is never replaced', async (t) => {
  const world = await finished(t);
  mkdirSync(join(world.project, 'renders'));
  writeFileSync(join(world.project, 'renders', 'a-red-kite.png'), 'mine');
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved().sort(), ['a-red-kite-2.png', 'a-red-kite.png']);
  assert.equal(readFileSync(join(world.project, 'renders', 'a-red-kite.png'), 'utf8'), 'mine');
});

test('a download that is cut is tried again, and nothing incomplete is saved', async (t) => {
  const world = await finished(t);
  world.finish();
  let tries = 0;
  world.service.contents.set('g1', () => {
    tries++;
    const bytes = tries === 1 ? png.subarray(0, png.length - 8) : png;
    return { stream: Readable.from([bytes]), length: png.length };
  });
  await polled(world);
  await until(world.clock, () => world.window.ledger.get(world.key)?.state === 'saved');
  assert.equal(tries, 2);
  assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
});

test('an error that comes with 200 instead of an image isn’t saved, and the image is once it’s there', async (t) => {
  const world = await finished(t, { fileName: 'hero', ending: 'png' });
  world.finish();
  const file = world.service.contents.get('g1')!;
  const error = Buffer.from('{"error":{"code":"NOT_READY","message":"Being copied"}}');
  world.service.contents.set('g1', () => ({ stream: Readable.from([error]), length: error.length }));
  await polled(world);
  await until(world.clock, () => world.window.ledger.get(world.key)?.problem !== undefined);
  const { problem, state } = world.window.ledger.get(world.key)!;
  assert.deepEqual([state, problem?.code, problem?.detail], ['succeeded', 'notResult', error.toString()]);
  assert.deepEqual(readdirSync(world.project), []);
  await assert.rejects(
    world.downloader.saveAs(world.key, { ...folderOf(world), fileName: 'hero', ending: 'png' }),
    /notResult/,
  );
  world.service.contents.set('g1', file);
  await world.downloader.downloadAgain(world.key);
  assert.deepEqual(world.saved(), ['hero.png']);
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), []);
});

test('a text that an image model sends is saved where a user gives it the name of a text', async (t) => {
  const world = await finished(t, undefined, undefined, undefined, nodeDisk, 'image');
  world.finish();
  const text = Buffer.from('I can’t draw that.');
  world.service.contents.set('g1', () => ({ stream: Readable.from([text]), length: text.length }));
  await polled(world);
  await until(world.clock, () => world.window.ledger.get(world.key)?.problem?.code === 'notResult');
  await world.downloader.saveAs(world.key, { ...folderOf(world), fileName: 'why', ending: 'txt' });
  assert.equal(readFileSync(join(world.project, 'why.txt'), 'utf8'), text.toString());
});

test('a redirect is left with the host that it leads to, and tried again', async (t) => {
  const world = await finished(t);
  world.finish();
  const file = world.service.contents.get('g1')!;
  world.service.contents.set('g1', () => {
    throw new ServiceError('status', 'Status 302', { status: 302, leadsTo: 'files.example' });
  });
  await polled(world);
  await until(world.clock, () => world.window.ledger.get(world.key)?.problem !== undefined);
  const { problem } = world.window.ledger.get(world.key)!;
  assert.deepEqual(problem, { code: 'redirected', detail: 'files.example' });
  world.service.contents.set('g1', file);
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('an image without its end is saved, and the record says that it’s odd', async (t) => {
  const world = await finished(t);
  world.finish();
  const bytes = png.subarray(0, -12);
  world.service.contents.set('g1', () => ({ stream: Readable.from([bytes]), length: bytes.length }));
  await polled(world);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  assert.equal(world.window.ledger.get(world.key)?.spooled?.odd, true);
});

test('a result without content is soon shown as paid and not saved, with a way to try again', async (t) => {
  const world = await finished(t);
  world.service.set('g1', { status: 'succeeded' });
  await polled(world);
  const group = () => world.window.library.get(world.key)?.group;
  assert.equal(group(), 'active');
  await until(world.clock, () => group() === 'paidNotSaved', 60_000);
  assert.equal(world.window.library.get(world.key)?.problem?.code, 'noContent');
  world.finish();
  await world.downloader.downloadAgain(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  assert.equal(world.window.library.get(world.key)?.group, 'finished');
});

test('a text response becomes a file too', async (t) => {
  const world = await finished(t);
  world.service.set('g1', { status: 'succeeded', textOutput: 'The kite is red.' });
  await polled(world);
  const [name = ''] = world.saved();
  assert.equal(readFileSync(join(world.project, 'renders', name), 'utf8'), 'The kite is red.');
});

for (const textOutput of ['', 'A red kite over a field.'])
  test(`a file stated along with the text “${textOutput}” is downloaded and saved`, async (t) => {
    const world = await finished(t);
    world.finish();
    world.service.set('g1', { textOutput });
    await polled(world);
    assert.deepEqual(world.saved(), ['a-red-kite.png']);
    assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
  });

test('an empty text without a file isn’t a result, so the service’s content is downloaded', async (t) => {
  const world = await finished(t);
  world.finish();
  world.service.set('g1', { textOutput: '', contentUrl: undefined });
  await polled(world);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('an empty file recorded by the previous version is delivered on “Download Again”, and automatically at startup', async (t) => {
  for (const deliver of ['downloadAgain', 'deliver'] as const) {
    const world = await finished(t);
    world.service.set('g1', { status: 'succeeded' });
    await polled(world);
    world.window.ledger.advance(world.key, () => ({
      textOutput: '',
      contentUrl: 'https://models.example/g1',
      problem: { code: 'emptyFile', detail: '0 bytes arrived' },
    }));
    world.finish();
    await world.downloader[deliver](world.key);
    assert.deepEqual(world.saved(), ['a-red-kite.png']);
    assert.equal(world.window.ledger.get(world.key)?.problem, undefined);
  }
});

test('with no folder open the result is kept until it is saved somewhere', async (t) => {
  const world = await finished(t, { root: undefined });
  world.finish();
  await polled(world);
  const entry = world.window.library.get(world.key);
  assert.equal(entry?.problem?.code, 'noFolder');
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), [world.key]);
  const root = pathToFileURL(world.project).href;
  await world.downloader.saveAs(world.key, { root, folder: '', fileName: 'kite' });
  assert.ok(existsSync(join(world.project, 'kite.png')));
});

test('a missing folder keeps the paid result until the folder is back', async (t) => {
  const world = await finished(t);
  rmSync(world.project, { recursive: true });
  world.finish();
  await polled(world);
  assert.equal(world.window.library.get(world.key)?.problem?.code, 'folderGone');
  mkdirSync(world.project);
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a result that is lost before it could be saved no longer counts as received', async (t) => {
  const world = await finished(t);
  rmSync(world.project, { recursive: true });
  world.finish();
  await polled(world);
  const spooled = () => world.window.library.get(world.key)?.record?.spooled;
  assert.ok(spooled());
  rmSync(join(world.folder, 'spool', world.key));
  world.service.contents.delete('g1');
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual([world.window.library.get(world.key)?.problem?.code, spooled()], ['noContent', undefined]);
});

test('a folder outside the project is rejected, and the result is kept', async (t) => {
  const world = await finished(t);
  const outside = join(world.folder, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(world.project, 'renders'));
  world.finish();
  await polled(world);
  assert.equal(world.window.library.get(world.key)?.problem?.code, 'outsideFolder');
  assert.deepEqual(readdirSync(outside), []);
});

test('a result that the account in use can’t download waits until its account is back', async (t) => {
  const world = await finished(t);
  world.finish();
  const { connected } = world.window;
  const answer = await world.service.generation('g1');
  world.service.generation = () => {
    world.window.connected = undefined;
    return Promise.resolve(answer);
  };
  await polled(world);
  assert.equal(world.window.library.ofRecord(world.key)?.problem?.code, 'otherAccount');
  world.window.connected = connected;
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

for (const [which, prompt, isOurs] of [
  ['the same account', 'a red kite', true],
  ['another account, which has another render of that id', 'a blue kite', false],
] as const) {
  test(`a result whose API key was replaced by one of ${which} is fetched only when the answer matches`, async (t) => {
    const world = await finished(t);
    world.finish();
    const generation = world.service.generation.bind(world.service);
    world.service.generation = (id) => {
      world.window.connected = undefined;
      return generation(id);
    };
    await polled(world);
    assert.equal(world.window.ledger.get(world.key)?.state, 'succeeded');
    const { contents, generationsById } = world.service;
    const listed = { ...generationsById.get('g1')!, inputs: { prompt } };
    const other = Object.assign(new TestService(world.clock), {
      account: 'account-2',
      contents,
      generationsById: new Map([['g1', listed]]),
    });
    world.window.connected = { place: 'https://models.example', client: other };
    world.downloader.wakeAll();
    await world.downloader.deliver(world.key);
    const { state, readBy, problem } = world.window.ledger.get(world.key)!;
    const expected = isOurs ? ['saved', 'account-2', undefined] : ['succeeded', undefined, 'otherAccount'];
    assert.deepEqual([state, readBy, problem?.code], expected);
  });
}

/** How a service, or what is on the way to it, says that it has nothing to give for now. */
const notNow = [
  noResponse(),
  ...[202, 204].map((status) => new ServiceError('unreadable', 'no file', { status })),
  ...[400, 402, 403, 404, 409, 410, 423, 425, 500, 503].map((status) => new ServiceError('status', 'x', { status })),
  new ServiceError('keyRefused', 'x', { status: 401 }),
  new ServiceError('tooManyRequests', 'x', { status: 429 }),
];

for (const error of notNow)
  test(`a result that isn’t there for hours is saved once it is (${error.kind} ${error.status ?? ''})`, async (t) => {
    const world = await finished(t);
    const tries = await notReady(world, error);
    await until(world.clock, () => world.window.library.get(world.key)?.group === 'paidNotSaved', 60_000);
    // Nobody looks on, so that hours pass quickly.
    world.window.library.dispose();
    await passes(world.clock, 10 * hour, 60_000);
    assert.ok(tries.length > 15 && tries.length < 30, `${tries.length} tries in ten hours`);
    assert.ok(tries[3]! - tries[0]! < 10_000, 'soon at first');
    world.finish();
    await until(world.clock, () => world.window.ledger.get(world.key)?.state === 'saved');
    assert.deepEqual(world.saved(), ['a-red-kite.png']);
    assert.equal(world.window.ledger.get(world.key)?.retry, undefined);
  });

/** Has its download fail with this error, after the first try. Returns when each was, in ticks. */
async function notReady(world: Awaited<ReturnType<typeof finished>>, error: ServiceError): Promise<number[]> {
  world.finish();
  const tries: number[] = [];
  world.service.contents.set('g1', () => {
    tries.push(world.clock.ticks());
    throw error;
  });
  await polled(world);
  return tries;
}

test('a new window, or one whose clock was set back, goes on with a wait where it stood', async (t) => {
  const world = await finished(t);
  const { clock, window, key } = world;
  const tries = await notReady(world, new ServiceError('status', 'x', { status: 404 }));
  world.window.library.dispose();
  await passes(clock, 8 * hour, 60_000);
  const { nextAt, failedAt } = window.ledger.get(key)!.retry!;
  assert.ok(nextAt - failedAt > hour / 2);
  world.downloader.dispose();
  window.crash();
  tries.length = 0;
  const [, second] = await secondWindow(t, world);
  second.wakeAll();
  await passes(clock, nextAt - clock.now() - 60_000, 60_000);
  assert.deepEqual(tries, []);
  await passes(clock, 2 * 60_000, 1000);
  assert.equal(tries.length, 1);
  clock.set(clock.now() - 300 * 24 * hour);
  await passes(clock, 2 * 60_000, 1000);
  assert.equal(tries.length, 2);
});

test('what waits for the service is tried at once when the network or the account is back', async (t) => {
  const world = await finished(t);
  const tries = await notReady(world, noResponse());
  world.downloader.wakeAll();
  world.window.library.dispose();
  await passes(world.clock, 8 * hour, 60_000);
  const before = tries.length;
  assert.ok(before < 30);
  world.downloader.wakeAll();
  await settled();
  assert.equal(tries.length, before + 1);
  await passes(world.clock, 60_000, 1000);
  assert.equal(tries.length, before + 1, 'once, and then as before');
});

test('a service that asks for patience holds back neither other results nor the user', async (t) => {
  const world = await finished(t);
  const { service, window, clock } = world;
  const { target } = window.ledger.get(world.key)!;
  for (let n = 2; n <= 5; n++) await ordered(window, order({ target }));
  const asked: number[] = [];
  for (let n = 1; n <= 5; n++) {
    service.succeed(`g${n}`, png);
    service.contents.set(`g${n}`, () => {
      asked.push(n);
      throw new ServiceError('status', 'x', { status: 503, retryAfterMs: hour });
    });
  }
  await polled(world);
  await passes(clock, 60_000, 1000);
  assert.deepEqual(asked.sort(), [1, 2, 3, 4, 5]);
  const { problem, retry } = window.ledger.get(world.key)!;
  assert.equal(problem?.code, 'serviceSays', 'a long wait is told at once');
  assert.ok(retry!.nextAt - clock.now() > hour / 2, 'and until when');
  world.finish();
  const ticks = clock.ticks();
  await world.downloader.downloadAgain(world.key);
  assert.equal(window.ledger.get(world.key)?.state, 'saved');
  assert.equal(clock.ticks(), ticks);
});

test('a result that the service denies for a week is gone, until the user asks for it', async (t) => {
  const world = await finished(t);
  const tries = await notReady(world, new ServiceError('status', 'x', { status: 404 }));
  const problem = () => world.window.ledger.get(world.key)?.problem?.code;
  world.window.library.dispose();
  await passes(world.clock, 6 * 24 * hour, hour);
  assert.equal(problem(), 'noContent');
  await passes(world.clock, 2 * 24 * hour, hour);
  assert.equal(problem(), 'gone');
  const before = tries.length;
  await passes(world.clock, 7 * 24 * hour, hour);
  assert.equal(tries.length, before);
  await assert.rejects(world.downloader.downloadAgain(world.key));
  assert.equal(problem(), 'gone');
  world.finish();
  await world.downloader.downloadAgain(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a render started elsewhere is taken up and saved, and can never be sent', async (t) => {
  const world = await finished(t);
  const root = pathToFileURL(world.project).href;
  world.service.generationsById.set('far', {
    id: 'far',
    status: 'succeeded',
    modelId: 'a/b/c',
    inputs: { prompt: 'from afar' },
  });
  world.service.contents.set('far', () => ({ stream: Readable.from([png]), length: png.length }));
  const generation = world.service.generationsById.get('far')!;
  const key = world.downloader.takeUp(generation, { root, folder: 'renders', fileName: '${slug}' })!;
  await world.downloader.deliver(key);
  assert.deepEqual(world.saved(), ['from-afar.png']);
  const posts = world.service.posts.length;
  await world.window.renderer.send(key);
  assert.equal(world.service.posts.length, posts);
});

test('a listed render that was ordered at another URL of its service is that record, delivered once', async (t) => {
  const world = await finished(t);
  const root = pathToFileURL(world.project).href;
  world.service.succeed('g1', png);
  world.window.connected = { place: 'https://new.example', client: world.service };
  await world.window.library.refresh();
  const target = { root, folder: 'elsewhere', fileName: '${slug}' };
  const listed = world.service.generationsById.get('g1')!;
  assert.equal(world.downloader.takeUp(listed, target), world.key);
  await polled(world);
  await world.downloader.deliver(world.key);
  const record = world.window.ledger.get(world.key)!;
  assert.deepEqual([record.place, record.state], ['https://models.example', 'saved']);
  assert.equal(world.window.library.entries.length, 1);
  assert.ok(world.window.ledger.isIntact(record, world.window.ledger.bodyOf(record)!), 'its decision is untouched');
});

test('tidying removes saved results, and keeps those without a readable record', async (t) => {
  const world = await finished(t);
  await world.spool.receiveText('paid-once', 'The record of this one was set aside with a damaged ledger.');
  world.finish();
  await polled(world);
  await world.spool.receiveText(world.key, 'left over');
  await world.downloader.tidy();
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), ['paid-once']);
});

test('tidying skips results that another window is downloading again', async (t) => {
  const world = await finished(t);
  world.finish();
  await polled(world);
  const other = await openWindow(t, world.folder, world.service, world.clock);
  await other.lease.holding(`delivery:${world.key}`, async () => {
    await world.spool.receiveText(world.key, 'on its way');
    await world.downloader.tidy();
  });
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), [world.key]);
});

test('two deliveries of one result take turns, and each saves the complete file', async (t) => {
  const world = await finished(t);
  world.finish();
  await world.window.poller.pollNow();
  const root = pathToFileURL(world.project).href;
  const target = { root, folder: 'renders', fileName: 'kite' };
  let open = 0;
  let most = 0;
  world.service.contents.set('g1', () => {
    most = Math.max(most, ++open);
    const stream = Readable.from([png]).once('close', () => open--);
    return { stream, length: png.length };
  });
  await Promise.all([
    world.downloader.deliver(world.key),
    world.downloader.saveAs(world.key, target),
    world.downloader.downloadAgain(world.key),
  ]);
  assert.equal(most, 1);
  for (const name of world.saved())
    assert.deepEqual(readFileSync(join(world.project, 'renders', name)), Buffer.from(png));
  assert.ok(world.saved().includes('kite.png'));
});

test('saving by hand waits until another window has finished its delivery', async (t) => {
  const world = await finished(t);
  world.finish();
  await polled(world);
  const other = await openWindow(t, world.folder, world.service, world.clock);
  const root = pathToFileURL(world.project).href;
  let end = () => {};
  const delivery = other.lease.holding(`delivery:${world.key}`, () => new Promise<void>((resolve) => (end = resolve)));
  const saving = world.downloader.saveAs(world.key, { root, folder: 'renders', fileName: 'kite' });
  await world.clock.advance(5_000);
  assert.ok(!world.saved().includes('kite.png'));
  end();
  await delivery;
  await whileTimePasses(
    world.clock,
    saving.then(() => {}),
  );
  assert.ok(world.saved().includes('kite.png'));
});

test('a result that another window began to deliver is delivered here once that window closes', async (t) => {
  const world = await finished(t);
  world.finish();
  const other = await openWindow(t, world.folder, world.service, world.clock);
  void other.lease.holding(`delivery:${world.key}`, () => new Promise(() => {}));
  await polled(world);
  assert.equal(world.window.ledger.get(world.key)?.state, 'succeeded');
  other.crash();
  const isSaved = () => world.window.ledger.get(world.key)?.state === 'saved';
  for (let tries = 0; tries < 3000 && !isSaved(); tries++) await world.clock.advance(100);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

/** The URI that the first result in a folder gets. */
function firstName({ project }: Awaited<ReturnType<typeof finished>>): string {
  return pathToFileURL(join(project, 'renders', 'a-red-kite.png')).href;
}

/** An identical render for which the service produces the same bytes. */
async function twinOf(world: Awaited<ReturnType<typeof finished>>): Promise<string> {
  const { target } = world.window.ledger.get(world.key)!;
  const { key } = await ordered(world.window, order({ intent: 'twin', target }));
  world.service.succeed('g2', png);
  return key;
}

test('two results with the same bytes are two files, even if a crash stopped one after it had chosen its name', async (t) => {
  const world = await finished(t);
  const { ledger } = world.window;
  world.service.set('g1', { status: 'succeeded', contentUrl: 'https://models.example/g1' });
  ledger.advance(world.key, () => ({ claimed: firstName(world) }));
  const late = new PassThrough();
  world.service.contents.set('g1', () => ({ stream: late, length: png.length }));
  const twin = await twinOf(world);
  const first = polled(world);
  await world.window.poller.pollNow();
  await world.downloader.deliver(twin);
  late.end(png);
  await first;
  const files = [world.key, twin].map((key) => ledger.get(key)?.file);
  assert.equal(new Set(files).size, 2, files.join(' and '));
  assert.deepEqual(world.saved().sort(), ['a-red-kite-2.png', 'a-red-kite.png']);
});

test('a file that another result is saved as isn’t mistaken for one’s own, even with the same bytes and the chosen name', async (t) => {
  const world = await finished(t);
  const { ledger } = world.window;
  const twin = await twinOf(world);
  await world.window.poller.pollNow();
  await world.downloader.deliver(twin);
  assert.equal(ledger.get(twin)?.file, firstName(world));
  ledger.advance(world.key, () => ({ claimed: firstName(world) }));
  world.finish();
  await polled(world);
  assert.match(ledger.get(world.key)?.file ?? '', /a-red-kite-2\.png$/);
});

test('our own file is recognized after a crash, even though an earlier one with that name is gone', async (t) => {
  const world = await finished(t);
  const { ledger } = world.window;
  const twin = await twinOf(world);
  world.service.succeed('g2', encode({ width: 1, height: 1, channels: 3, data: new Uint8Array(3) }));
  await world.window.poller.pollNow();
  await world.downloader.deliver(twin);
  writeFileSync(join(world.project, 'renders', 'a-red-kite.png'), png);
  ledger.advance(world.key, () => ({ claimed: firstName(world) }));
  world.finish();
  await polled(world);
  assert.equal(ledger.get(world.key)?.file, firstName(world));
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('three commits deliver a result: it succeeded, it’s here and gets this name, it’s saved', async (t) => {
  const world = await finished(t);
  world.finish();
  const commits: unknown[] = [];
  world.window.ledger.onDidChange(({ now: { state, spooled, claimed } }) =>
    commits.push([state, spooled !== undefined, claimed !== undefined]),
  );
  await polled(world);
  assert.deepEqual(commits, [
    ['succeeded', false, false],
    ['succeeded', true, true],
    ['saved', true, true],
  ]);
});

test('a result that can’t be placed is recorded as received, and isn’t downloaded again', async (t) => {
  const world = await finished(t);
  rmSync(world.project, { recursive: true });
  world.finish();
  await polled(world);
  const { spooled, problem } = world.window.ledger.get(world.key) ?? {};
  assert.deepEqual([spooled?.name, problem?.code], [world.key, 'folderGone']);
  mkdirSync(world.project);
  world.service.content = () => Promise.reject(noResponse());
  await world.downloader.downloadAgain(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a delivery that couldn’t begin because the ledger was unavailable is begun again', async (t) => {
  const world = await finished(t);
  world.finish();
  const { ledger } = world.window;
  const lease = ledger.lease.bind(ledger);
  ledger.lease = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  await world.downloader.deliver(world.key);
  await world.window.poller.pollNow();
  ledger.lease = lease;
  const isSaved = () => ledger.get(world.key)?.state === 'saved';
  for (const until = Date.now() + 30_000; Date.now() < until && !isSaved();) await world.clock.advance(100);
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a result that was damaged in the spool is downloaded again by the next attempt', async (t) => {
  const world = await finished(t, { root: undefined });
  world.finish();
  await polled(world);
  writeFileSync(join(world.folder, 'spool', world.key), 'damaged');
  const target = { root: pathToFileURL(world.project).href, folder: '', fileName: 'kite' };
  await assert.rejects(world.downloader.saveAs(world.key, target));
  await world.downloader.saveAs(world.key, target);
  assert.deepEqual(readFileSync(join(world.project, 'kite.png')), Buffer.from(png));
});

test('while no account is connected, a result that has to be downloaded waits without a problem', async (t) => {
  const world = await finished(t);
  world.finish();
  const { connected } = world.window;
  const answer = await world.service.generation('g1');
  world.service.generation = () => {
    world.window.connected = undefined;
    return Promise.resolve(answer);
  };
  await world.window.poller.pollNow();
  await world.clock.advance(1000);
  assert.equal(world.window.ledger.get(world.key)?.state, 'succeeded');
  assert.equal(world.window.ledger.get(world.key)?.problem, undefined);
  world.window.connected = connected;
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a render from the service’s list that is adopted twice is one record and one file', async (t) => {
  const world = await finished(t);
  const target = { root: pathToFileURL(world.project).href, folder: 'renders', fileName: '${slug}' };
  const generation = { id: 'far', status: 'succeeded', inputs: { prompt: 'from afar' }, textOutput: 'Far away.' };
  const first = world.downloader.takeUp(generation, target)!;
  assert.equal(world.downloader.takeUp(generation, target), first);
  await world.downloader.deliver(first);
  assert.equal(world.saved().length, 1);
});

test('a text that the service’s list omits is requested and saved', async (t) => {
  const world = await finished(t);
  const target = { root: pathToFileURL(world.project).href, folder: 'renders', fileName: 'text' };
  const listed = { id: 'far', status: 'succeeded', inputs: { prompt: 'from afar' } };
  world.service.generationsById.set('far', { ...listed, textOutput: 'Far away.' });
  const key = world.downloader.takeUp(listed, target)!;
  await world.downloader.deliver(key);
  const [name = ''] = world.saved();
  assert.equal(readFileSync(join(world.project, 'renders', name), 'utf8'), 'Far away.');
  assert.equal(world.window.library.get(key)?.textOutput, 'Far away.');
});

test('a result that the user deleted from the service isn’t requested again', async (t) => {
  const world = await finished(t);
  world.service.set('g1', { status: 'succeeded' });
  await polled(world);
  world.window.ledger.advance(world.key, () => ({ deleted: true }));
  let asked = 0;
  world.service.contents.set('g1', () => {
    asked++;
    throw noResponse();
  });
  world.downloader.wakeAll();
  await settled();
  assert.equal(asked, 0);
  assert.equal(world.window.library.get(world.key), undefined);
});

test('what the user deleted from the service without having saved it doesn’t stay in the spool', async (t) => {
  const world = await finished(t, { root: undefined });
  world.finish();
  await polled(world);
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), [world.key]);
  await world.downloader.tidy();
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), [world.key]);
  world.window.ledger.advance(world.key, () => ({ deleted: true }));
  await world.downloader.tidy();
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), []);
});

test('a window that can’t reach the folder leaves a result to the one that ordered it, and tells when that is closed', async (t) => {
  const world = await finished(t);
  const [other, downloader] = await secondWindow(t, world, false);
  world.window.lease.stayAlive(true);
  const { key: own } = await ordered(other, order({ intent: 'own', target: { folder: '', fileName: 'own' } }));
  world.finish();
  world.service.succeed('g2', png);
  await other.poller.pollNow();
  // What it can decide on itself takes as long.
  await downloader.deliver(own);
  assert.equal(other.ledger.get(own)?.problem?.code, 'noFolder');
  assert.deepEqual(
    [other.ledger.get(world.key)?.state, other.ledger.get(world.key)?.problem],
    ['succeeded', undefined],
  );
  assert.deepEqual(readdirSync(join(world.folder, 'spool')), ['own']);
  world.window.crash();
  await world.clock.advance(30_000);
  await downloader.deliver(world.key);
  assert.equal(other.ledger.get(world.key)?.problem?.code, 'folderGone');
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('what a project lets its images tell holds in whichever window delivers them', async (t) => {
  const inputs = { prompt: 'a red kite', size: 'small' };
  const told = async (place: ProvenancePlace, prompt: boolean) => {
    const world = await finished(t, undefined, { place: 'embed', ordered: { place, prompt } }, inputs);
    world.finish();
    await polled(world);
    return {
      world,
      found: await embeddedMetadataIn(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), systemClock),
    };
  };
  const { found } = await told('embed', false);
  assert.deepEqual([found?.provenance.inputs, found?.provenance.promptLeftOut], [{ size: 'small' }, true]);
  const beside = await told('sidecar', false);
  assert.equal(beside.found, undefined);
  assert.deepEqual(beside.world.saved(), ['a-red-kite.png', 'a-red-kite.png.render.json']);
  const nowhere = await told('none', true);
  assert.equal(nowhere.found, undefined);
  assert.deepEqual(nowhere.world.saved(), ['a-red-kite.png']);
});

test('an image has its metadata, and the ledger knows the file as it is', async (t) => {
  const world = await finished(t, undefined, { place: 'embed' }, { prompt: 'a red kite', size: 'small' });
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  const bytes = readFileSync(join(world.project, 'renders', 'a-red-kite.png'));
  const record = world.window.ledger.get(world.key)!;
  assert.equal(record.spooled?.sha256, sha256(bytes));
  assert.equal(record.spooled.bytes, bytes.length);
  const found = await embeddedMetadataIn(bytes, systemClock);
  assert.ok(found?.isOfThis);
  assert.deepEqual(found.provenance, {
    sha256: found.provenance.sha256,
    modelId: 'a/b/c',
    inputs: { prompt: 'a red kite', size: 'small' },
    promptLeftOut: false,
    service: 'https://models.example',
    generationId: 'g1',
    costCents: record.costCents,
    orderedAt: record.plannedAt,
    tool: 'Model Catalog 1.2.3',
  });
});

test('a file that can’t hold metadata gets a sidecar file', async (t) => {
  const world = await finished(t, undefined, { place: 'embed' });
  world.service.set('g1', { status: 'succeeded', textOutput: 'The kite is red.' });
  await polled(world);
  assert.deepEqual(world.saved().sort(), ['a-red-kite.md', 'a-red-kite.md.render.json']);
  const folder = join(world.project, 'renders');
  const told = readProvenance(readFileSync(join(folder, 'a-red-kite.md.render.json'), 'utf8'));
  assert.equal(told?.sha256, sha256(readFileSync(join(folder, 'a-red-kite.md'))));
  assert.equal(told.modelId, 'a/b/c');
  assert.equal(world.window.ledger.get(world.key)?.sidecar, true);
});

test('an image is saved as received if the setting says so, with a sidecar file or without', async (t) => {
  for (const place of ['sidecar', 'none'] as const) {
    const world = await finished(t, undefined, { place });
    world.finish();
    await polled(world);
    const beside = place === 'sidecar' ? ['a-red-kite.png.render.json'] : [];
    assert.deepEqual(world.saved().sort(), ['a-red-kite.png', ...beside]);
    assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
  }
});

test('an excluded prompt is in no file, and the other inputs are', async (t) => {
  const inputs = {
    prompt: 'secret',
    negative_prompt: 'secret',
    topic: 'secret',
    notes: 'a secret',
    deep: { a: 'secret' },
  };
  const kept = { aspect_ratio: '21:9', size: 'small', seed: 7, raw: true };
  const world = await finished(t, undefined, { place: 'embed', prompt: false }, { ...inputs, ...kept });
  world.finish();
  await polled(world);
  const bytes = readFileSync(join(world.project, 'renders', world.saved()[0]!));
  assert.ok(!bytes.includes('secret'));
  const { provenance } = (await embeddedMetadataIn(bytes, systemClock))!;
  assert.deepEqual(provenance.inputs, kept);
  assert.equal(provenance.promptLeftOut, true);
  assert.equal(provenance.inputsSha256, inputsSha256({ ...inputs, ...kept }));
});

test('an existing file in place of the sidecar file isn’t replaced, and the result is saved anyway', async (t) => {
  const world = await finished(t, undefined, { place: 'sidecar' });
  mkdirSync(join(world.project, 'renders'));
  writeFileSync(join(world.project, 'renders', 'a-red-kite.png.render.json'), 'mine');
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved().sort(), ['a-red-kite.png', 'a-red-kite.png.render.json']);
  assert.equal(readFileSync(join(world.project, 'renders', 'a-red-kite.png.render.json'), 'utf8'), 'mine');
  const record = world.window.ledger.get(world.key)!;
  assert.deepEqual([record.state, record.sidecar], ['saved', false]);
});

test('a result is delivered as received if nothing can be written into it', async (t) => {
  const world = await finished(t, undefined, { place: 'embed' });
  world.spool.replace = () => Promise.reject(new Error('no room for two'));
  world.finish();
  await polled(world);
  assert.deepEqual(world.saved().sort(), ['a-red-kite.png', 'a-red-kite.png.render.json']);
  assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
});

test('a repeated download gives the same file, whatever the setting is by then', async (t) => {
  for (const [before, after] of [
    ['embed', 'none'],
    ['none', 'embed'],
  ] as const) {
    const telling: Telling = { place: before };
    const world = await finished(t, undefined, telling);
    world.finish();
    await polled(world);
    telling.place = after;
    await world.downloader.downloadAgain(world.key);
    assert.deepEqual(
      world.saved().filter((name) => name.endsWith('.png')),
      ['a-red-kite.png'],
      'no second copy',
    );
  }
});

test('a result with metadata that waited for its folder is saved with that metadata', async (t) => {
  const world = await finished(t, undefined, { place: 'embed' });
  rmSync(world.project, { recursive: true });
  world.finish();
  await polled(world);
  mkdirSync(world.project);
  world.downloader.wakeAll();
  await world.downloader.deliver(world.key);
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  const kite = readFileSync(join(world.project, 'renders', 'a-red-kite.png'));
  assert.ok((await embeddedMetadataIn(kite, systemClock))?.isOfThis);
});

test('a service’s URL on the user’s own machine isn’t written', async (t) => {
  for (const [place, service] of [
    ['http://127.0.0.1:8787', undefined],
    ['sandbox', 'sandbox'],
  ] as const) {
    const world = await finished(t, undefined, { place: 'none' });
    const record = { ...world.window.ledger.get(world.key)!, place };
    const settings = { provenance: () => 'sidecar' as const, provenancePrompt: () => true };
    const spooled = { name: 's', bytes: 1, sha256: 'cafe', mediaType: 'text/plain', extension: 'txt' };
    const companion = new MetadataEmbedder(world.spool, settings, 'tool', silentLog).companion({ ...record, spooled });
    assert.equal(readProvenance(companion?.text ?? '')?.service, service);
  }
});

test('a disk that is busy for a while gets the result automatically, with a single download', async (t) => {
  let isBusy = true;
  const disk = watchedDisk((operation, path) => {
    if (isBusy && path.includes('renders') && !['mkdir', 'syncFolder'].includes(operation)) throw systemError('EBUSY');
  });
  const world = await finished(t, undefined, undefined, undefined, disk);
  world.finish();
  let fetched = 0;
  const bytes = world.service.contents.get('g1')!;
  world.service.contents.set('g1', () => {
    fetched++;
    return bytes();
  });
  await polled(world);
  const { ledger } = world.window;
  await until(world.clock, () => ledger.get(world.key)?.problem?.code === 'diskFailed');
  // Not continuously: the pauses grow up to an hour.
  let tries = 0;
  const claim = ledger.claim.bind(ledger);
  ledger.claim = (...name) => (tries++, claim(...name));
  await passes(world.clock, 12 * 60 * 60_000, 60_000);
  assert.ok(tries > 4 && tries < 250, `${tries} tries in twelve hours`);
  assert.equal(ledger.get(world.key)?.problem?.code, 'diskFailed');
  isBusy = false;
  await until(world.clock, () => ledger.get(world.key)?.state === 'saved');
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  assert.equal(ledger.get(world.key)?.problem, undefined);
  assert.equal(fetched, 1);
});

test('a result that waits is retried when a window that found the disk busy has closed', async (t) => {
  const busy = watchedDisk((operation, path) => {
    if (path.includes('renders') && !['mkdir', 'syncFolder'].includes(operation)) throw systemError('EBUSY');
  });
  const world = await finished(t, undefined, undefined, undefined, busy);
  world.finish();
  const { clock, window, downloader, key } = world;
  await window.poller.pollNow();
  await downloader.deliver(key);
  await until(clock, () => window.ledger.get(key)?.problem?.code === 'diskFailed');
  const [other] = await secondWindow(t, world);
  downloader.dispose();
  window.crash();
  await until(clock, () => other.ledger.get(key)?.state === 'saved');
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

/** A saved result on a disk without hard links, and a copy that couldn't be saved while its folder was busy. */
async function unsavedCopy(t: TestContext) {
  const state = { isBusy: true };
  const disk = watchedDisk((operation, path) => {
    const isRefused = operation === 'rename' || operation === 'unlink';
    if (state.isBusy && isRefused && path.endsWith('chosen.png')) throw systemError('EBUSY');
    if (operation === 'link') throw systemError('EPERM');
  });
  const world = await finished(t, undefined, undefined, undefined, disk);
  world.finish();
  await polled(world);
  const target = { ...folderOf(world), fileName: 'chosen' };
  await assert.rejects(world.downloader.saveAs(world.key, target), /diskFailed/);
  const chosen = join(world.project, 'chosen.png');
  assert.equal(readFileSync(chosen).length, 0);
  return { world, state, disk, target, chosen };
}

test('a copy that couldn’t be saved leaves no empty file once its folder isn’t busy any more', async (t) => {
  const { world, state, chosen } = await unsavedCopy(t);
  await passes(world.clock, 60_000, 1000);
  assert.ok(existsSync(chosen));
  state.isBusy = false;
  const record = () => world.window.ledger.get(world.key)!;
  await until(world.clock, () => record().claimed === record().file);
  assert.ok(!existsSync(chosen));
  assert.match(record().file ?? '', /renders\/a-red-kite\.png$/);
});

test('a copy that a crash interrupted leaves no empty file after the next start', async (t) => {
  const { world, state, disk, chosen } = await unsavedCopy(t);
  world.downloader.dispose();
  world.window.crash();
  state.isBusy = false;
  const [, downloader] = await secondWindow(t, world, true, disk);
  await downloader.tidy();
  await until(world.clock, () => !existsSync(chosen));
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
});

test('a copy that couldn’t be saved gets its name at the next try, and no other one is left', async (t) => {
  const { world, state, target, chosen } = await unsavedCopy(t);
  // The name of the first copy isn't on record any more, and is freed later.
  await world.downloader.saveAs(world.key, { ...target, fileName: 'another' });
  assert.ok(existsSync(chosen));
  state.isBusy = false;
  await world.downloader.saveAs(world.key, { ...target, fileName: 'third' });
  await until(world.clock, () => !existsSync(chosen));
  await world.downloader.saveAs(world.key, target);
  await passes(world.clock, 60_000, 1000);
  assert.deepEqual(readdirSync(world.project).sort(), ['another.png', 'chosen.png', 'renders', 'third.png']);
  for (const name of ['another', 'chosen', 'third'])
    assert.deepEqual(readFileSync(join(world.project, `${name}.png`)), Buffer.from(png));
});

test('a window that resumes after another took over its download publishes nothing, and there is one complete file (A3)', async (t) => {
  const world = await finished(t);
  world.finish();
  const { clock, service, key } = world;
  const [other, second] = await secondWindow(t, world);
  const [early, late] = [new PassThrough(), new PassThrough()];
  const streams = [early, late];
  service.contents.set('g1', () => ({ stream: streams.shift()!, length: png.length }));
  early.write(png.subarray(0, 40));
  await world.window.poller.pollNow();
  const frozen = world.downloader.deliver(key);
  await second.deliver(key);
  world.window.ledger.renew = () => {
    throw new Error('it is frozen');
  };
  for (const until = Date.now() + 30_000; Date.now() < until && streams.length > 0;) await clock.advance(500);
  late.write(png.subarray(0, 20));
  early.end(png.subarray(40));
  await frozen;
  assert.equal(other.ledger.get(key)?.state, 'succeeded');
  late.end(png.subarray(20));
  await second.deliver(key);
  assert.equal(other.ledger.get(key)?.state, 'saved');
  assert.deepEqual(world.saved(), ['a-red-kite.png']);
  assert.deepEqual(readFileSync(join(world.project, 'renders', 'a-red-kite.png')), Buffer.from(png));
});
