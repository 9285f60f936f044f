import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import type { JsonObject } from '../../../src/base/json';
import { readFields } from '../../../src/catalog/fieldSchema';
import { Seeds } from '../../../src/catalog/fields';
import { embedded } from '../../../src/files/embeddedMetadata';
import { type Provenance, sidecarEnding, fileMetadataOf, writeProvenance } from '../../../src/files/provenance';
import type { Hashed } from '../../../src/files/sameFile';
import { inputsSha256, recordedInputs } from '../../../src/files/recordedImages';
import { withNamedSeeds } from '../../../src/renderFiles/modelCheck';
import { recipeToAdopt, type State, statesOf } from '../../../src/renderFiles/states';
import { png } from '../files/pictures';
import { noImages, read } from './reading';

const modelId = 'a/b/c';

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function whole(bytes: Buffer): Hashed {
  return { bytes, sha256: sha256Of(bytes) };
}

/** An image that contains this recipe. */
function image(inputs: JsonObject, change: Partial<Provenance> = {}): Buffer {
  return Buffer.concat(embedded(png(), 'image/png', { modelId, inputs, ...change })!.pieces);
}

/** An image whose recipe omits its texts. */
function reticent(inputs: JsonObject): Buffer {
  return image(inputs, recordedInputs(inputs, false));
}

/** A different image with the same recipe. */
function repainted(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  const at = other.indexOf('IEND') - 12;
  other[at] = other[at]! ^ 1;
  return other;
}

/** The state of a file requested with these inputs, among these files of its folder. */
async function stateOf(inputs: JsonObject, files: Readonly<Record<string, Buffer>>, file = 'x'): Promise<State> {
  return (await statesAmong([{ file, inputs }], files))[0]!;
}

/** The state of each entry, among these files of their folder. */
async function statesAmong(entries: readonly object[], files: Readonly<Record<string, Buffer>>): Promise<State[]> {
  const { renders } = await read({ model: modelId, folder: 'assets', renders: entries });
  const images = {
    ...noImages,
    names: (folder: string) => Promise.resolve(folder === 'assets' ? Object.keys(files) : []),
    metadata: (path: string) => {
      const name = path.replace('assets/', '');
      const bytes = files[name];
      return Promise.resolve(
        fileMetadataOf({ whole: bytes && whole(bytes), beside: files[name + sidecarEnding]?.toString() }, systemClock),
      );
    },
  };
  return (await statesOf(renders, images, systemClock)).map(({ state }) => state);
}

const inputs = { prompt: 'a kite', size: 'small' };

test('a render is missing until its file exists, then current', async () => {
  assert.deepEqual(await stateOf(inputs, { 'y.png': image(inputs) }), { state: 'missing' });
  assert.deepEqual(await stateOf(inputs, { 'x.png': image(inputs) }), { state: 'current', file: 'assets/x.png' });
  assert.deepEqual(await stateOf(inputs, { 'X.webp': image(inputs) }), { state: 'current', file: 'assets/X.webp' });
});

test('a render in a folder that can’t be listed isn’t missing, and the others have their states', async () => {
  const { renders } = await read({ model: modelId, renders: [{ file: 'secret/x' }, { file: 'y' }] });
  const names = (folder: string) => (folder === '' ? Promise.resolve([]) : Promise.reject(new Error('EACCES')));
  const states = await statesOf(
    renders,
    { ...noImages, names, metadata: () => Promise.resolve(undefined) },
    systemClock,
  );
  assert.deepEqual(
    states.map(({ state }) => state),
    [{ state: 'unreadable', file: 'secret/x' }, { state: 'missing' }],
  );
});

test('a stale image states what it was made from, and what is requested now', async () => {
  const made = image({ prompt: 'a kite', size: 'large', steps: 4 }, { modelId: 'd/e/f' });
  assert.deepEqual(await stateOf({ ...inputs, raw: true }, { 'x.png': made }), {
    state: 'stale',
    file: 'assets/x.png',
    isEdited: false,
    changes: [
      { kind: 'model', from: 'd/e/f', to: modelId },
      { kind: 'input', field: 'size', from: 'large', to: 'small' },
      { kind: 'input', field: 'raw', from: undefined, to: true },
      { kind: 'input', field: 'steps', from: 4, to: undefined },
    ],
  });
});

test('the order of inputs, and of the names inside them, changes nothing', async () => {
  const made = image({ size: 'small', deep: { b: 1, a: [2] }, prompt: 'a kite' });
  const state = await stateOf({ prompt: 'a kite', deep: { a: [2], b: 1 }, size: 'small' }, { 'x.png': made });
  assert.equal(state.state, 'current');
});

