import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FormImages,
  type FormImageFiles,
  type ImageSource,
  type TakenImage,
} from '../../../../../src/features/form/model/formImages';
import type { GivenImage } from '../../../../../src/base/givenImage';
import type { Field } from '../../../../../src/catalog/fields';
import { englishFormStrings } from '../../../../../src/features/form/page/formMessages';
import { inCmyk, photo, turned } from '../../../files/pictures';

const png = pngOf(64, 48);
const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100)]);

/** The header of a PNG of these sides, with a chunk of this name after it. */
function pngOf(width: number, height: number, next = 'IDAT'): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(13);
  header.write('IHDR', 4);
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.write(next, 29);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header]);
}

const field: Field = {
  name: 'image',
  label: 'Image',
  kind: 'image',
  statedType: 'image',
  required: true,
  image: { types: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 8_000_000 },
};

/** Images whose files and keeping are the test's. */
class Desk implements FormImageFiles {
  readonly kept: GivenImage[] = [];
  files = new Map<string, ImageSource>();
  picked: readonly ImageSource[] = [];
  reads = 0;
  readonly images = new FormImages(this, englishFormStrings, 'en');

  pick = () => Promise.resolve(this.picked);
  find = (uri: string) => Promise.resolve(this.files.get(uri));
  readonly bytes = new Map<string, Uint8Array>();
  read = ({ sha256 }: GivenImage) => this.bytes.get(sha256);
  has = ({ sha256 }: GivenImage) => this.kept.some((kept) => kept.sha256 === sha256);
  keep(bytes: Uint8Array, file: string): GivenImage {
    const image = { file, sha256: String(this.kept.length).repeat(64), type: 'image/png', bytes: bytes.length };
    this.kept.push(image);
    this.bytes.set(image.sha256, bytes);
    return image;
  }

  file(bytes: Buffer, facts: Partial<ImageSource> = {}): ImageSource {
    const read = () => (this.reads++, Promise.resolve(bytes));
    return { file: 'photos/a.png', bytes: bytes.length, read, ...facts };
  }
}

function problemOf(taken: TakenImage | undefined): string | undefined {
  return taken && 'problem' in taken ? taken.problem : undefined;
}

test('a picked image becomes the value of its field, by name, hash, format, and size', async () => {
  const desk = new Desk();
  desk.picked = [desk.file(png)];
  const image = { file: 'photos/a.png', sha256: '0'.repeat(64), type: 'image/png', bytes: 108 };
  assert.deepEqual(await desk.images.picked(field, 1), [{ image }]);
});

test('a field for bare base64 gets an image that is sent as that', () => {
  const taken = new Desk().images.keep({ ...field, image: { ...field.image!, base64: true } }, png, 'a.png');
  assert.equal('image' in taken && taken.image.encoding, 'base64');
});

test('nothing is picked when the user cancels', async () => {
  assert.deepEqual(await new Desk().images.picked(field, 1), []);
});

for (const [what, bytes, facts, problem] of [
  ['a file of 50 MB', png, { bytes: 50_000_000 }, '50 MB is over the 8 MB limit. Choose a smaller image.'],
  ['a folder', png, { isFolder: true, file: 'photos' }, '“photos” is a folder. Choose an image.'],
  ['a text that is called .png', Buffer.from('a text'), {}, '“photos/a.png” isn’t an image.'],
  ['a GIF', gif, {}, 'GIF isn’t supported here. Use PNG, JPEG, or WebP.'],
  [
    'a file that can’t be read',
    png,
    { read: () => Promise.reject(new Error('No permission')) },
    '“photos/a.png” can’t be read. Check the file, then try again.',
  ],
] as const) {
  test(`${what} is refused with a reason, and nothing of it is kept`, async () => {
    const desk = new Desk();
    assert.equal(problemOf(await desk.images.of(field, desk.file(bytes, facts))), problem);
    assert.equal(desk.kept.length, 0);
  });
}

