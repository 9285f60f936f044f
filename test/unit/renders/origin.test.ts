import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { inscribed } from '../../../src/files/inscription';
import { writeProvenance, type Provenance } from '../../../src/files/provenance';
import { originOf, type Seen } from '../../../src/renders/origin';
import type { RenderRecord } from '../../../src/renders/record';
import { photo, png } from '../files/pictures';

const here = 'file:///project/renders/kite.png';
const provenance: Provenance = {
  modelId: 'a/b/c',
  inputs: { prompt: 'a red kite' },
  service: 'sandbox',
  generationId: 'g1',
};
const picture = Buffer.concat(inscribed(png(), 'image/png', provenance) ?? []);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function record(change: Partial<RenderRecord> & { readonly bytes?: Uint8Array } = {}): RenderRecord {
  const { bytes = picture, ...other } = change;
  return {
    index: 1,
    version: 1,
    key: 'k1',
    place: 'sandbox',
    account: 'account',
    modelId: 'a/b/c',
    inputs: { prompt: 'a red kite' },
    body: new Uint8Array(),
    target: { folder: 'renders', fileName: 'kite' },
    plannedAt: 1,
    state: 'saved',
    attempt: 1,
    unanswered: 0,
    owner: 'window',
    generationId: 'g1',
    file: here,
    spooled: { name: 'k1', bytes: bytes.length, sha256: sha256(bytes), mediaType: 'image/png', extension: 'png' },
    ...other,
  };
}

function seen(bytes: Uint8Array | undefined, beside?: string, at = here): Seen {
  return { bytes, beside, isAt: (uri) => uri === at };
}

/** As another tool changes what a file says, and not its picture. */
function retold(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace('a red kite', 'A red kite'), 'latin1');
}

/** As a person changes a picture: its last pixels. */
function repainted(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  const at = other.indexOf('IEND') - 12;
  other[at] = other[at]! ^ 1;
  return other;
}

test('a file of ours is known by its bytes, where it was saved and wherever it was moved', () => {
  for (const at of [here, 'file:///elsewhere/other.png']) {
    const { record: found, change } = originOf(seen(picture, undefined, at), [record()]);
    assert.deepEqual([found?.key, change], ['k1', 'none']);
  }
});

test('of two renders with the same bytes the one that was saved there is meant', () => {
  const records = [record({ key: 'k2', file: 'file:///other.png' }), record()];
  assert.equal(originOf(seen(picture), records).record?.key, 'k1');
});

test('what a picture took over from the one it was made from is not its own story, when the file beside it tells that', () => {
  const made = repainted(picture);
  const own = { ...provenance, generationId: 'g2', sha256: sha256(made) };
  const { told, change } = originOf(seen(made, writeProvenance(own)), []);
  assert.deepEqual([told?.where, told?.provenance.generationId, change], ['beside', 'g2', 'none']);
  const changed = originOf(seen(made, writeProvenance({ ...own, sha256: sha256(picture) })), []);
  assert.deepEqual([changed.told?.where, changed.change], ['inside', 'changed']);
});

test('a picture of ours that was painted over says so, under any name', () => {
  const { record: found, change } = originOf(seen(repainted(picture), undefined, 'file:///moved.png'), [record()]);
  assert.deepEqual([found?.key, change], ['k1', 'changed']);
});

test('where only the words in a picture of ours were changed, the picture is known to be the same', () => {
  const { record: found, change } = originOf(seen(retold(picture)), [record()]);
  assert.deepEqual([found?.key, change], ['k1', 'metadata']);
});

test('a file that says nothing is ours by its name alone, and then may be any file', () => {
  const mute = record({ bytes: png() });
  assert.deepEqual(originOf(seen(png(7)), [mute]), { record: mute, change: 'replaced' });
  assert.deepEqual(originOf(seen(undefined), [mute]), { record: mute, change: 'unknown' });
  assert.deepEqual(originOf(seen(png(7), undefined, 'file:///other.png'), [mute]), {
    record: undefined,
    change: 'unknown',
  });
});

test('what a colleague’s picture says is told, with whether it is still that picture', () => {
  const theirs = originOf(seen(picture), []);
  assert.deepEqual([theirs.record, theirs.told?.where, theirs.change], [undefined, 'inside', 'none']);
  assert.deepEqual(theirs.told?.provenance.inputs, { prompt: 'a red kite' });
  assert.equal(originOf(seen(repainted(picture)), []).change, 'changed');
});

test('a colleague’s picture that took the name of one of ours is theirs', () => {
  const ours = record({ bytes: png(), generationId: 'g2' });
  const { record: found, told } = originOf(seen(picture), [ours]);
  assert.equal(found, undefined);
  assert.equal(told?.provenance.generationId, 'g1');
});

test('a render of the same id at another service is another render', () => {
  const ours = record({ bytes: png(), file: undefined, place: 'https://models.example' });
  assert.equal(originOf(seen(picture), [ours]).record, undefined);
});

test('the file beside it speaks for one that cannot, and is believed of the very same bytes', () => {
  const beside = writeProvenance({ ...provenance, sha256: sha256(photo()) });
  assert.deepEqual(
    [photo(), png(), undefined].map((bytes) => originOf(seen(bytes, beside), []).change),
    ['none', 'changed', 'unknown'],
  );
  assert.equal(originOf(seen(photo(), beside), []).told?.where, 'beside');
});

test('what stands in the file counts before what stands beside it', () => {
  const beside = writeProvenance({ modelId: 'x/y/z', inputs: {} });
  assert.equal(originOf(seen(picture, beside), []).told?.provenance.modelId, 'a/b/c');
});

test('a file beside it that is no record of ours says nothing', () => {
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '{"modelCatalogRender":1}',
    '{"modelCatalogRender":1,"modelId":1,"inputs":{}}',
  ])
    assert.equal(originOf(seen(photo(), text), []).told, undefined, text);
});

test('values of a wrong kind in it are left out, and unknown ones do not matter', () => {
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
  const told = originOf(seen(photo(), JSON.stringify(odd)), []).told?.provenance;
  const { modelId, inputs, ...others } = told!;
  assert.equal(modelId, 'a/b/c');
  assert.deepEqual(Object.keys(inputs), []);
  assert.deepEqual(Object.values(others).filter(Boolean), []);
});
