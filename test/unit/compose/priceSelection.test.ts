import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../../../src/catalog/types';
import { type PriceAnswer, PriceSelection } from '../../../src/compose/priceComparison';

function modelOf(name: string): Model {
  return { id: `a/b/${name}`, provider: 'a', family: 'b', name, title: name, kind: 'image', fields: [] };
}

const priced = (name: string): PriceAnswer => ({
  says: 'price',
  model: modelOf(name),
  inputs: {},
  left: [],
  costCents: 4,
});
const [one, two] = [priced('one'), priced('two')];
const unpriced: PriceAnswer = { says: 'notStated', model: modelOf('unpriced') };
const more = undefined;
const shown = [one, two, unpriced];

function ticked(ticks: PriceSelection): string[] {
  return shown.filter((answer) => ticks.has(answer)).map(({ model }) => model.name);
}

test('selected rows stay selected, and others don’t', () => {
  const ticks = new PriceSelection([]);
  assert.equal(ticks.take([one, two], shown), 'added');
  assert.deepEqual(ticked(ticks), ['one', 'two']);
  assert.equal(ticks.take([two], shown), 'none');
  assert.deepEqual(ticked(ticks), ['two']);
});

test('a model without a price is never selected', () => {
  const ticks = new PriceSelection(['a/b/unpriced']);
  ticks.take([one, unpriced], shown);
  assert.deepEqual(ticked(ticks), ['one']);
});

test('the row that loads more requires its own press; selecting all rows loads nothing', () => {
  const ticks = new PriceSelection([]);
  ticks.take([one], shown);
  assert.equal(ticks.take([one, more], shown), 'more');
  assert.deepEqual(ticked(ticks), ['one']);
  assert.equal(ticks.take([one, two, unpriced, more], shown), 'added');
  assert.deepEqual(ticked(ticks), ['one', 'two']);
});

test('last time’s models are selected once they have a price, and stay so as rows come and go', () => {
  const ticks = new PriceSelection(['a/b/two']);
  ticks.take([one], [one]);
  assert.deepEqual(ticked(ticks), ['one', 'two']);
});
