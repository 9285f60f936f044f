import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionViews } from '../../../../../src/features/rendering/model/actions';
import { Emitter } from '../../../../../src/base/disposable';
import { silentLog } from '../../../../../src/base/log';
import {
  englishGalleryStrings,
  mostTiles,
  type ToGallery,
} from '../../../../../src/features/gallery/page/galleryMessages';
import { GalleryConversation } from '../../../../../src/features/gallery/model/galleryConversation';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { RenderRecord } from '../../../../../src/renders/record';
import { TestClock } from '../../../clock';

function entry(id: string, part: Partial<LibraryEntry> = {}, root = 'file:///project'): LibraryEntry {
  const record = { key: id, target: { root, folder: '', fileName: '' } } as unknown as RenderRecord;
  return { id, group: 'finished', state: 'saved', modelId: 'p/f/m', inputs: { prompt: id }, record, ...part };
}

function converse(entries: LibraryEntry[]) {
  const changes = new Emitter<void>();
  const clock = new TestClock();
  const posted: ToGallery[] = [];
  const acts: string[] = [];
  const elsewhere: LibraryEntry[] = [];
  const thumbnails = new Set<string>();
  const sizes = new Map<string, number>();
  const library = { entries, elsewhere, older: 0, countOlder: () => library.older, onDidChange: changes.event };
  const world = { folders: ['file:///project'], unreadable: '', names: new Map<string, string>() };
  const conversation = new GalleryConversation({
    library,
    clock,
    log: silentLog,
    strings: englishGalleryStrings,
    locale: 'en',
    folders: () => world.folders,
    nameOf: (modelId) => world.names.get(modelId) ?? modelId,
    waiting: () => undefined,
    standing: ({ id }) => {
      if (id === world.unreadable) throw new Error('Unreadable');
      return '';
    },
    story: () => undefined,
    price: () => undefined,
    spokenPrice: () => undefined,
    actions: actionViews('gallery', (english) => english),
    address: (file) => file,
    given: () => undefined,
    thumbnail: ({ id }) => (thumbnails.has(id) ? `small:${id}` : undefined),
    sizeOf: (file) => Promise.resolve(sizes.get(file)),
    makeThumbnail: ({ id }) => Promise.resolve(void acts.push(`makeThumbnail ${id}`)),
    dropThumbnail: ({ id }) => Promise.resolve(void thumbnails.delete(id)),
    act: (action, id) => Promise.resolve(acts.push(`${action} ${id}`)),
    compare: (ids) => Promise.resolve(acts.push(`compare ${ids.join(' ')}`)),
    remove: (ids) => Promise.resolve(acts.push(`remove ${ids.join(' ')}`)),
    more: (count, places) => `${count} from ${places.join(', ')}`,
    openModel: () => Promise.resolve(acts.push('openModel')),
    showOlder: () => Promise.resolve(acts.push('showOlder')),
    post: (message) => posted.push(message),
  });
  const change = (now: LibraryEntry[]) => {
    library.entries = now;
    changes.fire();
  };
  /** The tile messages since the last call: ids, removed ones, and whether more follows. */
  const told = () =>
    posted.splice(0).flatMap((message) => {
      if (message.type !== 'tiles') return [];
      return [{ ids: message.tiles.map(({ id }) => id), gone: message.gone, more: message.more }];
    });
  return { conversation, clock, posted, acts, change, told, world, elsewhere, thumbnails, sizes };
}

test('a gallery that opens receives its strings, then every result of the project', () => {
  const { conversation, posted, told } = converse([entry('a'), entry('b', {}, 'file:///other')]);
  conversation.receive({ type: 'ready' });
  assert.equal(posted[0]?.type, 'strings');
  assert.deepEqual(told(), [{ ids: ['a'], gone: [], more: false }]);
});

