import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { decode, encode } from 'fast-png';
import { systemClock } from '../../../../src/base/clock';
import { isWhole } from '../../../../src/files/completeness';
import { displayedSize } from '../../../../src/files/imageSize';
import { sniff } from '../../../../src/files/sniff';
import { Fitter, type FittedImage } from '../../../../src/files/fit/fitter';
import type { FileFit } from '../../../../src/files/fit/fit';
import { root } from '../../../editor/root';
import { TestClock } from '../../clock';
import { gif, losslessWebp, photo, png, transparentWebp } from '../pictures';

const fitter = new Fitter(join(root, 'dist', 'fit.mjs'), systemClock);

/** Two colors: red on the left, blue on the right; in between nothing if `hole`. */
function halves(width: number, height: number, hole = false): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const x = at % width;
    data.set(x < width / 2 ? [255, 0, 0, hole && x > width / 4 ? 0 : 255] : [0, 0, 255, 255], at * 4);
  }
  return encode({ width, height, data, channels: 4 });
}

async function fitted(bytes: Uint8Array, fit: FileFit): Promise<FittedImage> {
  const image = await fitter.fit(bytes, sniff(bytes).mediaType, fit);
  assert.ok(image);
  assert.equal(sniff(image.bytes).mediaType, image.mediaType);
  assert.notEqual(isWhole(image.mediaType, image.bytes, image.bytes, image.bytes.length), 'cut');
  return image;
}

/** The color at a place of a PNG, with its opacity. */
function colorAt({ bytes }: FittedImage, x: number, y: number): number[] {
  const { data, width, channels } = decode(bytes);
  return [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
}

function isNear(color: readonly number[], wanted: readonly number[]): boolean {
  return color.length === wanted.length && color.every((value, at) => Math.abs(value - (wanted[at] ?? 0)) <= 2);
}

for (const [name, bytes] of Object.entries({ png: png(), photo: photo(), losslessWebp: losslessWebp() }))
  for (const format of ['png', 'jpeg', 'webp'] as const)
    test(`a ${name} becomes a ${format} of exactly the size, the same every time`, async () => {
      const image = await fitted(bytes, { width: 120, height: 63, mode: 'cover', format });
      assert.equal(image.mediaType, `image/${format}`);
      assert.deepEqual(displayedSize(image.bytes), { width: 120, height: 63 });
      assert.deepEqual(await fitted(bytes, { width: 120, height: 63, mode: 'cover', format }), image);
    });

test('what covers a size is cropped on both sides, and its colors stay', async () => {
  const image = await fitted(halves(64, 16), { width: 16, height: 16, mode: 'cover' });
  assert.deepEqual(displayedSize(image.bytes), { width: 16, height: 16 });
  assert.ok(isNear(colorAt(image, 2, 8), [255, 0, 0, 255]));
  assert.ok(isNear(colorAt(image, 13, 8), [0, 0, 255, 255]));
});

test('what is contained has bars next to it: clear ones, or white ones in a JPEG', async () => {
  const image = await fitted(halves(64, 16), { width: 32, height: 32, mode: 'contain' });
  assert.deepEqual(colorAt(image, 4, 4), [0, 0, 0, 0]);
  assert.ok(isNear(colorAt(image, 4, 16), [255, 0, 0, 255]));
  const jpeg = await fitted(halves(64, 16, true), { width: 32, height: 32, mode: 'contain', format: 'jpeg' });
  const back = await fitted(jpeg.bytes, { width: 32, height: 32, mode: 'cover', format: 'png' });
  for (const y of [2, 16])
    assert.ok(
      colorAt(back, 12, y).every((value) => value > 240),
      `clear at ${y}`,
    );
});

test('an image of that size and format stays as it is, and another format alone can be stated', async () => {
  assert.equal(
    await fitter.fit(png(), 'image/png', { width: 16, height: 16, mode: 'cover', format: 'png' }),
    undefined,
  );
  assert.equal(await fitter.fit(png(), 'image/png', { mode: 'cover' }), undefined);
  const image = await fitted(transparentWebp(), { mode: 'cover', format: 'png' });
  assert.deepEqual(displayedSize(image.bytes), { width: 1, height: 1 });
  assert.ok((colorAt(image, 0, 0)[3] ?? 255) < 200, 'still half transparent');
});

test('a damaged image, one of another format, and one that is too large are rejected', async () => {
  const fit = { width: 12, height: 6, mode: 'cover' } as const;
  const broken = Buffer.from(png());
  broken.fill(0x55, 40, broken.length - 16);
  const huge = Buffer.from(png());
  huge.writeUInt32BE(30_000, 16);
  huge.writeUInt32BE(30_000, 20);
  const lying = Buffer.from(png());
  lying.writeUInt32BE(600, 16);
  for (const bytes of [broken, huge, lying, gif(), Buffer.from('RIFF')])
    await assert.rejects(fitter.fit(bytes, sniff(bytes).mediaType, fit), (error: Error) => error instanceof Error);
  assert.ok(await fitter.fit(png(), 'image/png', fit), 'the next one is fitted');
});

test('an image that takes too long is given up', async () => {
  const clock = new TestClock();
  const endless = join(root, 'test', 'unit', 'features', 'links', 'model', 'endless.mjs');
  const late = new Fitter(endless, clock).fit(png(), 'image/png', { width: 12, height: 6, mode: 'cover' });
  const rejected = assert.rejects(late, /longer than 30000 ms/);
  while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(30_000);
  await rejected;
});
