import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mostTiles,
  readFromGallery,
  readKeptGallery,
  readToGallery,
  type TileView,
} from '../../../src/pages/galleryMessages';
import { englishGalleryStrings } from '../../../src/pages/galleryStrings';
import { messageLimit } from '../../../src/pages/reading';

const tile: TileView = {
  id: '__proto__',
  kind: 'picture',
  stage: 'saved',
  status: 'saved',
  prompt: '<img src=x onerror=alert(1)>',
  modelId: 'a/b/c',
  at: 1,
  actions: Array.from({ length: 13 }, () => 'compareWithService'),
  menu: Array.from({ length: 24 }, () => 'compareWithService'),
};

test('the gallery’s messages are read unchanged', () => {
  const messages = [{ type: 'ready' }, { type: 'action', action: 'openResult', id: 'x' }, { type: 'openModel' }];
  for (const message of messages) assert.deepEqual(readFromGallery(message), message);
});

test('messages that the gallery may not send are rejected', () => {
  const refused: unknown[] = [
    undefined,
    'ready',
    { type: 'ready', extra: 1 },
    { type: 'action', action: 'workbench.action.terminal.new', id: 'x' },
    { type: 'action', action: 'openResult', id: 'x', path: '/etc/passwd' },
    { type: 'action', action: 'openResult', id: 3 },
    { type: 'action', action: 'openResult', id: 'x'.repeat(1000) },
    { type: 'render', cents: 4 },
  ];
  for (const message of refused) assert.equal(readFromGallery(message), undefined);
});

test('missing results are identified by ID', () => {
  assert.deepEqual(readToGallery({ type: 'missing', ids: ['__proto__'] }), { type: 'missing', ids: ['__proto__'] });
  assert.equal(readToGallery({ type: 'missing', ids: [3] }), undefined);
});

test('tiles arrive as data, in pages, with actions by name', () => {
  const page = (tiles: unknown[]) => ({ type: 'tiles', tiles, gone: [], more: false, older: 0, elsewhere: '' });
  assert.deepEqual(readToGallery(page([tile])), page([tile]));
  assert.equal(readToGallery(page([{ ...tile, actions: ['rm -rf'] }])), undefined);
  assert.equal(readToGallery(page(Array.from({ length: mostTiles + 1 }, () => tile))), undefined);
});

test('a full page of the longest tiles is within the limit', () => {
  const longest: TileView = {
    ...tile,
    prompt: 'x'.repeat(1000),
    text: '\n'.repeat(400),
    story: 'x'.repeat(300),
    status: 'x'.repeat(40),
    modelId: 'x'.repeat(200),
    agent: 'x'.repeat(60),
    fileName: 'x'.repeat(200),
    picture: 'x'.repeat(600),
  };
  const message = {
    type: 'tiles',
    tiles: Array.from({ length: mostTiles }, () => longest),
    gone: [],
    more: true,
    older: 0,
    elsewhere: '',
  };
  assert.ok(JSON.stringify(message).length < messageLimit);
  assert.ok(readToGallery(message));
});

test('the texts are complete or rejected', () => {
  assert.ok(readToGallery({ type: 'strings', strings: englishGalleryStrings, locale: 'de', actions: [] }));
  const cut = { ...englishGalleryStrings, compare: undefined };
  assert.equal(readToGallery({ type: 'strings', strings: cut, locale: 'de', actions: [] }), undefined);
});

test('the gallery’s stored state is restored, and anything else isn’t', () => {
  const filter = { text: 'fox', modelId: '', agent: '', kind: 'all', period: 'week' };
  const kept = { filter, size: 'large', current: 'a', selected: ['a', 'b'], place: { id: 'a', offset: 3 } };
  assert.deepEqual(readKeptGallery(kept), kept);
  const ofEarlierVersion = { ...kept, size: undefined };
  assert.deepEqual(readKeptGallery(ofEarlierVersion), { ...kept, size: 'usual' });
  for (const other of [
    null,
    {},
    { ...kept, selected: Array.from({ length: 17 }, String) },
    { ...kept, filter: { text: 1 } },
    { ...kept, size: 'huge' },
  ])
    assert.equal(readKeptGallery(other), undefined);
});