test('once its model has a name, a result is sent again with it', async () => {
  const { conversation, clock, posted, told, world } = converse([entry('a'), entry('b', { modelId: 'p/f/other' })]);
  conversation.receive({ type: 'ready' });
  told();
  world.names.set('p/f/m', 'Strata 2');
  conversation.refresh();
  await clock.advance(100);
  const tiles = posted.flatMap((message) => (message.type === 'tiles' ? message.tiles : []));
  assert.deepEqual(
    tiles.map(({ id, model }) => [id, model]),
    [['a', 'Strata 2']],
  );
});

test('an image is sent again with the newest two that were made from it, by the hash of its bytes', async () => {
  const sha256 = 'ab'.repeat(32);
  const source = entry('source');
  const record = { ...source.record, spooled: { sha256 } } as RenderRecord;
  const parent = { ...source, record };
  const made = (id: string, startedAt: number): LibraryEntry => ({
    ...entry(id),
    ...{ startedAt, mediaType: 'image/png', file: `file:///project/${id}.png` },
    inputs: { image: { file: 'source.png', sha256, type: 'image/png', bytes: 3 } },
  });
  const { conversation, clock, posted, change } = converse([parent]);
  conversation.receive({ type: 'ready' });
  posted.length = 0;
  const all = [parent, made('first', 1), made('second', 2), made('third', 3)];
  change(all);
  await clock.advance(100);
  const tiles = posted.flatMap((message) => (message.type === 'tiles' ? message.tiles : []));
  assert.deepEqual(
    tiles.find(({ id }) => id === 'source')?.to?.map(({ name }) => name),
    ['third.png', 'second.png'],
  );
  change([...all, entry('other')]);
  posted.length = 0;
  await clock.advance(100);
  const next = posted.flatMap((message) => (message.type === 'tiles' ? message.tiles : []));
  assert.deepEqual(
    next.map(({ id }) => id),
    ['other'],
  );
});

test('a result that can’t be shown doesn’t keep the gallery from receiving later ones', async () => {
  const many = Array.from({ length: 2 * mostTiles }, (_, index) => entry(String(index)));
  const { conversation, clock, change, told, world } = converse(many);
  world.unreadable = String(mostTiles);
  conversation.receive({ type: 'ready' });
  await clock.advance(100);
  told();
  change([...many, entry('new')]);
  await clock.advance(100);
  assert.deepEqual(told(), [{ ids: ['new'], gone: [], more: false }]);
});

test('with nothing to show, it receives just that', () => {
  const { conversation, told } = converse([]);
  conversation.receive({ type: 'ready' });
  assert.deepEqual(told(), [{ ids: [], gone: [], more: false }]);
});

test('results of the project from another service are counted, and shown on request with what needs no service', async () => {
  const { conversation, clock, posted, told, elsewhere } = converse([entry('a')]);
  const from = (id: string, root?: string) => {
    const { record, ...rest } = entry(id, { file: 'file:///project/a.txt' }, root);
    return { ...rest, record: { ...record!, place: 'http://127.0.0.1:1' } };
  };
  elsewhere.push(from('b'), { ...from('c', 'file:///other'), record: undefined });
  conversation.receive({ type: 'ready' });
  assert.equal(
    posted.flatMap((message) => (message.type === 'tiles' ? message.elsewhere : [])).join(),
    '1 from http://127.0.0.1:1',
  );
  assert.deepEqual(told(), [{ ids: ['a'], gone: [], more: false }]);
  conversation.receive({ type: 'showAll' });
  await clock.advance(100);
  const [message] = posted;
  assert.ok(message?.type === 'tiles');
  assert.equal(message.elsewhere, '');
  assert.deepEqual(
    message.tiles.map(({ id, actions }) => [id, actions]),
    [['b', ['openResult', 'revealResult', 'copyPath', 'copyPrompt', 'howMade']]],
  );
});

