import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TileView } from '../../../../../src/features/gallery/page/galleryMessages';
import {
  type Action,
  initialGallery,
  comparedIds,
  emptiness,
  type GalleryState,
  keptGalleryOf,
  mainAction,
  reduce,
  selectedTiles,
} from '../../../../../src/features/gallery/page/state';

function tile(id: string, part: Partial<TileView> = {}): TileView {
  const image = `webview:${id}`;
  return {
    id,
    kind: 'image',
    stage: 'saved',
    status: '',
    prompt: id,
    modelId: '',
    model: '',
    at: 0,
    image: image,
    fileName: `${id}.png`,
    actions: [],
    menu: [],
    ...part,
  };
}

function told(tiles: TileView[], gone: string[] = [], more = false): Action {
  return { type: 'received', message: { type: 'tiles', tiles, gone, more, older: 0, elsewhere: '' } };
}

function after(...actions: Action[]): GalleryState {
  return actions.reduce(reduce, initialGallery(undefined));
}

const three = told([tile('a', { at: 1 }), tile('b', { at: 2 }), tile('c', { at: 3 })]);
const ids = (tiles: readonly TileView[]) => tiles.map(({ id }) => id);

test('results are sorted newest first, and changes stay in place', () => {
  const state = after(three, told([tile('d', { at: 2.5 }), tile('a', { at: 1, prompt: 'new' })], ['b']));
  assert.deepEqual(ids(state.tiles), ['c', 'd', 'a']);
  assert.equal(state.tiles[2]?.prompt, 'new');
});

test('an empty state shows only once everything was received', () => {
  assert.equal(emptiness(after(told([], [], true)), 0), 'loading');
  assert.equal(emptiness(after(told([])), 0), 'nothingYet');
  const filtered = after(three, {
    type: 'filtered',
    filter: { text: 'x', modelId: '', agent: '', kind: 'all', period: 'all' },
  });
  assert.equal(emptiness(filtered, 0), 'nothingMatches');
  assert.equal(emptiness(filtered, 1), undefined);
});

test('the first results show before the others are there, unless the place to return to is among those', () => {
  const first = told([tile('a')], [], true);
  assert.equal(emptiness(after(first), 1), undefined);
  const returning = initialGallery({ ...keptGalleryOf(initialGallery(undefined)), place: { id: 'b', offset: 0 } });
  assert.equal(emptiness(reduce(returning, first), 1), 'loading');
  assert.equal(
    emptiness(
      [first, told([tile('b')], [], true)].reduce((s, m) => reduce(s, m), returning),
      2,
    ),
    undefined,
  );
});

test('at most sixteen are selected: one more replaces the first', () => {
  const many = Array.from({ length: 17 }, (_, index) => tile(`t${index}`));
  const select = many.map(({ id }): Action => ({ type: 'toggled', id }));
  assert.deepEqual(after(told(many), ...select).selected, ids(many).slice(1));
  assert.deepEqual(after(told(many), ...select, { type: 'toggled', id: 't3' }).selected.length, 15);
});

test('only visible images can be selected and compared', () => {
  const text = told([tile('t', { image: undefined })]);
  const state = after(three, text, { type: 'toggled', id: 't' });
  assert.deepEqual([state.selected, state.hint], [[], 'onlyImages']);
  const two = after(three, { type: 'toggled', id: 'a' }, { type: 'toggled', id: 'b' });
  assert.deepEqual(comparedIds(two), ['a', 'b']);
  const one = reduce(two, { type: 'missed', id: 'a' });
  assert.deepEqual(ids(selectedTiles(one)), ['b']);
  assert.deepEqual([comparedIds(one), reduce(one, { type: 'compared' }).hint], [undefined, 'selectTwo']);
});

test('a missing image is loaded again when its result changes', () => {
  const state = after(three, { type: 'missed', id: 'a' });
  assert.ok(state.missing.has('a'));
  assert.ok(!reduce(state, told([tile('a')])).missing.has('a'));
});

test('the host reports which images no longer exist', () => {
  const state = after(
    three,
    { type: 'missed', id: 'c' },
    { type: 'received', message: { type: 'missing', ids: ['a', 'b'] } },
  );
  assert.deepEqual([...state.missing], ['c', 'a', 'b']);
});

test('Enter opens or downloads again, and never spends', () => {
  const having = (...ids: string[]) => tile('a', { actions: ids });
  const all = having('openResult', 'downloadAgain', 'renderAgain', 'sendPlanned');
  assert.equal(mainAction(all, new Set()), 'openResult');
  assert.equal(mainAction(all, new Set(['a'])), 'downloadAgain');
  assert.equal(mainAction(having('sendPlanned', 'renderAgain'), new Set()), undefined);
});

test('the kept state is the initial state', () => {
  const state = after(three, { type: 'focused', id: 'b' }, { type: 'toggled', id: 'b' });
  const again = initialGallery(keptGalleryOf({ ...state, place: { id: 'a', offset: 5 } }));
  assert.deepEqual(
    [again.current, again.selected, again.place, again.loaded],
    ['b', ['b'], { id: 'a', offset: 5 }, false],
  );
});

test('what another version of the page kept isn’t restored', () => {
  const kept = { ...keptGalleryOf(initialGallery(undefined)), size: 'large' as const };
  assert.equal(initialGallery(kept).size, 'large');
  assert.equal(initialGallery({ ...kept, version: kept.version + 1 }).size, 'usual');
});