test('an omitted seed may be any, a stated one must match', async () => {
  const made = { 'x.png': image({ ...inputs, seed: 7, noise_seed: 8 }), 'y.png': reticent({ ...inputs, seed: 7 }) };
  assert.equal((await stateOf(inputs, made)).state, 'current');
  assert.equal((await stateOf(inputs, made, 'y')).state, 'current');
  assert.equal((await stateOf({ ...inputs, seed: 7 }, made)).state, 'current');
  assert.equal((await stateOf({ ...inputs, seed: 8 }, made)).state, 'stale');
  assert.equal((await stateOf({ ...inputs, seed: 8 }, made, 'y')).state, 'stale');
});

test('a number that is drawn for an entry never makes its image stale, whatever its field is called', async () => {
  for (const name of ['seed', 'noise_seed', 'randomSeed', 'Seed', 'noise', 'seed2', 'start']) {
    const fields = withNamedSeeds(readFields({ fields: [{ name, type: 'seed' }] })!);
    const sent = new Seeds(systemRandom).fill(modelId, fields, inputs);
    for (const made of [image(sent), reticent(sent)])
      assert.equal((await stateOf(inputs, { 'x.png': made })).state, 'current', name);
  }
});

test('an image that was changed since is edited, or stale and edited', async () => {
  const made = { 'x.png': repainted(image(inputs)) };
  assert.deepEqual(await stateOf(inputs, made), { state: 'edited', file: 'assets/x.png' });
  const stale = await stateOf({ prompt: 'a bird', size: 'small' }, made);
  assert.deepEqual([stale.state, 'isEdited' in stale && stale.isEdited], ['stale', true]);
});

test('a file without a recipe is foreign until it’s adopted, and its image stays unchanged', async () => {
  assert.deepEqual(await stateOf(inputs, { 'x.png': png() }), { state: 'foreign', file: 'assets/x.png' });
  const { renders } = await read({ model: modelId, renders: [{ file: 'x', inputs }] });
  for (const isPromptRecorded of [true, false]) {
    const recipe = recipeToAdopt(renders[0]!, { tool: 'Model Catalog 0.1.0', isPromptRecorded });
    const adopted = Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces);
    assert.equal(adopted.includes('a kite'), isPromptRecorded);
    assert.equal((await stateOf(inputs, { 'x.png': adopted })).state, 'current');
    const telling = await fileMetadataOf({ whole: whole(adopted), beside: undefined }, systemClock);
    assert.equal(telling?.record.provenance.adopted, true);
    // It may be a photo: nothing in it says that a model made it.
    assert.ok(!adopted.includes('trainedAlgorithmicMedia') && !adopted.includes('AISystemUsed'));
    assert.deepEqual(decode(adopted).data, decode(png()).data);
  }
});

test('a recipe next to a file counts like one inside it', async () => {
  const bytes = Buffer.from('GIF89a, say');
  const beside = Buffer.from(writeProvenance({ modelId, inputs, sha256: sha256Of(bytes) }));
  const files = { 'x.gif': bytes, [`x.gif${sidecarEnding}`]: beside };
  assert.equal((await stateOf(inputs, files)).state, 'current');
  assert.equal((await stateOf(inputs, { ...files, 'x.gif': Buffer.from('GIF89a, new') })).state, 'edited');
});

test('without its prompt, an image is compared by a hash of its inputs', async () => {
  const made = { 'x.png': reticent(inputs) };
  assert.ok(!made['x.png'].includes('a kite'));
  assert.equal((await stateOf(inputs, made)).state, 'current');
  const hidden = await stateOf({ prompt: 'a bird', size: 'small' }, made);
  assert.deepEqual(hidden, { state: 'stale', file: 'assets/x.png', isEdited: false, changes: [{ kind: 'hidden' }] });
  const seen = await stateOf({ prompt: 'a kite', size: 'large' }, made);
  assert.deepEqual('changes' in seen && seen.changes, [{ kind: 'input', field: 'size', from: 'small', to: 'large' }]);
});

test('without its prompt and a hash, the state is unknown unless something else changed', async () => {
  const { inputs: shown } = recordedInputs(inputs, false);
  const made = { 'x.png': image(shown, { promptLeftOut: true }) };
  assert.equal((await stateOf(inputs, made)).state, 'unknown');
  assert.equal((await stateOf({ prompt: 'a kite', size: 'large' }, made)).state, 'stale');
});

test('a key in a prompt, which no image contains, makes no image stale', async () => {
  const secret = { prompt: `a kite ai_live_${'x'.repeat(40)}` };
  assert.equal((await stateOf(secret, { 'x.png': image(secret) })).state, 'current');
});

test('of several files for one name, the closest to the request counts', async () => {
  const [current, stale] = [image(inputs), image({ prompt: 'a bird' })];
  const files = { 'x.gif': png(), 'x.png': stale, 'x.webp': current };
  assert.deepEqual(await stateOf(inputs, files), { state: 'current', file: 'assets/x.webp' });
  // A request with a file extension means exactly that file, and any other only until it exists.
  assert.equal((await stateOf(inputs, files, 'x.png')).state, 'stale');
  assert.equal((await stateOf(inputs, files, 'x.jpg')).state, 'current');
});

