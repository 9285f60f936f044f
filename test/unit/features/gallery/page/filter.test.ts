import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter, TileView } from '../../../../../src/features/gallery/page/galleryMessages';
import { agentsOfTiles, isNarrow, modelsOf, narrowed, noFilter } from '../../../../../src/features/gallery/page/state';

const now = new Date(2026, 10, 21, 9, 30).getTime();
const hour = 60 * 60 * 1000;

function tile(id: string, part: Partial<TileView> = {}): TileView {
  return {
    id,
    kind: 'image',
    stage: 'saved',
    status: '',
    prompt: id,
    modelId: 'a/b/c',
    model: (part.modelId ?? 'a/b/c').replace(/^.*\//, ''),
    at: now,
    actions: [],
    menu: [],
    ...part,
  };
}

function left(tiles: readonly TileView[], filter: Partial<Filter>): string[] {
  return narrowed(tiles, { ...noFilter, ...filter }, now).map(({ id }) => id);
}

test('every word of a text must occur in the prompt, model, or file name, in any case', () => {
  const tiles = [
    tile('A red Fox'),
    tile('a blue fox'),
    tile('x', { modelId: 'red/fox/1' }),
    tile('y', { fileName: 'fox-red.png' }),
  ];
  assert.deepEqual(left(tiles, { text: ' FOX  red ' }), ['A red Fox', 'x', 'y']);
  assert.deepEqual(left(tiles, { text: '   ' }).length, 4);
});

test('a text isn’t a pattern', () => {
  assert.deepEqual(left([tile('a.c'), tile('abc'), tile('(')], { text: 'a.c' }), ['a.c']);
  assert.deepEqual(left([tile('(')], { text: '(' }), ['(']);
});

test('the model and kind match the chosen ones', () => {
  const tiles = [tile('one'), tile('two', { modelId: 'd/e/f' }), tile('three', { kind: 'text' })];
  assert.deepEqual(left(tiles, { modelId: 'd/e/f' }), ['two']);
  assert.deepEqual(left(tiles, { kind: 'text' }), ['three']);
});

test('an agent is found by the name it gave itself, chosen or typed', () => {
  const tiles = [tile('one', { agent: 'Codex' }), tile('two', { agent: 'Claude Code' }), tile('three')];
  assert.deepEqual(agentsOfTiles(tiles), ['Claude Code', 'Codex']);
  assert.deepEqual(left(tiles, { agent: 'Codex' }), ['one']);
  assert.deepEqual(left(tiles, { text: 'claude' }), ['two']);
  assert.ok(isNarrow({ ...noFilter, agent: 'Codex' }));
  assert.deepEqual(agentsOfTiles([tile('three')]), []);
});

test('today begins at midnight, the other periods that many days ago', () => {
  const ago = [1, 9, 10, 7 * 24 - 1, 7 * 24 + 1, 30 * 24 - 1, 30 * 24 + 1];
  const tiles = ago.map((hours) => tile(String(hours), { at: now - hours * hour }));
  assert.deepEqual(left(tiles, { period: 'today' }), ['1', '9']);
  assert.equal(left(tiles, { period: 'week' }).length, 4);
  assert.equal(left(tiles, { period: 'month' }).length, 6);
  assert.equal(left(tiles, { period: 'all' }).length, 7);
});

test('a filter is narrow if it may leave something out', () => {
  assert.ok(!isNarrow(noFilter));
  assert.ok(!isNarrow({ ...noFilter, text: ' ' }));
  assert.ok(isNarrow({ ...noFilter, period: 'month' }));
});

test('models go by name, and by their full ID if the name is ambiguous', () => {
  const tiles = ['p/f/b', 'p/f/a', 'q/f/a', 'p/f/b', ''].map((modelId, index) => tile(String(index), { modelId }));
  assert.deepEqual(modelsOf(tiles), [
    { id: 'p/f/b', label: 'b' },
    { id: 'p/f/a', label: 'p/f/a' },
    { id: 'q/f/a', label: 'q/f/a' },
  ]);
});