test('of many results, a screenful comes at once, and the others in pages once that could be shown', async () => {
  const { conversation, clock, told } = converse(
    Array.from({ length: 2 * mostTiles }, (_, index) => entry(String(index))),
  );
  conversation.receive({ type: 'ready' });
  const sizes = () => told().map(({ ids, more }) => [ids.length, more]);
  assert.deepEqual(sizes(), [[60, true]]);
  await clock.advance(100);
  assert.deepEqual(sizes(), []);
  await clock.advance(100);
  assert.deepEqual(sizes(), [
    [mostTiles, true],
    [mostTiles - 60, false],
  ]);
});

test('a change while the pages are being sent comes after them', async () => {
  const many = Array.from({ length: 2 * mostTiles }, (_, index) => entry(String(index)));
  const { conversation, clock, change, told } = converse(many);
  conversation.receive({ type: 'ready' });
  change([...many.slice(0, -1), entry('199', { state: 'failed' })]);
  await clock.advance(300);
  assert.deepEqual(
    told().map(({ ids }) => ids.length),
    [60, mostTiles, mostTiles - 60, 1],
  );
});

test('a page that starts over in the middle is sent everything once more', async () => {
  const { conversation, clock, told } = converse(
    Array.from({ length: 2 * mostTiles }, (_, index) => entry(String(index))),
  );
  conversation.receive({ type: 'ready' });
  conversation.receive({ type: 'ready' });
  told();
  await clock.advance(200);
  assert.deepEqual(
    told().map(({ ids }) => ids.length),
    [mostTiles, mostTiles - 60],
  );
});

test('afterward it receives only what changed, once for many changes', async () => {
  const [one, two] = [entry('one'), entry('two')];
  const { conversation, clock, change, told } = converse([one, two]);
  conversation.receive({ type: 'ready' });
  told();
  change([entry('three'), one, two]);
  change([entry('three'), entry('one', { state: 'failed' })]);
  assert.deepEqual(told(), []);
  await clock.advance(100);
  assert.deepEqual(told(), [{ ids: ['three', 'one'], gone: ['two'], more: false }]);
});

test('a change to other renders isn’t sent', async () => {
  const one = entry('one');
  const { conversation, clock, change, told } = converse([one]);
  conversation.receive({ type: 'ready' });
  told();
  change([{ ...one }, entry('foreign', {}, 'file:///other')]);
  await clock.advance(100);
  assert.deepEqual(told(), []);
});

test('nothing is sent before it has opened or after it has closed', async () => {
  const { conversation, clock, change, posted } = converse([]);
  change([entry('a')]);
  await clock.advance(100);
  conversation.receive({ type: 'ready' });
  posted.length = 0;
  change([entry('b')]);
  conversation.dispose();
  await clock.advance(100);
  assert.deepEqual(posted, []);
});

test('when other folders are open, other results belong to the project', async () => {
  const { conversation, clock, told, world } = converse([entry('a'), entry('b', {}, 'file:///other')]);
  conversation.receive({ type: 'ready' });
  told();
  world.folders = ['file:///other'];
  conversation.refresh();
  await clock.advance(100);
  assert.deepEqual(told(), [{ ids: ['b'], gone: ['a'], more: false }]);
});

test('it runs only the actions it shows', () => {
  const { conversation, acts } = converse([entry('a'), entry('b', {}, 'file:///other')]);
  conversation.receive({ type: 'ready' });
  conversation.receive({ type: 'action', action: 'openResult', id: 'a' });
  conversation.receive({ type: 'action', action: 'openResult', id: 'b' });
  conversation.receive({ type: 'action', action: 'forgetGeneration', id: 'a' });
  conversation.receive({ type: 'openModel' });
  conversation.receive({ type: 'compare', ids: ['a', 'b'] });
  assert.deepEqual(acts, ['openResult a', 'openModel']);
});

