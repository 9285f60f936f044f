import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { GivenImage } from '../../../src/base/givenImage';
import { imagesIn, type GivenImages } from '../../../src/files/givenImages';
import { writeProvenance } from '../../../src/files/provenance';
import { inputsSha256, recordedInputs } from '../../../src/files/recordedImages';
import { cutShort } from '../../../src/renders/ledgerRow';
import { matchesOf } from '../../../src/renders/proof';
import { OrderError } from '../../../src/renders/orderError';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

/** A PNG by its first bytes. */
const photo = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300, 7)]);
const base64 = photo.toString('base64');
const address = `data:image/png;base64,${base64}`;

/** A window of a service whose requests can have images. */
async function windowWithImages(t: TestContext) {
  const folder = folderFor(t);
  const clock = new TestClock();
  const service = new TestService(clock);
  const images = imagesIn(folder);
  service.imageBytes = (image) => images.read(image);
  const window = await openWindow(t, folder, service, clock);
  return { folder, service, images, window, clock };
}

/** The files of the ledger itself, as text: not the bodies and images next to it. */
function ledgerText(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^ledger\.db(-wal|-shm)?$/.test(name));
  return names.map((name) => readFileSync(join(folder, name), 'latin1')).join('');
}

function keep(images: GivenImages): GivenImage {
  return images.keep(photo, 'photos/a.png');
}

test('an image is sent with its bytes, and the ledger has only its name, hash, format, and size', async (t) => {
  const { folder, service, images, window } = await windowWithImages(t);
  const image = keep(images);
  assert.deepEqual(Object.keys(image), ['file', 'sha256', 'type', 'bytes']);
  const record = await ordered(window, order({ inputs: { prompt: 'a kite', image } }));
  assert.equal(
    service.posts[0]?.body,
    JSON.stringify({ modelId: 'a/b/c', inputs: { prompt: 'a kite', image: address } }),
  );
  assert.deepEqual(record.inputs, { prompt: 'a kite', image });
  assert.ok(ledgerText(folder).includes('photos/a.png'), 'the record is in the ledger');
  assert.ok(!ledgerText(folder).includes(base64.slice(0, 40)));
});

test('what is sent is what was quoted, and again so when it is repeated after a lost response', async (t) => {
  const { service, images, window, clock } = await windowWithImages(t);
  const inputs = { image: keep(images) };
  const quoted = new TextDecoder().decode(service.bodyOf('a/b/c', inputs));
  service.fates = ['lostBefore', 'charged'];
  const done = ordered(window, order({ inputs }));
  rmSync(images.folder, { recursive: true });
  await clock.advance(60_000);
  assert.equal((await done).state, 'accepted');
  assert.deepEqual(
    service.posts.map(({ body }) => body),
    [quoted, quoted],
  );
});

test('an image that vanished before the order stops it, with nothing recorded or sent', async (t) => {
  const { service, images, window } = await windowWithImages(t);
  const one = order({ inputs: { image: keep(images) } });
  images.forget(keep(images));
  assert.throws(
    () => window.renderer.order(one),
    (error) => error instanceof OrderError && error.code === 'imageGone',
  );
  assert.equal(window.ledger.get(one.intent), undefined);
  assert.equal(service.posts.length, 0);
});

test('an image that was changed on disk isn’t sent', async (t) => {
  const { images, window } = await windowWithImages(t);
  const image = keep(images);
  writeFileSync(images.pathOf(image), Buffer.concat([photo, photo]));
  assert.throws(() => window.renderer.order(order({ inputs: { image } })), OrderError);
});

test('the inputs of a render can be rendered again, even when its image is kept nowhere else', async (t) => {
  const { service, images, window } = await windowWithImages(t);
  const inputs = { prompt: 'a kite', image: keep(images) };
  const record = await ordered(window, order({ inputs }));
  rmSync(images.folder, { recursive: true });
  const again = window.library.inputsOf({ record, inputs: record.inputs });
  assert.deepEqual(again, inputs);
  await ordered(window, order({ inputs: again }));
  assert.equal(service.posts[1]?.body, service.posts[0]?.body);
});

