import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectedBytes, isWhole, type Wholeness } from '../../../src/files/completeness';
import { gif, jpeg, png, webp } from './pictures';

function wholeness(mediaType: string, bytes: Buffer): Wholeness {
  return isWhole(mediaType, bytes.subarray(0, inspectedBytes), bytes.subarray(-inspectedBytes), bytes.length);
}

const images = { 'image/png': png(), 'image/jpeg': jpeg(), 'image/gif': gif(), 'image/webp': webp() };

test('an image that ends as its format requires is complete', () => {
  for (const [mediaType, bytes] of Object.entries(images))
    assert.equal(wholeness(mediaType, bytes), 'whole', mediaType);
});

test('an image cut at any byte is cut (C33)', () => {
  for (const [mediaType, bytes] of Object.entries(images)) {
    for (let length = 12; length < bytes.length; length++) {
      assert.equal(
        wholeness(mediaType, bytes.subarray(0, length)),
        'cut',
        `${mediaType} at ${length} of ${bytes.length}`,
      );
    }
  }
});

test('an image longer than the inspected part is judged by its end', () => {
  const scan = Buffer.alloc(3 * inspectedBytes, 0x11);
  const long = Buffer.concat([jpeg().subarray(0, -2), scan, Buffer.from('ffd9', 'hex')]);
  assert.equal(wholeness('image/jpeg', long), 'whole');
  assert.equal(wholeness('image/jpeg', long.subarray(0, -2)), 'cut');
});

test('padding and appended data don’t make an image less complete', () => {
  assert.equal(wholeness('image/gif', Buffer.concat([gif(), Buffer.alloc(9)])), 'whole');
  for (const mediaType of ['image/png', 'image/jpeg', 'image/webp'] as const) {
    assert.equal(wholeness(mediaType, Buffer.concat([images[mediaType], Buffer.from('appended')])), 'whole', mediaType);
  }
});

test('other types give no result', () => {
  assert.equal(wholeness('text/plain', Buffer.from('a')), 'unknown');
});
