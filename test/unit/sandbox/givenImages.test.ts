import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'fast-png';
import { complete, type Inputs } from '../../../src/sandbox/fields';
import { modelOf } from '../../../src/sandbox/models';
import { ProblemDetails } from '../../../src/sandbox/problem';
import { decoded, mean } from './pictures';
import { call, open, start, until } from './service';

const riso = modelOf('second-hand/reprint/riso-1')!;
const collage = modelOf('second-hand/reprint/collage-1')!;
const double = modelOf('second-hand/reprint/double-exposure-1')!;

/** A PNG whose left half is of one color and whose right half is of another, as a data address. */
function halves([left, right]: readonly [readonly number[], readonly number[]], size = 64): string {
  const data = new Uint8Array(size * size * 3);
  for (let i = 0; i < size * size; i++) data.set(i % size < size / 2 ? left : right, i * 3);
  const png = encode({ width: size, height: size, data, channels: 3, depth: 8 });
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

const black = [10, 10, 10];
const white = [245, 245, 245];
const red = [220, 20, 20];
const blue = [20, 20, 220];

async function made(model: typeof riso, inputs: Inputs) {
  const result = await model.make(complete(model.fields, inputs));
  assert.ok('content' in result);
  return decoded(result.content.bytes);
}

const leftHalf = [0, 0, 0.4, 1];
const rightHalf = [0.6, 0, 1, 1];

test('a print has the size of the given image, dark where it is dark and light where it is light', async () => {
  const print = await made(riso, { image: halves([black, white]) });
  assert.deepEqual([print.width, print.height], [64, 64]);
  assert.ok(mean(print, 1, leftHalf) + 60 < mean(print, 1, rightHalf));
  const turned = await made(riso, { image: halves([white, black]) });
  assert.ok(mean(turned, 1, leftHalf) > mean(turned, 1, rightHalf) + 60);
});

test('a print of the same image is the same, and of other inks another', async () => {
  const image = halves([black, white]);
  const { pixels } = await made(riso, { image });
  assert.deepEqual((await made(riso, { image })).pixels, pixels);
  assert.notDeepEqual((await made(riso, { image, palette: 'lagoon' })).pixels, pixels);
});

test('a double exposure shows both images, as much of the second as was asked for', async () => {
  const inputs = { image: halves([black, red]), overlay: halves([blue, black], 32) };
  const both = await made(double, inputs);
  assert.deepEqual([both.width, both.height], [64, 64]);
  assert.ok(mean(both, 0, rightHalf) > 150, 'the red of the first');
  assert.ok(mean(both, 2, leftHalf) > 150, 'the blue of the second');
  const first = await made(double, { ...inputs, amount: 0 });
  assert.ok(mean(first, 2, leftHalf) < 20);
  const second = await made(double, { ...inputs, amount: 1 });
  assert.ok(mean(second, 0, rightHalf) < 20);
});

test('a collage shows each of its images at its place in their order, on a scene, in frames of the color', async () => {
  const [dark, bright, warm] = [
    [black, black],
    [white, white],
    [red, red],
  ] as const;
  const images = [halves(dark), halves(bright), halves(warm)];
  const plain = { prompt: 'a lake at noon', aspect_ratio: '1:1', details: [], images };
  const sheet = await made(collage, plain);
  assert.deepEqual([sheet.width, sheet.height], [768, 768]);
  // Two columns: the third is in the second row.
  const [first, second, third] = [
    [0.2, 0.2, 0.3, 0.3],
    [0.7, 0.2, 0.8, 0.3],
    [0.2, 0.7, 0.3, 0.8],
  ] as const;
  const around = (inputs: Inputs) => made(collage, { ...plain, ...inputs });
  assert.ok(mean(sheet, 0, first) < 30 && mean(sheet, 0, second) > 230);
  assert.ok(mean(sheet, 0, third) > 200 && mean(sheet, 2, third) < 60);
  const turned = await around({ images: images.toReversed() });
  assert.ok(mean(turned, 0, first) > 200 && mean(turned, 2, first) < 60);
  assert.ok(mean(turned, 0, third) < 30);
  const frames = await around({ details: ['frames'], frame_color: '#00ff00' });
  assert.notDeepEqual(frames.pixels, sheet.pixels);
  assert.notDeepEqual((await around({ details: ['frames'], frame_color: '#0000ff' })).pixels, frames.pixels);
  assert.notDeepEqual((await around({ details: ['numbers'] })).pixels, sheet.pixels);
});

for (const [what, inputs, message] of [
  ['no images', { images: [] }, /from 1 to 6 images/],
  ['seven images', { images: Array<string>(7).fill(halves([black, white])) }, /from 1 to 6 images/],
  ['an image that isn’t in a list', { images: halves([black, white]) }, /must be a list/],
  ['a path in the list', { images: ['a.png'] }, /must be a data URL/],
  ['an unknown detail', { details: ['glitter'] }, /must be one of frames/],
  ['a color by its name', { frame_color: 'red' }, /must be a color like/],
] as const)
  test(`${what} is a 400 for a collage`, () => {
    const given = { prompt: 'a lake', images: [halves([black, white])], ...inputs };
    assert.throws(
      () => complete(collage.fields, given),
      (error) => error instanceof ProblemDetails && error.status === 400 && message.test(error.message),
    );
  });

const png = halves([black, white]);
for (const [what, image, message] of [
  ['an address of the web', 'https://images.example/a.png', /fetches nothing/],
  ['a JPEG', 'data:image/jpeg;base64,/9j/4AAQ', /image\/png/],
  ['a text that says it’s a PNG', `data:image/png;base64,${Buffer.from('text').toString('base64')}`, /isn’t a PNG/],
  ['an image of too many bytes', `data:image/png;base64,${'A'.repeat(5_400_000)}`, /at most 4,000,000 bytes/],
  ['an image too wide', tooWide(), /4,096 pixels/],
  ['a number', 7, /must be a data URL/],
] as const) {
  test(`${what} is a 400 for the field`, () => {
    assert.throws(
      () => complete(riso.fields, { image }),
      (error) => error instanceof ProblemDetails && error.status === 400 && message.test(error.message),
    );
  });
}

/** The same PNG with a header that states 70,000 pixels across. */
function tooWide(): string {
  const bytes = Buffer.from(png.slice(22), 'base64');
  bytes.writeUInt32BE(70_000, 16);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

test('a damaged image fails when it’s drawn, so that the render is refunded', async () => {
  const bytes = Buffer.from(png.slice(22), 'base64');
  const cut = `data:image/png;base64,${bytes.subarray(0, 60).toString('base64')}`;
  await assert.rejects(made(riso, { image: cut }));
});

test('over HTTP, a given image is priced, drawn, and not among what renders list', async (t) => {
  const sandbox = await open(t);
  const inputs = { image: png, tones: 3 };
  const { json: quote } = await call(sandbox, 'POST', '/quote', { body: { modelId: riso.id, inputs } });
  const { json: queued } = await start(sandbox, riso.id, inputs);
  assert.deepEqual([quote.costCents, queued.costCents], [3, 3]);
  assert.equal((await until(sandbox, queued.id, 'succeeded', 'failed')).status, 'succeeded');
  const { bytes } = await call(sandbox, 'GET', `/generations/${String(queued.id)}/content`);
  assert.equal(decoded(bytes).width, 64);
  const { json } = await call(sandbox, 'GET', '/generations');
  assert.deepEqual((json.generations as { inputs: unknown }[])[0]?.inputs, { tones: 3 });
});
