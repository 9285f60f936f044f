import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import type { JsonObject } from '../../../src/base/json';
import type { FileMetadata } from '../../../src/files/provenance';
import type { Fit } from '../../../src/files/fit/fit';
import { stateProblems, statesOf } from '../../../src/renderFiles/states';
import { noImages, read, told } from './reading';

const inputs = { prompt: 'a kite' };

interface Made {
  readonly modelId?: string;
  readonly inputs?: JsonObject;
  readonly fit?: Fit;
}

/** The problems of an entry with these images, and the state of the one that counts. */
async function checked(entry: object, images: Readonly<Record<string, Made>>) {
  const text = JSON.stringify({ model: 'a/b/c', width: 1200, inputs, renders: [entry] });
  const file = await read(text);
  const metadata = (name: string): Promise<FileMetadata> => {
    const provenance = { modelId: 'a/b/c', inputs, ...images[name] };
    return Promise.resolve({ record: { provenance, where: 'inside' }, change: 'none' });
  };
  const pictures = { ...noImages, names: () => Promise.resolve(Object.keys(images)), metadata };
  const check = await stateProblems(file, await statesOf(file.renders, pictures, systemClock), pictures);
  return [...told(text, check), ...check.states.map(({ state }) => state.state)];
}

test('an entry whose image can’t be fitted is an error, since another render would make one like it', async () => {
  const sentence = (file: string) =>
    `“${file}” is in a format that can’t be fitted. Choose another model, or enter "fit": null.`;
  assert.deepEqual(await checked({ file: 'logo' }, { 'logo.svg': {} }), [`logo: ${sentence('logo.svg')}`]);
  assert.deepEqual(await checked({ file: 'hero.png' }, { 'hero.avif': {} }), [`hero.png: ${sentence('hero.avif')}`]);
  // What the entry has become since may be in another format.
  assert.deepEqual(await checked({ file: 'logo', model: 'd/e/f' }, { 'logo.svg': {} }), ['stale']);
  assert.deepEqual(await checked({ file: 'logo', inputs: { prompt: 'a bird' } }, { 'logo.svg': {} }), ['stale']);
  assert.deepEqual(await checked({ file: 'logo', fit: null }, { 'logo.svg': {} }), ['current']);
  assert.deepEqual(await checked({ file: 'logo' }, { 'logo.png': {} }), ['stale']);
});

test('it stays an error next to the image of an earlier model', async () => {
  const images = { 'logo.png': { modelId: 'd/e/f', fit: { width: 1200, mode: 'cover' } as const }, 'logo.svg': {} };
  const [problem, ...others] = await checked({ file: 'logo' }, images);
  assert.match(problem!, /“logo\.svg” is in a format that can’t be fitted/);
  assert.deepEqual(others, []);
});
