import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { embedded, embeddedMetadataIn } from '../../../src/files/embeddedMetadata';
import { type Provenance, readProvenance } from '../../../src/files/provenance';
import { hashed } from '../../../src/files/sameFile';
import { systemClock } from '../../../src/base/clock';
import { photo, png, transparentWebp } from './pictures';

const provenance: Provenance = {
  tool: 'Model Catalog 1.2.3',
  modelId: 'paperlight/strata/strata-2',
  inputs: { prompt: 'a kite' },
  generationId: 'gen_1',
  costCents: 4,
  orderedAt: Date.UTC(2026, 0, 2),
};

const crowded = {
  'image/jpeg': (count: number) => parted(photo(), 2, Buffer.from('fffe0002', 'hex'), count),
  'image/png': (count: number) => parted(png(), 33, Buffer.from('0000000074455874d1d9ae8a', 'hex'), count),
  'image/webp': (count: number) => {
    const bytes = parted(transparentWebp(), 30, Buffer.from('ABCD\0\0\0\0', 'latin1'), count);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    return bytes;
  },
} as const;

/** The image with this many empty parts inserted. */
function parted(bytes: Buffer, at: number, part: Buffer, count: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(part.length * count, part), bytes.subarray(at)]);
}

for (const [mediaType, make] of Object.entries(crowded)) {
  test(`an ${mediaType} of more parts than anybody needs is left alone`, () => {
    assert.ok(embedded(make(5000), mediaType, provenance) === undefined);
  });

  test(`metadata written into an ${mediaType} of many parts can always be read back`, async () => {
    const written: number[] = [];
    for (let count = 4070; count <= 4100; count += 3) {
      const told = embedded(make(count), mediaType, provenance);
      if (!told) continue;
      written.push(count);
      assert.ok((await embeddedMetadataIn(Buffer.concat(told.pieces), systemClock))?.isOfThis, `${count} parts`);
    }
    assert.ok(written.includes(4070) && !written.includes(4100), 'the limit lies between');
  });
}

test('a sidecar file with too many values is ignored, whatever its texts contain', () => {
  const sidecar = (inputs: string) => `{"modelCatalogRender":1,"modelId":"a/b/c","inputs":{"a":${inputs}}}`;
  for (const many of [`[${'1,'.repeat(20_000)}1]`, '['.repeat(2_000_000), `[${'{},'.repeat(20_000)}1]`])
    assert.equal(readProvenance(sidecar(many)), undefined);
  const text = '\\"a,[{'.repeat(20_000);
  assert.deepEqual(readProvenance(sidecar(JSON.stringify(text)))?.inputs, { a: text });
});

test('the hash of many bytes is the same when other work runs in between', async () => {
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const bytes = Buffer.alloc(100 * 1024 * 1024 + 1, 'a picture');
  const whole = createHash('sha256').update(bytes).digest('hex');
  assert.equal((await hashed(bytes, systemClock)).sha256, whole);
  clearInterval(ticking);
  assert.ok(turns > 0);
});

test('other work runs in between while a very large image is compared with what it says of itself', async () => {
  const told = embedded(png(), 'image/png', provenance)!;
  const large = Buffer.concat([...told.pieces, Buffer.alloc(100 * 1024 * 1024)]);
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  assert.equal((await embeddedMetadataIn(large, systemClock))?.isOfThis, false);
  clearInterval(ticking);
  assert.ok(turns > 0);
});
