import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { sniff } from '../../../src/files/sniff';
import type { FileFit } from '../../../src/files/fit/fit';
import { Fitter } from '../../../src/files/fit/fitter';
import { type NewImage, newImageOf } from '../../../src/renderFiles/targets';
import type { Change, State } from '../../../src/renderFiles/states';
import { root } from '../../editor/root';
import { losslessWebp, photo, png } from '../files/pictures';
import { read } from './reading';

const fitter = new Fitter(join(root, 'dist', 'fit.mjs'), systemClock);
const missing: State = { state: 'missing' };
const taken: State = { state: 'missing', isNameTaken: true };
const model: Change = { kind: 'model', from: 'd/e/f', to: 'a/b/c' };

function stale(file: string, changes: readonly Change[] = [model]): State {
  return { state: 'stale', file, changes, isEdited: false };
}

async function newImage(entry: object, state: State, isRecorded = true): Promise<NewImage> {
  const { renders } = await read({ model: 'a/b/c', renders: [entry] });
  return newImageOf({ render: renders[0]!, state }, isRecorded);
}

/** The file extension that a result gets. */
async function endingOf(result: Buffer, fit: FileFit | undefined): Promise<string> {
  const { mediaType, extension } = sniff(result);
  return ((fit && (await fitter.fit(result, mediaType, fit))) ?? { extension }).extension;
}

test('an image with its entry’s name can be replaced, whatever format the result of another model has', async () => {
  for (const [name, ending] of [
    ['hero.png', 'png'],
    ['Hero.PNG', 'png'],
    ['hero.jpg', 'jpg'],
    ['hero.webp', 'webp'],
  ] as const)
    for (const result of [png(), photo(), losslessWebp()]) {
      const { replaces } = await newImage({ file: name.toLowerCase() }, stale(name));
      assert.equal(replaces?.file, name);
      assert.equal(await endingOf(result, replaces.fit), ending);
    }
});

test('an image that is saved as it comes keeps its format while another file can be its entry’s', async () => {
  assert.deepEqual(await newImage({ file: 'hero.png' }, missing), { fit: undefined });
  assert.deepEqual(await newImage({ file: 'hero' }, taken), { fit: undefined });
  for (const [file, image] of [
    ['hero.png', 'hero.jpg'],
    ['hero', 'hero.png'],
    ['hero.gif', 'hero.gif'],
  ] as const)
    assert.deepEqual(await newImage({ file }, stale(image)), {
      fit: undefined,
      replaces: { file: image, fit: undefined },
    });
});

test('an image whose name is taken in another format is written in the one that its entry names', async () => {
  const { fit } = await newImage({ file: 'hero.png' }, taken);
  assert.equal(await endingOf(photo(), fit), 'png');
});

test('an image in another format than its entry’s size and name ask for isn’t replaced', async () => {
  const sized = { file: 'hero.png', width: 64 };
  const fit = { width: 64, height: undefined, mode: 'cover', format: 'png' };
  assert.deepEqual(await newImage(sized, stale('hero.jpg')), { fit });
  assert.deepEqual(await newImage(sized, stale('hero.png')), { fit, replaces: { file: 'hero.png', fit } });
  const { replaces } = await newImage({ ...sized, file: 'hero' }, stale('hero.jpg'));
  assert.deepEqual(replaces, { file: 'hero.jpg', fit: { ...fit, format: 'jpeg' } });
});

test('a new image keeps the size that its entry asks for, also if the one it replaces couldn’t be fitted', async () => {
  const fit = { width: 64, height: undefined, mode: 'cover' };
  const png = { ...fit, format: 'png' };
  const svg = await newImage({ file: 'logo', width: 64 }, stale('logo.svg'));
  assert.equal(svg.replaces?.fit?.width, 64);
  const avif = await newImage({ file: 'hero.png', width: 64 }, stale('hero.avif'));
  assert.deepEqual(avif, { fit: png, replaces: { file: 'hero.avif', fit: png } });
});

test('an image without a record is written in the format that its entry names, which is all that makes it its image', async () => {
  const { fit, replaces } = await newImage({ file: 'hero.png', fit: null }, missing, false);
  assert.equal(await endingOf(photo(), fit), 'png');
  assert.equal(replaces, undefined);
  const other = await newImage({ file: 'hero.png' }, stale('hero.jpg'), false);
  assert.deepEqual([await endingOf(photo(), other.fit), other.replaces], ['png', undefined]);
  assert.deepEqual(await newImage({ file: 'hero' }, missing, false), { fit: undefined });
  const replaced = (await newImage({ file: 'hero' }, stale('hero.png'), false)).replaces;
  assert.equal(await endingOf(photo(), replaced?.fit), 'png');
});
