import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelSummary } from '../../../../../src/catalog/fields';
import {
  groupByPart,
  groupModels,
  type ModelNode,
  ownGroup,
  slugName,
} from '../../../../../src/features/models/model/modelGroups';

function model(id: string, title?: string): ModelSummary {
  const segments = id.split('/');
  const [provider = '', family = ''] = segments.length === 3 ? segments : ['', ''];
  const name = segments.at(-1) ?? id;
  return { id, provider, family, name, title: title ?? name, kind: 'image' };
}

function outline(nodes: readonly ModelNode[]): unknown {
  return nodes.map((node) => (node.kind === 'model' ? node.model.title : [node.label, outline(node.children)]));
}

test('models are grouped by provider and family, sorted for the language, and single children have no level', () => {
  const ids = ['zeta-labs/b/two', 'alpha/x/v10', 'alpha/x/v9', 'zeta-labs/a/one', 'zeta-labs/a/three'];
  const nodes = groupModels(
    ids.map((id) => model(id)),
    'en',
  );
  assert.deepEqual(outline(nodes), [
    ['Alpha / X', ['v9', 'v10']],
    ['Zeta Labs', [['A', ['one', 'three']], 'two']],
  ]);
  assert.deepEqual(
    nodes.map((node) => node.kind !== 'model' && node.path),
    ['alpha/x', 'zeta-labs'],
  );
});

test('few models are grouped by what they make in the given order, those for testing apart, and one part has no level', () => {
  const labels = { image: 'Images', text: 'Text', other: 'Other Models', testing: 'For Testing' };
  const images = [model('z/z/two'), model('a/a/one')];
  const test: ModelSummary = { ...model('a/a/drill'), isForTesting: true };
  assert.deepEqual(outline(groupByPart([test, ...images, { ...model('a/b/verse'), kind: 'text' }], labels)), [
    ['Images', ['two', 'one']],
    ['Text', ['verse']],
    ['For Testing', ['drill']],
  ]);
  assert.deepEqual(outline(groupByPart([...images, ...images], labels)), ['two', 'one']);
});

test('a name is made of a plain slug only: what the service writes with care stays as it is', () => {
  for (const [segment, name] of [
    ['paperlight', 'Paperlight'],
    ['eight-bit_yard', 'Eight Bit Yard'],
    ['v2', 'V2'],
    ['OpenLab', 'OpenLab'],
    ['sd.xl', 'sd.xl'],
    ['a--b', 'a--b'],
    ['__proto__', '__proto__'],
    ['日本', '日本'],
    ['', ''],
  ] as const)
    assert.equal(slugName(segment), name);
});

test('a model whose ID has neither provider nor family is at the top', () => {
  assert.deepEqual(outline(groupModels([model('loner'), model('a/b/c')], 'en')), [['A / B', ['c']], 'loner']);
});

test('every node has a unique ID, even if names repeat, are listed twice, or are those of an object', () => {
  const models = ['a/a/a', 'a/b/a', 'b/a/a', '__proto__/constructor/x', 'a/a/a'].map((id) => model(id));
  const ids: string[] = [];
  const collect = (node: ModelNode) => {
    ids.push(node.id);
    if (node.kind !== 'model') node.children.forEach(collect);
  };
  const nodes = groupModels(models, 'en');
  nodes.forEach(collect);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.filter((id) => id.startsWith('model:')).length, 4);
});

test('IDs stay the same if the list arrives in another order', () => {
  const models = ['a/b/c', 'a/d/e', 'f/g/h'].map((id) => model(id));
  assert.deepEqual(groupModels(models, 'en'), groupModels(models.toReversed(), 'en'));
});

test('a language that the runtime doesn’t know is sorted anyway', () => {
  assert.deepEqual(outline(groupModels([model('b'), model('a')], 'qps-ploc-x_')), ['a', 'b']);
});

test('favorites and recent models keep their order, with IDs that differ from those below the provider', () => {
  const models = ['a/b/c', 'a/b/d', 'e/f/g'].map((id) => model(id));
  const byId = new Map(models.map((one) => [one.id, one]));
  const own = ownGroup('favourites', 'Favorites', ['e/f/g', 'gone/a/b', 'a/b/c'], byId)!;
  assert.deepEqual(outline([own]), [['Favorites', ['g', 'b', 'c']]]);
  const recent = ownGroup('recent', 'Recent', ['a/b/c'], byId)!;
  const ids: string[] = [];
  const collect = (node: ModelNode) => {
    ids.push(node.id);
    if (node.kind !== 'model') node.children.forEach(collect);
  };
  [own, recent, ...groupModels(models, 'en')].forEach(collect);
  assert.equal(new Set(ids).size, ids.length);
});

test('an unlisted favorite is shown under its name', () => {
  const own = ownGroup('favourites', 'Favorites', ['lab/secret/v2', 'a/b/c'], new Map([['a/b/c', model('a/b/c')]]))!;
  assert.deepEqual(
    own.children.map((node) => node.kind === 'model' && [node.model.id, node.model.title, node.isUnlisted === true]),
    [
      ['lab/secret/v2', 'v2', true],
      ['a/b/c', 'c', false],
    ],
  );
  assert.equal(ownGroup('recent', 'Recent', [], new Map()), undefined);
});
