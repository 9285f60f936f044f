import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { embedded } from '../../../src/files/embeddedMetadata';
import { type Provenance, writeProvenance } from '../../../src/files/provenance';
import { type FindRecords, type Origin, originOf, type Seen } from '../../../src/renders/origin';
import type { RenderRecord } from '../../../src/renders/record';
import { photo, png } from '../files/pictures';

const here = 'file:///project/renders/kite.png';
const provenance: Provenance = {
  modelId: 'a/b/c',
  inputs: { prompt: 'a red kite' },
  service: 'sandbox',
  generationId: 'g1',
};
const made = embedded(png(), 'image/png', provenance)!;
const image = Buffer.concat(made.pieces);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function record(change: Partial<RenderRecord> & { readonly bytes?: Uint8Array } = {}): RenderRecord {
  const { bytes = image, ...other } = change;
  return {
    index: 1,
    version: 1,
    key: 'k1',
    place: 'sandbox',
    account: 'account',
    modelId: 'a/b/c',
    inputs: { prompt: 'a red kite' },
    target: { folder: 'renders', fileName: 'kite' },
    plannedAt: 1,
    state: 'saved',
    attempt: 1,
    unanswered: 0,
    owner: 'window',
    generationId: 'g1',
    file: here,
    spooled: {
      name: 'k1',
      bytes: bytes.length,
      sha256: sha256(bytes),
      mediaType: 'image/png',
      extension: 'png',
      pictureSha256: made.pictureSha256,
    },
    ...other,
  };
}

function seen(bytes: Uint8Array | undefined, beside?: string, at = here): Seen {
  return { whole: bytes && { bytes, sha256: sha256(bytes) }, beside, isAt: (uri) => uri === at };
}

/** As when another tool changes a file's metadata but not its image. */
function retold(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace('a red kite', 'A red kite'), 'latin1');
}

/** As when a user changes an image: its last pixels. */
function repainted(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  const at = other.indexOf('IEND') - 12;
  other[at] = other[at]! ^ 1;
  return other;
}

/** The origin of a file, given these records. */
function how(file: Seen, records: readonly RenderRecord[]): Promise<Origin> {
  const find: FindRecords = (isWanted) =>
    Promise.resolve(
      records.filter(({ index, key, file, generationId, spooled }) =>
        isWanted({ index, key, file, generationId, sha256: spooled?.sha256 }),
      ),
    );
  return originOf(file, find, systemClock);
}

test('a file of ours is recognized by its bytes, where it was saved and wherever it was moved', async () => {
  for (const at of [here, 'file:///elsewhere/other.png']) {
    const { record: found, change } = await how(seen(image, undefined, at), [record()]);
    assert.deepEqual([found?.key, change], ['k1', 'none']);
  }
});

test('of two renders with equal bytes, the one saved at that place is meant', async () => {
  const records = [record({ key: 'k2', file: 'file:///other.png' }), record()];
  assert.equal((await how(seen(image), records)).record?.key, 'k1');
});

test('metadata inherited from a source image is ignored when the sidecar file has its own', async () => {
  const made = repainted(image);
  const own = { ...provenance, generationId: 'g2', sha256: sha256(made) };
  const { fileRecord, change } = await how(seen(made, writeProvenance(own)), []);
  assert.deepEqual([fileRecord?.where, fileRecord?.provenance.generationId, change], ['beside', 'g2', 'none']);
  const changed = await how(seen(made, writeProvenance({ ...own, sha256: sha256(image) })), []);
  assert.deepEqual([changed.fileRecord?.where, changed.change], ['inside', 'changed']);
});

test('an image of ours that was painted over is no longer ours, and only its own metadata counts', async () => {
  const moved = await how(seen(repainted(image), undefined, 'file:///moved.png'), [record()]);
  assert.deepEqual([moved.record, moved.fileRecord?.where, moved.change], [undefined, 'inside', 'changed']);
  const { record: former, change } = await how(seen(repainted(image)), [record()]);
  assert.deepEqual([former?.key, change], ['k1', 'replaced']);
});