test('a list of images is sent in its order, rendered again with the same bytes, and forgotten with its render', async (t) => {
  const { folder, service, images, window } = await windowWithImages(t);
  const [image, other] = [keep(images), images.keep(Buffer.concat([photo, photo]), 'photos/b.png')];
  const url = 'https://images.example/c.png';
  const inputs = { images: [other, url, image] };
  const record = await ordered(window, order({ inputs }));
  const twice = `data:image/png;base64,${Buffer.concat([photo, photo]).toString('base64')}`;
  assert.equal(service.posts[0]?.body, JSON.stringify({ modelId: 'a/b/c', inputs: { images: [twice, url, address] } }));
  assert.deepEqual(record.inputs, inputs);
  assert.ok(!ledgerText(folder).includes(base64.slice(0, 40)));
  rmSync(images.folder, { recursive: true });
  const again = window.library.inputsOf({ record, inputs: record.inputs });
  assert.deepEqual(again, inputs);
  await ordered(window, order({ inputs: again }));
  assert.equal(service.posts[1]?.body, service.posts[0].body);
  window.ledger.forget(record);
  assert.deepEqual(
    [image, other].map((one) => images.has(one)),
    [false, false],
  );
});

test('a file records images of a list by their hashes, whatever their files are called, also without its texts', () => {
  const [a, b] = ['a', 'b'].map((digit) => ({
    file: `${digit}.png`,
    sha256: digit.repeat(64),
    type: 'image/png',
    bytes: 9,
  }));
  const inputs = { prompt: 'a kite', images: [a!, b!] };
  const renamed = { ...inputs, images: [{ ...a!, file: 'x.png' }, b!] };
  assert.equal(inputsSha256(inputs), inputsSha256(renamed));
  assert.notEqual(inputsSha256(inputs), inputsSha256({ ...inputs, images: [b!, a!] }));
  assert.deepEqual(recordedInputs(inputs, false).inputs, {
    images: [
      { ...a, file: '' },
      { ...b, file: '' },
    ],
  });
  const withUrl = { images: [a!, 'https://images.example/secret'] };
  assert.deepEqual(recordedInputs(withUrl, false).inputs, {}, 'a URL may be anybody’s words');
});

test('a data address in inputs from outside is sent as it is, and recorded without its bytes', async (t) => {
  const { folder, service, images, window } = await windowWithImages(t);
  const { sha256, type, bytes } = keep(images);
  const record = await ordered(window, order({ inputs: { image: address, more: [{ mask: address }] } }));
  assert.ok(service.posts[0]?.body.includes(address));
  const told = { file: '', sha256, type, bytes };
  assert.deepEqual(record.inputs, { image: told, more: [{ mask: told }] });
  assert.ok(!ledgerText(folder).includes(base64.slice(0, 40)));
  assert.deepEqual(window.ledger.inputsOf(record), { image: address, more: [{ mask: address }] });
});

test('forgetting a render forgets its image', async (t) => {
  const { images, window } = await windowWithImages(t);
  const image = keep(images);
  const record = await ordered(window, order({ inputs: { image } }));
  window.ledger.forget(record);
  assert.equal(images.has(image), false);
});

test('an image is kept for its user only, and forgotten when nobody has chosen it for long', async (t) => {
  const { images } = await windowWithImages(t);
  const image = keep(images);
  images.sweep(Date.now() - 60_000);
  assert.deepEqual([...(images.read(image) ?? [])], [...photo]);
  images.sweep(Date.now() + 60_000);
  assert.equal(images.read(image), undefined);
});

test('a field for bare base64 gets just that', async (t) => {
  const { service, images, window } = await windowWithImages(t);
  const image = { ...keep(images), encoding: 'base64' as const };
  await ordered(window, order({ inputs: { image } }));
  assert.equal(service.posts[0]?.body, JSON.stringify({ modelId: 'a/b/c', inputs: { image: base64 } }));
});

