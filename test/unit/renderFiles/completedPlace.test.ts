import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completedPlace } from '../../../src/renderFiles/completedPlace';

/** What can be completed at `|`, and what that replaces. */
function at(marked: string): unknown {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = completedPlace(text, offset);
  if (!place) return undefined;
  const { start, end, ...what } = place;
  return [JSON.parse(JSON.stringify(what)), text.slice(start, end)];
}

test('models are completed for a file and for an entry, with the quotes replaced', () => {
  assert.deepEqual(at('{ "model": "pap|er" }'), [{ kind: 'model' }, '"paper"']);
  assert.deepEqual(at('{ "renders": [{ "model": | }] }'), [{ kind: 'model' }, '']);
});

test('styles are completed where one is used or extended', () => {
  const style = [{ kind: 'style' }, '""'];
  assert.deepEqual(at('{ "style": "|" }'), style);
  assert.deepEqual(at('{ "renders": [{ "style": "|" }] }'), style);
  assert.deepEqual(at('{ "styles": { "icon": { "extends": "|" } } }'), style);
  assert.deepEqual(at('{ "renders": [{ "style": { "extends": "|" } }] }'), style);
});

test('inputs are completed wherever a file states them, by name and by value', () => {
  const name = (entry?: number) => [
    { kind: 'inputName', hasValue: false, ...(entry === undefined ? {} : { entry }) },
    '"si"',
  ];
  assert.deepEqual(at('{ "inputs": { "si|" } }'), name());
  assert.deepEqual(at('{ "style": { "inputs": { "si|" } } }'), name());
  assert.deepEqual(at('{ "styles": { "icon": { "inputs": { "si|" } } } }'), name());
  assert.deepEqual(at('{ "renders": [{}, { "inputs": { "si|" } }] }'), name(1));
  assert.deepEqual(at('{ "renders": [{ "style": { "inputs": { "si|" } } }] }'), name(0));
  assert.deepEqual(at('{ "inputs": { "si|": 1 } }'), [{ kind: 'inputName', hasValue: true }, '"si"']);
  assert.deepEqual(at('{ "inputs": { "size": "s|" } }'), [{ kind: 'inputValue', field: 'size' }, '"s"']);
  const inList = [{ kind: 'inputValue', field: 'images' }, '"b"'];
  assert.deepEqual(at('{ "inputs": { "images": ["a", "b|"] } }'), inList);
  assert.deepEqual(at('{ "renders": [{ "inputs": { "images": ["b|"] } }] }'), [
    { kind: 'inputValue', field: 'images', entry: 0 },
    '"b"',
  ]);
  assert.deepEqual(at('{ "inputs": { "size": tr|'), [{ kind: 'inputValue', field: 'size' }, 'tr']);
});

test('nothing else is completed', () => {
  for (const marked of [
    '|',
    '{ | }',
    '{ "renders": [{ "file": "|" }] }',
    '{ "for": { "model": "|" } }',
    '{ "model|" }',
  ])
    assert.equal(at(marked), undefined, marked);
});

test('nothing is completed in a file that nests too deeply to be read, whatever its depth', () => {
  for (const depth of [65, 100_000]) {
    const text = `{ "renders": ${'['.repeat(depth)}{ "model": "`;
    assert.equal(completedPlace(text, text.length), undefined);
    assert.equal(completedPlace(`{ "a": ${'{"a":'.repeat(depth)} "`, text.length), undefined);
  }
  // What follows doesn't matter: it isn't read.
  assert.deepEqual(at(`{ "model": "pap|er", "x": ${'['.repeat(100_000)}`), [{ kind: 'model' }, '"paper"']);
});
