import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { inspectedBytes, isWhole, type Wholeness } from '../../../src/files/completeness';
import { embedded, embeddedMetadataIn, jpegCarrier } from '../../../src/files/embeddedMetadata';
import { pngCarrier } from '../../../src/files/pngCarrier';
import type { Provenance } from '../../../src/files/provenance';
import { sniff } from '../../../src/files/sniff';
import { webpCarrier } from '../../../src/files/webpCarrier';
import { displayedSize } from '../../../src/files/imageSize';
import { broken, whole } from './brokenPictures';

const carriers = { 'image/png': pngCarrier, 'image/jpeg': jpegCarrier, 'image/webp': webpCarrier };
const provenance: Provenance = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a kite' } };

function wholeness(bytes: Buffer, mediaType = sniff(bytes).mediaType): Wholeness {
  return isWhole(mediaType, bytes.subarray(0, inspectedBytes), bytes.subarray(-inspectedBytes), bytes.length);
}

test('an image with its end is complete, and cut at any byte it isn’t', (t) => {
  let inputs = 0;
  for (const { name, bytes } of whole) {
    const { mediaType } = sniff(bytes);
    assert.equal(wholeness(bytes), 'whole', name);
    for (let length = 0; length < bytes.length; length++, inputs++)
      assert.equal(wholeness(bytes.subarray(0, length), mediaType), 'cut', `${name} at ${length} of ${bytes.length}`);
  }
  t.diagnostic(`${inputs} pictures`);
});

test('a broken image is read without an error, and its size is one that a page can show, or none', async (t) => {
  let inputs = 0;
  for (const { name, bytes } of broken()) {
    inputs += 1;
    const { mediaType } = sniff(bytes);
    assert.ok(['whole', 'cut', 'unknown'].includes(wholeness(bytes)), name);
    for (const type of Object.keys(carriers)) assert.ok(wholeness(bytes, type) !== 'unknown', `${name} as ${type}`);
    await assert.doesNotReject(embeddedMetadataIn(bytes, systemClock), name);
    assert.match(mediaType, /\//, name);
    const size = displayedSize(bytes);
    for (const side of size ? [size.width, size.height] : [])
      assert.ok(Number.isSafeInteger(side) && side > 0, `${name}: ${side}`);
  }
  t.diagnostic(`${inputs} pictures`);
});

test('the size of an image is read from its own bytes only, whatever follows', () => {
  for (const { name, bytes } of whole)
    for (let length = 0; length < Math.min(bytes.length, 200); length++) {
      const alone = displayedSize(Uint8Array.from(bytes.subarray(0, length)));
      assert.deepEqual(displayedSize(bytes.subarray(0, length)), alone, `${name} at ${length}`);
    }
});

test('metadata is written into a broken image only if it can be read back, and everything else stays', async (t) => {
  const counts = { written: 0, left: 0 };
  for (const { name, bytes } of broken()) {
    const before = Buffer.from(bytes);
    for (const [type, carrierOf] of Object.entries(carriers)) {
      const told = embedded(bytes, type, provenance);
      counts[told ? 'written' : 'left'] += 1;
      if (!told) continue;
      const file = Buffer.concat(told.pieces);
      const found = await embeddedMetadataIn(file, systemClock);
      assert.ok(found?.isOfThis && found.pictureSha256 === told.pictureSha256, `${name} as ${type}`);
      assert.deepEqual(found.provenance.inputs, provenance.inputs, name);
      const kept = Buffer.concat(carrierOf(file)?.image ?? []);
      assert.ok(kept.equals(Buffer.concat(carrierOf(bytes)?.image ?? [])), name);
      // Everything is still there, except that a WebP restates its length and that it has XMP.
      for (const part of partsOf(bytes, type)) assert.ok(file.includes(part), `${name} as ${type}`);
      assert.equal(embedded(file, type, provenance), undefined, `${name} twice`);
    }
    assert.ok(before.equals(bytes), `${name} is as it was`);
  }
  t.diagnostic(`${counts.written} written, ${counts.left} left alone`);
  assert.ok(counts.written > 100 && counts.left > 1000);
});

/** What no change may remove from an image. */
function partsOf(bytes: Buffer, mediaType: string): Buffer[] {
  if (mediaType !== 'image/webp') return [bytes.subarray(0, 2), bytes.subarray(-12)];
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    // The first byte of the header gets the XMP flag.
    const isHead = bytes.toString('latin1', at, at + 4) === 'VP8X';
    parts.push(bytes.subarray(at + (isHead ? 9 : 0), end));
    at = end + (end % 2);
  }
  return parts.filter((part) => part.toString('latin1', 0, 4) !== 'XMP ');
}
