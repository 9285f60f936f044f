import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { encode } from 'fast-png';
import { systemClock } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { displayedSize } from '../../../src/files/imageSize';
import { Fitter } from '../../../src/files/fit/fitter';
import { Thumbnails } from '../../../src/renders/thumbnails';
import { root } from '../../editor/root';
import { folderFor } from './world';

const remembersAll = () => false;

function png(width: number, height: number): Buffer {
  return Buffer.from(encode({ width, height, channels: 3, data: new Uint8Array(width * height * 3).fill(90) }));
}

function opened(t: TestContext, folder = join(folderFor(t), 'thumbnails')) {
  const fitter = new Fitter(join(root, 'dist', 'fit.mjs'), systemClock);
  const thumbnails = new Thumbnails(folder, nodeDisk, fitter, systemClock, silentLog);
  const make = (key: string, image: Buffer | undefined, type = 'image/png') =>
    thumbnails.make(key, type, () => Promise.resolve(image));
  return { folder, thumbnails, make };
}

test('a large image gets a small copy of its shape, which later windows find', async (t) => {
  const { folder, thumbnails, make } = opened(t);
  await make('wide', png(900, 600));
  await make('tall', png(300, 1200));
  assert.equal(thumbnails.of('wide'), join(folder, 'wide.webp'));
  assert.deepEqual(displayedSize(readFileSync(join(folder, 'wide.webp'))), { width: 400, height: 267 });
  assert.deepEqual(displayedSize(readFileSync(join(folder, 'tall.webp'))), { width: 100, height: 400 });
  const later = opened(t, folder).thumbnails;
  assert.equal(later.of('wide'), undefined);
  await later.load(remembersAll);
  assert.equal(later.of('wide'), join(folder, 'wide.webp'));
});

test('a small, missing, or damaged image gets none, and the next one does', async (t) => {
  const { folder, thumbnails, make } = opened(t);
  await make('small', png(500, 500));
  await make('missing', undefined);
  await make('damaged', png(900, 900).subarray(0, 400));
  await make('whole', png(900, 900));
  assert.deepEqual(
    ['small', 'missing', 'damaged'].map((key) => thumbnails.of(key)),
    [undefined, undefined, undefined],
  );
  assert.deepEqual(readdirSync(folder), ['whole.webp']);
});

test('a forgotten render leaves none, even if it was about to be made', async (t) => {
  const { folder, thumbnails, make } = opened(t);
  const making = make('render', png(900, 900));
  await thumbnails.forget('render');
  await making;
  assert.equal(thumbnails.of('render'), undefined);
  assert.deepEqual(readdirSync(folder), []);
  await make('render', png(900, 900));
  assert.equal(thumbnails.of('render'), undefined);
});

test('what forgotten renders left is deleted when a window opens, but not what another window is writing', async (t) => {
  const { folder, thumbnails } = opened(t);
  mkdirSync(folder);
  const names = ['kept.webp', 'forgotten.webp', 'forgotten.webp.part', 'half.webp.part'];
  for (const name of names) writeFileSync(join(folder, name), name);
  await thumbnails.load((key) => key === 'forgotten');
  assert.deepEqual(readdirSync(folder).sort(), ['half.webp.part', 'kept.webp']);
  assert.equal(thumbnails.of('half'), undefined);
});

test('what a window that crashed left of one is written again', async (t) => {
  const { folder, thumbnails, make } = opened(t);
  mkdirSync(folder);
  writeFileSync(join(folder, 'half.webp.part'), 'half');
  await make('half', png(900, 600));
  assert.equal(thumbnails.of('half'), join(folder, 'half.webp'));
  assert.deepEqual(readdirSync(folder), ['half.webp']);
});

test('beyond 2,000, one of an earlier window is deleted', async (t) => {
  const { folder, thumbnails, make } = opened(t);
  mkdirSync(folder);
  for (let n = 0; n < 2000; n++) writeFileSync(join(folder, `render-${n}.webp`), '');
  await thumbnails.load(remembersAll);
  await make('newest', png(900, 900));
  assert.equal(readdirSync(folder).length, 2000);
  assert.ok(existsSync(join(folder, 'newest.webp')));
});