test('a file that is too large isn’t even read', async () => {
  const desk = new Desk();
  await desk.images.of(field, desk.file(png, { bytes: 8_000_001 }));
  assert.equal(desk.reads, 0);
});

test('only files of the workspace can be dropped by their URI', async () => {
  const desk = new Desk();
  desk.files.set('file:///project/a.png', desk.file(png));
  const [taken, refused] = await desk.images.dropped(field, ['file:///project/a.png', 'file:///etc/secret%20plan.png']);
  assert.ok(taken && 'image' in taken);
  assert.equal(problemOf(refused), '“secret plan.png” isn’t in the workspace. Select Choose Image… instead.');
});

test('a draft whose image is no longer kept has the field without it, with why', () => {
  const desk = new Desk();
  const kept = desk.keep(png, 'a.png');
  const gone = { ...kept, sha256: 'f'.repeat(64), file: 'b.png' };
  const other = { ...field, name: 'other' };
  const settled = desk.images.settled(
    [field, other],
    [
      ['image', { images: [kept, 'https://images.example/a.png'] }],
      ['other', { images: [gone, 'https://images.example/b.png'] }],
    ],
  );
  assert.deepEqual(settled.values, [
    ['image', { images: [kept, 'https://images.example/a.png'] }],
    ['other', 'https://images.example/b.png'],
  ]);
  assert.deepEqual(settled.problems, [['other', '“b.png” is no longer available. Choose it again.']]);
});

test('an image in a data address is kept like any other, and an address of the web stays as it is', () => {
  const desk = new Desk();
  const settled = desk.images.settled(
    [field, { ...field, name: 'other' }, { ...field, name: 'text', kind: 'text' }],
    [
      ['image', `data:image/png;base64,${png.toString('base64')}`],
      ['other', 'https://images.example/a.png'],
      ['text', 'data:image/png;base64,AAAA'],
    ],
  );
  assert.deepEqual(settled.values, [
    ['image', { images: [{ ...desk.kept[0]!, file: 'Image' }] }],
    ['other', 'https://images.example/a.png'],
    ['text', 'data:image/png;base64,AAAA'],
  ]);
});

test('an image that is damaged, animated, or of too many or few pixels is refused with the reason', async () => {
  const desk = new Desk();
  const limited = { ...field, image: { ...field.image!, minWidth: 32, maxWidth: 4096, maxHeight: 4096 } };
  const webp = Buffer.concat([
    Buffer.from('RIFF\x30\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0', 'latin1'),
    Buffer.alloc(30, 1),
  ]);
  const cut = png.subarray(0, 16);
  for (const [bytes, problem] of [
    [pngOf(8000, 3000), 'This image is 8000 pixels wide. Use one of at most 4096.'],
    [pngOf(16, 3000), 'This image is 16 pixels wide. Use one of at least 32.'],
    [pngOf(64, 64, 'acTL'), 'This image is animated. Use a still image.'],
    [webp, 'This image is animated. Use a still image.'],
    [cut, 'This image is damaged. Use another file.'],
    [
      turned(photo()),
      'This photo is stored turned or mirrored, and services may see it that way. Save it upright in an image editor.',
    ],
    [inCmyk(photo()), 'This image has colors for print (CMYK). Save it in RGB in an image editor.'],
  ] as const)
    assert.equal(problemOf(await desk.images.of(limited, desk.file(bytes))), problem);
  // So is what was kept for another field, or by another door.
  const other = new Desk();
  const sideways = other.keep(turned(photo()), 'photos/a.jpg');
  assert.match(problemOf(other.images.kept(field, { ...sideways, type: 'image/jpeg' })) ?? '', /turned or mirrored/);
  const gone = { ...sideways, sha256: 'f'.repeat(64) };
  assert.equal(problemOf(other.images.kept(field, gone)), '“photos/a.jpg” is no longer available. Choose it again.');
  const unlimited = await desk.images.of(field, desk.file(pngOf(10_000, 5000)));
  assert.equal(problemOf(unlimited), 'This image has 50 megapixels. Use one of at most 40.');
  assert.deepEqual(desk.kept, []);
});
