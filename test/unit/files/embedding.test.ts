import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { nodeDisk } from '../../../src/files/disk';
import { embedInFile } from '../../../src/files/xmp';
import { hashed } from '../../../src/files/sameFile';
import { embedded } from '../../../src/files/embeddedMetadata';
import { localReplacing } from '../../../src/files/localSink';
import { NotReplaced } from '../../../src/files/replacement';
import { fileMetadataOf } from '../../../src/files/provenance';
import { temporaryFolder } from './disks';
import { photo, png, webp } from './pictures';

const recipe = { modelId: 'a/b/c', inputs: { prompt: 'a kite' }, adopted: true } as const;

async function existing(t: TestContext, name: string, bytes: Uint8Array) {
  const folder = await temporaryFolder(t);
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const file = pathToFileURL(path).href;
  const files = await localReplacing(nodeDisk, pathToFileURL(folder).href, file);
  const embed = async (seen: Uint8Array = bytes) =>
    embedInFile(files, file, await hashed(seen, systemClock), recipe, { clock: systemClock, random: systemRandom });
  return { folder, path, embed };
}

for (const [name, bytes] of [
  ['hero.png', png()],
  ['hero.jpg', photo()],
  ['hero.webp', webp()],
] as const)
  test(`metadata is embedded in ${name}, which keeps its image, name, and permissions`, async (t) => {
    const { folder, path, embed } = await existing(t, name, bytes);
    chmodSync(path, 0o640);
    assert.equal(await embed(), true);
    const written = readFileSync(path);
    const telling = await fileMetadataOf({ whole: await hashed(written, systemClock), beside: undefined }, systemClock);
    assert.equal(telling?.change, 'none');
    assert.equal(telling.record.provenance.adopted, true);
    assert.deepEqual(telling.record.provenance.inputs, recipe.inputs);
    if (name === 'hero.png') assert.deepEqual(decode(written).data, decode(bytes).data);
    assert.equal(statSync(path).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), [name]);
  });

test('a file of another format, one with metadata, and a read-only one stay as they are', async (t) => {
  const recorded = Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces);
  for (const bytes of [Buffer.from('GIF89a and more'), recorded]) {
    const { folder, path, embed } = await existing(t, 'hero.gif', bytes);
    assert.equal(await embed(), false);
    assert.deepEqual(readFileSync(path), bytes);
    assert.deepEqual(readdirSync(folder), ['hero.gif']);
  }
  const { path, embed } = await existing(t, 'hero.png', png());
  chmodSync(path, 0o444);
  assert.equal(await embed(), false);
  assert.deepEqual(readFileSync(path), png());
});

test('a file that changed after it was read stays, and nothing is left next to it', async (t) => {
  const { folder, path, embed } = await existing(t, 'hero.png', png());
  writeFileSync(path, photo());
  await assert.rejects(embed(png()), NotReplaced);
  assert.deepEqual(readFileSync(path), photo());
  assert.deepEqual(readdirSync(folder), ['hero.png']);
});
