import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../../src/base/clock';
import { withRefits } from '../../../../../src/features/renderFiles/model/pendingImages';
import { embedded } from '../../../../../src/files/embeddedMetadata';
import { type Provenance, type FileMetadata, fileMetadataOf } from '../../../../../src/files/provenance';
import { recordedInputs } from '../../../../../src/files/recordedImages';
import { statesOf } from '../../../../../src/renderFiles/states';
import type { RenderRecord } from '../../../../../src/renders/record';
import { png } from '../../../files/pictures';
import { read } from '../../../renderFiles/reading';

const modelId = 'a/b/c';
const sent = { prompt: 'a kite', size: 'small', seed: 7 };
const cover = { width: 20, height: 10, mode: 'cover' } as const;

interface Given {
  /** What the entry asks for, besides its file. */
  readonly entry?: Readonly<Record<string, unknown>>;
  /** What the image’s metadata states. */
  readonly told?: Partial<Provenance>;
  /** What the render history has; undefined for another computer. */
  readonly record?: Partial<RenderRecord> | undefined;
  readonly file?: string;
}

/** Whether the image of an entry is offered to be fitted again, and its state. */
async function offered(given: Given) {
  const { entry = { width: 40 }, told = { fit: cover }, file = 'x.png' } = given;
  const content = { model: modelId, inputs: { prompt: 'a kite', size: 'small' }, renders: [{ file, ...entry }] };
  const { renders } = await read(content);
  const made = embedded(png(), 'image/png', { modelId, inputs: sent, generationId: 'g1', ...told })!;
  const bytes = Buffer.concat(made.pieces);
  const telling = await fileMetadataOf({ whole: { bytes, sha256: '' }, beside: undefined }, systemClock);
  const images = {
    names: () => Promise.resolve(['x.png']),
    metadata: () => Promise.resolve(telling),
    given: () => Promise.resolve({ why: 'missing' } as const),
  };
  const spooled = { name: 'k', bytes: 1, sha256: '', mediaType: 'image/png', extension: 'png' };
  const found = { modelId, inputs: sent, spooled, ...given.record } as RenderRecord;
  const here = !('record' in given) || given.record !== undefined;
  const opened: FileMetadata[] = [];
  const results = {
    renderOf: (one: FileMetadata) => {
      opened.push(one);
      return Promise.resolve(here ? found : undefined);
    },
  };
  const library = { inputsOf: () => found.inputs };
  const get = () => Promise.resolve({ results, library });
  const [one] = await withRefits(await statesOf(renders, images, systemClock), images, { get });
  return { state: one!.state.state, fitsAgain: one!.fitsAgain === true, asked: opened.length };
}

test('a stale image is offered to be fitted again if only its size, its shape, or its format changed', async () => {
  const [width, height] = [20, 10];
  const entries: Readonly<Record<string, unknown>>[] = [
    { width: 40 },
    { width, height, fit: 'contain' },
    { width, height: 30 },
  ];
  for (const entry of entries)
    assert.deepEqual(await offered({ entry }), { state: 'stale', fitsAgain: true, asked: 1 });
  assert.equal((await offered({ entry: { width: 20, height: 10 }, file: 'x.webp' })).fitsAgain, true);
  assert.equal((await offered({ entry: { fit: null } })).fitsAgain, true, 'as it came');
  assert.equal((await offered({ told: {} })).fitsAgain, true, 'for the first time');
});

test('it isn’t if anything else changed, nor if it’s current, and then the render history isn’t even opened', async () => {
  const entries: Readonly<Record<string, unknown>>[] = [
    { width: 40, inputs: { prompt: 'a bird' } },
    { width: 40, model: 'd/e/f' },
  ];
  for (const entry of entries)
    assert.deepEqual(await offered({ entry }), { state: 'stale', fitsAgain: false, asked: 0 });
  assert.deepEqual(await offered({ entry: { width: 20, height: 10 } }), {
    state: 'current',
    fitsAgain: false,
    asked: 0,
  });
});

test('it isn’t on another computer, nor if the render was made from something else than its image says', async () => {
  assert.deepEqual(await offered({ record: undefined }), { state: 'stale', fitsAgain: false, asked: 1 });
  assert.equal((await offered({ record: { modelId: 'd/e/f' } })).fitsAgain, false);
  assert.equal((await offered({ record: { inputs: { ...sent, prompt: 'a bird' } } })).fitsAgain, false);
});

test('without prompts in the images, the render history says whether the prompt is the same', async () => {
  const told = { fit: cover, ...recordedInputs(sent, false) };
  assert.equal((await offered({ told })).fitsAgain, true);
  const silent = { ...told, inputsSha256: undefined };
  assert.equal((await offered({ told: silent })).fitsAgain, true);
  assert.equal((await offered({ told: silent, record: { inputs: { ...sent, prompt: 'a bird' } } })).fitsAgain, false);
});

test('it’s offered as it came if it came in the format of its file, or is written in the one that its entry names', async () => {
  const spooled = { name: 'k', bytes: 1, sha256: '', mediaType: 'image/png', extension: 'png' };
  const original = { ...spooled, mediaType: 'image/webp', extension: 'webp' };
  const record = { spooled: { ...spooled, original } };
  assert.equal((await offered({ entry: { fit: null }, record, file: 'x' })).fitsAgain, false);
  assert.equal((await offered({ entry: { fit: null }, record, file: 'x.png' })).fitsAgain, true);
  assert.equal((await offered({ record })).fitsAgain, true);
});

test('if the render history can’t be opened, images are stale as on another computer', async () => {
  const { renders } = await read({ model: modelId, renders: [{ file: 'x.png', width: 40, inputs: sent }] });
  const states = [
    { render: renders[0]!, state: { state: 'stale', file: 'x.png', changes: [], isEdited: false } },
  ] as const;
  const given = () => Promise.resolve({ why: 'missing' } as const);
  const images = { names: () => Promise.resolve([]), metadata: () => Promise.reject(new Error('gone')), given };
  const get = () => Promise.reject(new Error('no SQLite'));
  assert.deepEqual(await withRefits(states, images, { get }), states);
});