test('another image with the IDs of one of ours and a recomputed hash isn’t trusted', async () => {
  const forged = Buffer.concat(embedded(png(7), 'image/png', provenance)!.pieces);
  const found = await how(seen(forged, undefined, 'file:///forged.png'), [record()]);
  assert.deepEqual([found.record, found.fileRecord?.where, found.change], [undefined, 'inside', 'none']);
});

test('the same holds if no hash of the image was kept', async () => {
  const { spooled } = record();
  const older = record({ spooled: { ...spooled!, pictureSha256: undefined } });
  assert.equal((await how(seen(retold(image), undefined, 'file:///moved.png'), [older])).record, undefined);
});

test('if only the metadata of an image of ours was changed, the image is recognized as unchanged', async () => {
  const { record: found, change } = await how(seen(retold(image)), [record()]);
  assert.deepEqual([found?.key, change], ['k1', 'metadata']);
});

test('a file without metadata is ours only by its name, and may be any file', async () => {
  const mute = record({ bytes: png() });
  assert.deepEqual(await how(seen(png(7)), [mute]), { record: mute, fileRecord: undefined, change: 'replaced' });
  assert.deepEqual(await how(seen(undefined), [mute]), { record: mute, fileRecord: undefined, change: 'unknown' });
  assert.deepEqual(await how(seen(png(7), undefined, 'file:///other.png'), [mute]), {
    fileRecord: undefined,
    change: 'unknown',
  });
});

test('metadata of a colleague’s image is shown, with whether the image is unchanged', async () => {
  const theirs = await how(seen(image), []);
  assert.deepEqual([theirs.record, theirs.fileRecord?.where, theirs.change], [undefined, 'inside', 'none']);
  assert.deepEqual(theirs.fileRecord?.provenance.inputs, { prompt: 'a red kite' });
  assert.equal((await how(seen(repainted(image)), [])).change, 'changed');
});

test('a colleague’s image that took the name of one of ours is theirs', async () => {
  const ours = record({ bytes: png(), generationId: 'g2' });
  const { record: found, fileRecord } = await how(seen(image), [ours]);
  assert.equal(found, undefined);
  assert.equal(fileRecord?.provenance.generationId, 'g1');
});

test('a render with the same ID at another service is a different render', async () => {
  const ours = record({ bytes: png(), file: undefined, place: 'https://models.example' });
  assert.equal((await how(seen(image), [ours])).record, undefined);
});

test('a sidecar counts for a file that can’t hold metadata, and only for exactly those bytes', async () => {
  const beside = writeProvenance({ ...provenance, sha256: sha256(photo()) });
  assert.deepEqual(
    await Promise.all([photo(), png(), undefined].map(async (bytes) => (await how(seen(bytes, beside), [])).change)),
    ['none', 'changed', 'unknown'],
  );
  assert.equal((await how(seen(photo(), beside), [])).fileRecord?.where, 'beside');
});

test('embedded metadata takes precedence over the sidecar', async () => {
  const beside = writeProvenance({ modelId: 'x/y/z', inputs: {} });
  assert.equal((await how(seen(image, beside), [])).fileRecord?.provenance.modelId, 'a/b/c');
});

test('a sidecar that isn’t ours is ignored', async () => {
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '{"modelCatalogRender":1}',
    '{"modelCatalogRender":1,"modelId":1,"inputs":{}}',
  ])
    assert.equal((await how(seen(photo(), text), [])).fileRecord, undefined, text);
});

test('its values of the wrong type are omitted, and unknown ones don’t matter', async () => {
  const odd = {
    modelCatalogRender: 9,
    modelId: 'a/b/c',
    inputs: {},
    costCents: 1.5,
    orderedAt: 'yesterday',
    service: 7,
    sha256: null,
    tool: '',
    more: 'than we know',
  };
  const told = (await how(seen(photo(), JSON.stringify(odd)), [])).fileRecord?.provenance;
  const { modelId, inputs, ...others } = told!;
  assert.equal(modelId, 'a/b/c');
  assert.deepEqual(Object.keys(inputs), []);
  assert.deepEqual(Object.values(others).filter(Boolean), []);
});
