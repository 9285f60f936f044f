import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelSummary } from '../../../../../src/catalog/fields';
import { modelNamed } from '../../../../../src/catalog/modelSchema';
import { ModelSearch, typedModel } from '../../../../../src/features/models/model/modelGroups';

function model(id: string, title?: string): ModelSummary {
  const [provider = '', family = '', name = ''] = id.split('/');
  return { id, provider, family, name, title: title ?? name, kind: 'image' };
}

const none = { favourites: [], recent: [] };

function found(search: ModelSearch, query: string): string[] {
  return search.find(query, 10).found.map(({ model: { id } }) => id);
}

test('a search finds the models whose title or ID contains every word', () => {
  const models = [model('acme/paint/sea-2', 'Sea Two'), model('acme/paint/hill'), model('other/paint/sea')];
  const search = new ModelSearch(models, none);
  assert.deepEqual(found(search, 'sea acme'), ['acme/paint/sea-2']);
  assert.deepEqual(found(search, 'TWO'), ['acme/paint/sea-2']);
  assert.equal(found(search, '  ').length, 3);
  assert.deepEqual(found(search, 'nothing'), []);
});

test('a search finds words of the description, and what a model makes', () => {
  const wash = { ...model('a/b/mist'), description: 'Watercolors on rough paper' };
  const verse = { ...model('a/b/verse'), kind: 'text' as const };
  const search = new ModelSearch([wash, verse], none, (kind) => `${kind} model`);
  assert.deepEqual(found(search, 'watercolor'), ['a/b/mist']);
  assert.deepEqual(found(search, 'text'), ['a/b/verse']);
});

test('an ID is shown only for namesakes, and where a word was found in it alone', () => {
  const models = [model('a/b/sea', 'Sea'), model('c/d/sea', 'Sea'), model('a/b/hill', 'Hill')];
  const search = new ModelSearch(models, none);
  const withId = (query: string) =>
    search.find(query, 10).found.flatMap(({ model: { id }, needsId }) => (needsId ? [id] : []));
  assert.deepEqual(withId(''), ['a/b/sea', 'c/d/sea']);
  assert.deepEqual(withId('hill'), []);
  assert.deepEqual(withId('b/hill'), ['a/b/hill']);
});

test('titles that begin with the query come first, then those with words that do, then those that only contain it', () => {
  const models = [
    model('a/b/1', 'Nautilus'),
    model('a/b/2', 'Big Tilt'),
    model('a/b/3', 'Tile'),
    model('a/tile/4', 'Other'),
  ];
  assert.deepEqual(found(new ModelSearch(models, none), 'til'), ['a/b/3', 'a/b/2', 'a/tile/4', 'a/b/1']);
});

test('favorites come first, then recent models, even if others match better; each is listed once', () => {
  const models = ['a/b/sea', 'a/b/my-sea', 'a/b/undersea', 'a/b/hill'].map((id) => model(id));
  const atHand = { favourites: ['a/b/undersea', 'a/b/gone'], recent: ['a/b/my-sea', 'a/b/undersea'] };
  const search = new ModelSearch(models, atHand);
  assert.deepEqual(
    search.find('sea', 10).found.map(({ model: { name }, among }) => [name, among]),
    [
      ['undersea', 'favourites'],
      ['my-sea', 'recent'],
      ['sea', 'others'],
    ],
  );
  assert.deepEqual(found(search, ''), ['a/b/undersea', 'a/b/gone', 'a/b/my-sea', 'a/b/sea', 'a/b/hill']);
});

test('an unlisted favorite is found by its name, and marked as unlisted', () => {
  const search = new ModelSearch([model('a/b/sea')], { favourites: ['lab/secret/v2'], recent: ['a/b/sea'] });
  assert.deepEqual(
    search.find('secret', 10).found.map(({ model: { id }, isUnlisted }) => [id, isUnlisted]),
    [['lab/secret/v2', true]],
  );
  assert.equal(search.find('sea', 10).found[0]?.isUnlisted, false);
});

test('a search returns only as many as can be shown, the best of them, and how many it left out', () => {
  const models = [...Array.from({ length: 500 }, (_, index) => model(`a/b/x${index}`, `Not Sea ${index}`))];
  const search = new ModelSearch([...models, model('a/b/best', 'Sea')], none);
  const { found: hits, more } = search.find('sea', 200);
  assert.equal(hits.length, 200);
  assert.equal(hits[0]!.model.id, 'a/b/best');
  assert.equal(more, 301);
  assert.equal(search.find('best', 200).more, 0);
});

test('an ID listed twice is found once, and names such as constructor are plain names', () => {
  const search = new ModelSearch([model('__proto__/constructor/x'), model('__proto__/constructor/x')], none);
  assert.deepEqual(found(search, 'proto'), ['__proto__/constructor/x']);
});

const known = [modelNamed('acme/paint/harbor')];

test('an identifier missing from the list is a model that can be opened', () => {
  assert.deepEqual(typedModel(' acme/paint/meadow-2.1 ', known), {
    id: 'acme/paint/meadow-2.1',
    provider: 'acme',
    family: 'paint',
    name: 'meadow-2.1',
    title: 'meadow-2.1',
    description: undefined,
    kind: undefined,
  });
});

for (const typed of ['', 'acme', 'acme/paint', 'acme/paint/', '/paint/x', 'a/b/c/d', 'a harbor/at/dusk', 'https://x/y'])
  test(`${JSON.stringify(typed)} isn’t a model ID`, () => {
    assert.equal(typedModel(typed, known), undefined);
  });

test('a listed model is chosen from the list', () => {
  assert.equal(typedModel('acme/paint/harbor', known), undefined);
});