test('messages that the gallery may not send do nothing', () => {
  const { conversation, acts, posted } = converse([entry('x')]);
  conversation.receive({ type: 'ready' });
  posted.splice(0);
  for (const message of [
    undefined,
    'ready',
    { type: 'ready', extra: 1 },
    { type: 'action', action: 'workbench.action.terminal.new', id: 'x' },
    { type: 'action', action: 'openResult', id: 'x', path: '/etc/passwd' },
    { type: 'action', action: 'openResult', id: 3 },
    { type: 'action', action: 'openResult', id: 'x'.repeat(1000) },
    { type: 'render', cents: 4 },
  ])
    conversation.receive(message);
  assert.deepEqual([acts, posted], [[], []]);
});

test('a deleted file is reported immediately, and again when it’s back', async () => {
  const here = 'file:///project/renders%20(old)/a.png';
  const { conversation, clock, posted, told } = converse([
    entry('a', { file: here, mediaType: 'image/png' }),
    entry('b', { file: 'file:///project/renders/b.md', textOutput: 'b' }),
  ]);
  conversation.receive({ type: 'ready' });
  posted.length = 0;
  const missing = () => posted.splice(0).flatMap((message) => (message.type === 'missing' ? [message.ids] : []));
  conversation.lost('file:///project/other.png');
  assert.deepEqual(missing(), []);
  conversation.lost('file:///project/renders%20%28old%29/a.png');
  conversation.lost('file:///project/renders%20%28old%29');
  assert.deepEqual(missing(), [['a'], ['a']]);
  conversation.found('file:///project/other.png');
  conversation.found('file:///project/renders%20%28old%29');
  await clock.advance(100);
  assert.deepEqual(told(), [{ ids: ['a'], gone: [], more: false }]);
});

/** A saved image of 100 bytes. */
function image(id: string): LibraryEntry {
  const spooled = { name: id, bytes: 100, sha256: '', mediaType: 'image/png', extension: 'png' };
  const plain = entry(id, { file: `file:///project/${id}.png`, mediaType: 'image/png' });
  return { ...plain, record: { ...plain.record, spooled } as RenderRecord };
}

test('an image with a thumbnail is shown by it, until its file turns out to have changed or to be gone', async () => {
  const { conversation, clock, posted, thumbnails, sizes } = converse(['kept', 'edited', 'gone'].map(image));
  for (const id of ['kept', 'edited', 'gone']) thumbnails.add(id);
  sizes.set('file:///project/kept.png', 100).set('file:///project/edited.png', 123);
  conversation.receive({ type: 'ready' });
  await clock.advance(100);
  const images = posted.flatMap((message) =>
    message.type === 'tiles' ? [message.tiles.map(({ image: picture }) => picture)] : [],
  );
  assert.deepEqual(images, [['small:kept', 'small:edited', 'small:gone'], ['file:///project/edited.png']]);
  assert.deepEqual(posted.at(-2), { type: 'missing', ids: ['gone'] });
});

test('a thumbnail that another window deleted gives way to its image, which is missed only if it’s gone too', async () => {
  const { conversation, clock, posted, thumbnails, sizes } = converse([image('kept')]);
  thumbnails.add('kept');
  sizes.set('file:///project/kept.png', 100);
  conversation.receive({ type: 'ready' });
  await clock.advance(100);
  const before = posted.length;
  conversation.receive({ type: 'missed', id: 'kept' });
  conversation.receive({ type: 'missed', id: 'other' });
  await clock.advance(100);
  conversation.receive({ type: 'missed', id: 'kept' });
  await clock.advance(100);
  const images = posted
    .slice(before)
    .map((message) => message.type === 'tiles' && message.tiles.map(({ image: picture }) => picture));
  assert.deepEqual(images, [['file:///project/kept.png']]);
});

test('an image much larger than its tile gets a thumbnail, if the gallery shows it', () => {
  const { conversation, acts } = converse([image('large')]);
  conversation.receive({ type: 'shownLarge', id: 'large' });
  conversation.receive({ type: 'ready' });
  conversation.receive({ type: 'shownLarge', id: 'large' });
  conversation.receive({ type: 'shownLarge', id: 'other' });
  assert.deepEqual(acts, ['makeThumbnail large']);
});
