import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'fast-png';
import { displayedSize } from '../../../src/files/imageSize';
import { photo } from './pictures';
import { growsInProportion } from '../growth';

const ascii = (text: string) => [...Buffer.from(text, 'latin1')];
const box = (type: string, body: number[], size = body.length + 8) => [0, 0, 0, size, ...ascii(type), ...body];

test('the size of a PNG and of a drawing is read', () => {
  const png = encode({ width: 3, height: 2, data: new Uint8Array(3 * 2 * 4), channels: 4, depth: 8 });
  assert.deepEqual(displayedSize(png), { width: 3, height: 2 });
  const drawing = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>';
  assert.deepEqual(displayedSize(Buffer.from(drawing)), { width: 7, height: 5 });
});

test('bytes that send a reader in circles aren’t an image, and end immediately', () => {
  // Boxes of size 0 in HEIF and JPEG XL, and entries of size 0 in ICNS: skipping them leads back to the same place.
  const loops = [
    [...box('ftyp', ascii('heic\0\0\0\0')), ...box('meta', [0, 0, 0, 0, ...box('iprp', [], 0)], 0)],
    [...box('JXL ', [0x0d, 0x0a, 0x87, 0x0a]), ...box('ftyp', ascii('jxl \0\0\0\0')), ...box('jxlp', [0, 0, 0, 0], 0)],
    [...ascii('icns'), 0, 0, 4, 0, ...ascii('ic07'), 0, 0, 0, 0],
  ].map((bytes) => new Uint8Array([...bytes, ...new Array<number>(540).fill(0)]));
  for (const bytes of loops) assert.equal(displayedSize(bytes), undefined);
});

test('a text of a thousand unclosed drawings isn’t an image', () => {
  assert.equal(displayedSize(Buffer.from('<svg "'.repeat(200_000))), undefined);
});

test('a photo’s size is found after a lot of camera metadata', () => {
  const note = Buffer.concat([Buffer.from('ffeffffe', 'hex'), Buffer.alloc(0xfffc)]);
  const written = [photo().subarray(0, 2), ...new Array<Buffer>(15).fill(note), photo().subarray(2)];
  assert.deepEqual(displayedSize(Buffer.concat(written)), { width: 8, height: 6 });
});

test('junk data takes no longer, however much there is', () => {
  for (const part of ['00', '01', '0001', 'ff', '0002ffff', '0002fffe', '0014fffffffe', '0010457869660000']) {
    const bytes = (length: number) =>
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(length, part, 'hex')]);
    const [short, long] = [bytes(10_000), bytes(1_000_000)];
    const reads = (image: Buffer) => () => displayedSize(image);
    assert.ok(growsInProportion(reads(short), reads(long)), part);
  }
});