test('metadata has no bytes of an image, and its hash of the inputs is that of the image’s bytes', async (t) => {
  const { images } = await windowWithImages(t);
  const image = keep(images);
  const told = writeProvenance({ tool: 'test', modelId: 'a/b/c', ...recordedInputs({ image: address }, true) }, 2);
  assert.ok(told.includes(image.sha256) && !told.includes(base64.slice(0, 40)));
  assert.equal(inputsSha256({ image: address }), inputsSha256({ image: { ...image, file: 'elsewhere.png' } }));
  assert.notEqual(inputsSha256({ image: address }), inputsSha256({ image: `${address.slice(0, -8)}AAAAAAA=` }));
});

test('a listed render with the same image is recognized by the image’s bytes', async (t) => {
  const { images, window } = await windowWithImages(t);
  const inputs = { image: keep(images) };
  const record = { ...(await ordered(window, order({ inputs }))), generationId: undefined };
  const listed = { id: 'g', status: 'queued', modelId: 'a/b/c', createdAt: record.plannedAt };
  assert.equal(matchesOf(record, [{ ...listed, inputs: { image: address } }]).length, 1);
  assert.equal(matchesOf(record, [{ ...listed, inputs: { image: address.replace('Bwc', 'Bwd') } }]).length, 0);
  assert.equal(matchesOf(record, [{ ...listed, inputs: {} }]).length, 0);
});

test('long texts next to an image are still cut for lists', () => {
  const inputs = cutShort({ notes: 'x'.repeat(3000), image: address });
  assert.equal((inputs['notes'] as string).length, 2001);
});

test('an image that was chosen in one project can’t be named in another, and forgetting it takes it from both', (t) => {
  const folder = folderFor(t);
  const [one, other] = [imagesIn(folder, 'file:///one'), imagesIn(folder, 'file:///other')];
  const image = keep(one);
  assert.ok(one.has(image));
  assert.ok(!other.has(image));
  assert.equal(other.read(image), undefined);
  keep(other);
  one.forget(image);
  assert.ok(!one.has(image) && !other.has(image));
});

test('forgetting a project takes every image that was chosen in it, and none of another', (t) => {
  const folder = folderFor(t);
  const [one, other] = [imagesIn(folder, 'file:///one'), imagesIn(folder, 'file:///other')];
  const image = keep(one);
  keep(other);
  one.forgetProject();
  assert.ok(!one.has(image));
  assert.deepEqual(other.read(image), photo);
});

test('what files say of URLs and paths among the inputs lets nobody in, and names no folder outside the project', () => {
  const signed = 'https://me:secret@files.example/a/b.png?X-Amz-Signature=abc#top';
  const sent = {
    prompt: 'a kite / made of paper: red? #1',
    image: { file: '/home/me/private/c.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 3 },
    start: signed,
    more: [signed, { mask: 's3://key:secret@bucket/mask.png?versionId=1' }],
    paths: ['/home/me/my photos/d.png', '~/e.png', '../../f.png', 'C:\\Users\\me\\g.png', 'file:///home/me/h.png'],
    inside: 'photos/i.png',
    command: '/imagine a fox',
    note: 'ratio: 3/4',
  };
  const { inputs } = recordedInputs(sent, true);
  assert.deepEqual(inputs, {
    ...sent,
    image: { ...sent.image, file: 'c.png' },
    start: 'https://files.example/a/b.png',
    more: ['https://files.example/a/b.png', { mask: 's3://bucket/mask.png' }],
    paths: ['d.png', 'e.png', 'f.png', 'g.png', 'h.png'],
  });
  assert.doesNotMatch(writeProvenance({ modelId: 'a/b/c', inputs }), /secret|Signature|versionId|home|Users/);
  assert.deepEqual(recordedInputs(inputs, true).inputs, inputs);
  assert.equal(inputsSha256(sent), inputsSha256(inputs));
});
