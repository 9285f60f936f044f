import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endingFor, sniff } from '../../../src/files/sniff';
import { gif, jpeg, png, webp } from './pictures';

const box = (brand: string, ...compatible: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 16 + 4 * compatible.length]),
    Buffer.from(`ftyp${brand}\0\0\0\0${compatible.join('')}`, 'latin1'),
    Buffer.alloc(64),
  ]);
const bitmap = Buffer.concat([
  Buffer.from('BM'),
  Buffer.from([58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]),
  Buffer.alloc(40),
]);
const matroska = (docType: string) =>
  Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282', 'hex'),
    Buffer.from([0x80 + docType.length]),
    Buffer.from(docType),
    Buffer.alloc(64),
  ]);
const latin = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(64)]);

const archive =
  'UEsDBBQAAAAAAAAAIQCDFtyMAQAAAAEAAAABAAAAYXhQSwECFAMUAAAAAAAAACEAgxbcjAEAAAABAAAAAQAAAAAAAAAAAAAAgAEAAAAAYVBLBQYAAAAAAQABAC8AAAAgAAAAAAA=';

const samples: readonly (readonly [
  name: string,
  bytes: Buffer,
  mediaType: string,
  extension: string,
  oracle?: string,
])[] = [
  ['PNG', png(), 'image/png', 'png'],
  ['JPEG', jpeg(), 'image/jpeg', 'jpg'],
  ['GIF', gif(), 'image/gif', 'gif'],
  ['WebP', webp(), 'image/webp', 'webp'],
  ['AVIF', box('avif', 'mif1', 'miaf'), 'image/avif', 'avif'],
  ['HEIC', box('heic', 'mif1'), 'image/heic', 'heic'],
  ['BMP', bitmap, 'image/bmp', 'bmp'],
  ['TIFF', Buffer.concat([Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'), Buffer.alloc(64)]), 'image/tiff', 'tif'],
  ['MP4', box('isom', 'isom', 'mp42'), 'video/mp4', 'mp4'],
  ['MOV', box('qt  ', 'qt  '), 'video/quicktime', 'mov'],
  ['M4A', box('M4A ', 'M4A '), 'audio/mp4', 'm4a'],
  ['WebM', matroska('webm'), 'video/webm', 'webm'],
  ['Matroska', matroska('matroska'), 'video/matroska', 'mkv'],
  ['MP3', Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(500)]), 'audio/mpeg', 'mp3'],
  ['WAV', latin('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav', 'wav'],
  ['OGG', latin('OggS\0\x02' + '\0'.repeat(22) + '\x01vorbis'), 'audio/ogg', 'ogg'],
  ['FLAC', latin('fLaC\0\0\0\x22'), 'audio/flac', 'flac'],
  ['PDF', latin('%PDF-1.7\n'), 'application/pdf', 'pdf'],
  ['ZIP', Buffer.from(archive, 'base64'), 'application/zip', 'zip'],
  ['GLB', latin('glTF\x02\0\0\0'), 'model/gltf-binary', 'glb'],
];

test('known file types are recognized by their bytes, as an established library does', async () => {
  const { fileTypeFromBuffer } = await import('file-type');
  for (const [name, bytes, mediaType, extension] of samples) {
    assert.deepEqual(sniff(bytes), { mediaType, extension }, name);
    const oracle = await fileTypeFromBuffer(bytes);
    assert.equal(oracle?.ext, extension, `${name} by the library`);
  }
});

test('an image collection without its own brand is recognized by its compatible brands', () => {
  assert.equal(sniff(box('mif1', 'mif1', 'heic')).extension, 'heic');
  assert.equal(sniff(box('mif1', 'miaf', 'avif')).extension, 'avif');
  assert.equal(sniff(box('mif1', 'miaf')).extension, 'heif');
});

test('text stays text, whatever it claims, unless it is an SVG', () => {
  const text = [
    'Ein Fuchs',
    '<!doctype html><script>1</script>',
    '#!/bin/sh\n',
    '{"a":1}',
    'BMW cars are built in Bavaria since 1916',
    'MZ',
  ];
  for (const given of text)
    assert.deepEqual(sniff(Buffer.from(given)), { mediaType: 'text/plain', extension: 'txt' }, given);
  const drawings = ['<svg xmlns="x"/>', '\ufeff <?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "x">\n<svg>'];
  for (const given of drawings)
    assert.deepEqual(sniff(Buffer.from(given)), { mediaType: 'image/svg+xml', extension: 'svg' });
  assert.equal(sniff(Buffer.from('<svgx>')).extension, 'txt');
  assert.equal(sniff(Buffer.from('<!----><!-->'.repeat(300))).extension, 'txt');
});

test('a character cut at the end of the inspected bytes is still text', () => {
  assert.equal(sniff(Buffer.from('a' + 'ü'.repeat(5000))).extension, 'txt');
  assert.equal(sniff(Buffer.from('aü').subarray(0, 2)).extension, 'bin');
});

test('a document may spell a file extension in its own way, but never name another format', () => {
  assert.equal(endingFor('jpg', 'jpeg'), 'jpeg');
  assert.equal(endingFor('png', 'PNG'), 'PNG');
  assert.equal(endingFor('tif', 'tiff'), 'tiff');
  assert.equal(endingFor('png', 'jpg'), 'png');
  assert.equal(endingFor('bin', 'constructor'), 'bin');
  assert.equal(endingFor('webp', undefined), 'webp');
});

test('a text is saved under no file extension that an editor, a site builder, or a system runs', () => {
  for (const ending of ['mdx', 'mdc', 'html', 'svg', 'js', 'sh', 'bat', 'ipynb']) {
    assert.equal(endingFor('md', ending), 'md', ending);
    assert.equal(endingFor('txt', ending), 'txt', ending);
  }
});

test('anything else is plain bytes', () => {
  const others = [
    '4d5a9000030000000400',
    '7f454c46020101',
    'cafebabe00000034',
    '4c0000000114020000',
    'fffe61006200',
    '00',
  ];
  for (const given of others)
    assert.deepEqual(sniff(Buffer.from(given, 'hex')), { mediaType: 'application/octet-stream', extension: 'bin' });
  assert.equal(sniff(Buffer.alloc(0)).extension, 'bin');
});

test('no bytes give a file extension outside the list', () => {
  const allowed = new Set([...samples.map(([, , , extension]) => extension), 'heif', 'svg', 'txt', 'bin']);
  const start = fc.constantFrom(
    ...samples.map(([, bytes]) => bytes.subarray(0, 12)),
    Buffer.from('<svg '),
    Buffer.alloc(0),
  );
  const bytes = fc.tuple(start, fc.uint8Array({ maxLength: 64 })).map(([first, rest]) => Buffer.concat([first, rest]));
  fc.assert(
    fc.property(bytes, (given) => assert.ok(allowed.has(sniff(given).extension))),
    { numRuns: 5000 },
  );
});