test('an entry with a file extension is missing while its name has only an image that wasn’t rendered', async () => {
  const missing = { state: 'missing', isNameTaken: true };
  for (const other of ['x.svg', 'x.jpg', 'X.webp'])
    assert.deepEqual(await stateOf(inputs, { [other]: png() }, 'x.png'), missing);
  // The exact file is the entry's, and so is one in the result's own format.
  assert.equal((await stateOf(inputs, { 'x.svg': png(), 'x.png': png() }, 'x.png')).state, 'foreign');
  assert.equal((await stateOf(inputs, { 'x.svg': png(), 'x.jpg': image(inputs) }, 'x.png')).state, 'current');
  assert.equal((await stateOf(inputs, { 'x.svg': png() }, 'x')).state, 'foreign');
});

test('an entry never takes the image of another entry that has the same name with another extension', async () => {
  const entries = [
    { file: 'x.jpg', inputs },
    { file: 'x.png', inputs: { prompt: 'a bird' } },
  ];
  const missing = { state: 'missing', isNameTaken: true };
  assert.deepEqual(await statesAmong(entries, { 'X.jpg': image(inputs) }), [
    { state: 'current', file: 'assets/X.jpg' },
    missing,
  ]);
  assert.deepEqual(await statesAmong(entries, {}), [missing, missing]);
});

test('what was sent is current, whatever it was, and anything else isn’t', async () => {
  const value = fc.jsonValue({ maxDepth: 2 }).filter((one) => one !== null && !JSON.stringify(one).includes('-0'));
  const made = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,4}$/).filter((name) => name !== 'seed'),
    value,
    { maxKeys: 4 },
  );
  await fc.assert(
    fc.asyncProperty(made, fc.string(), fc.boolean(), async (others, prompt, isTold) => {
      const all = { ...(others as JsonObject), prompt };
      const files = { 'x.png': isTold ? image(all) : reticent(all) };
      assert.equal((await stateOf(all, files)).state, 'current');
      assert.equal((await stateOf({ ...all, prompt: `${prompt}!` }, files)).state, 'stale');
      assert.equal((await stateOf({ ...all, other: 1 }, files)).state, 'stale');
    }),
    { numRuns: 60 },
  );
});

test('the hash of inputs is that of their JSON with sorted names', () => {
  assert.equal(
    inputsSha256({ b: 1, a: { d: 'x', c: [true, null] } }),
    sha256Of(Buffer.from('{"a":{"c":[true,null],"d":"x"},"b":1}')),
  );
});

test('an image is stale when its entry states another size or format than it was fitted to', async () => {
  const fitted = (width: number, height: number) => image(inputs, { fit: { width, height, mode: 'cover' } });
  const of = async (stated: object, files: Readonly<Record<string, Buffer>>, file = 'x.png') => {
    const { renders } = await read({ model: modelId, folder: 'assets', renders: [{ file, inputs, ...stated }] });
    const images = {
      ...noImages,
      names: () => Promise.resolve(Object.keys(files)),
      metadata: (path: string) =>
        fileMetadataOf({ whole: whole(files[path.replace('assets/', '')]!), beside: undefined }, systemClock),
    };
    return (await statesOf(renders, images, systemClock))[0]!.state;
  };
  const size = { width: 1200, height: 630 };
  assert.equal((await of(size, { 'x.png': fitted(1200, 630) })).state, 'current');
  assert.equal((await of({ ...size, fit: 'cover' }, { 'x.png': fitted(1200, 630) })).state, 'current');
  assert.equal((await of({ fit: null }, { 'x.png': image(inputs) })).state, 'current');
  const reformatted = image(inputs, { fit: { mode: 'cover' } });
  assert.equal((await of({}, { 'x.png': reformatted })).state, 'current', 'without a size, nothing was cropped');
  assert.deepEqual(await of(size, { 'x.png': fitted(600, 315) }), {
    state: 'stale',
    file: 'assets/x.png',
    changes: [
      {
        kind: 'fit',
        from: { width: 600, height: 315, mode: 'cover', format: 'png' },
        to: { ...size, mode: 'cover', format: 'png' },
      },
    ],
    isEdited: false,
  });
  for (const stated of [{ ...size, fit: 'contain' }, { width: 1200 }, {}])
    assert.equal((await of(stated, { 'x.png': fitted(1200, 630) })).state, 'stale');
  assert.equal((await of(size, { 'x.png': image(inputs) })).state, 'stale', 'it was saved as it came');
  assert.equal((await of(size, { 'x.png': fitted(1200, 630) }, 'x.webp')).state, 'stale', 'another format');
  assert.equal((await of(size, { 'x.png': fitted(1200, 630) }, 'x')).state, 'current', 'its name states no format');
  const adopted = {
    ...recipeToAdopt((await read({ model: modelId, renders: [{ file: 'x.png', inputs, ...size }] })).renders[0]!, {
      tool: 't',
      isPromptRecorded: true,
    }),
  };
  assert.equal((await of(size, { 'x.png': image(inputs, adopted) })).state, 'current');
});
