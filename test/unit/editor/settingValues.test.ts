import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centsIn } from '../../../src/base/format';
import { inEuros } from '../../../src/editor/carriedValue';
import { settingIds } from '../../../src/editor/ids';
import {
  amountIn,
  fitSetting,
  limitIn,
  metadataIn,
  userAmount,
  type SetValues,
} from '../../../src/editor/settingValues';
import { carriedValue } from '../../../src/editor/carriedValue';

const written = (now?: unknown, before?: unknown): SetValues => ({ now, before });

test('an amount is read in euros with either separator, and as a number', () => {
  const amounts: [unknown, number][] = [
    ['0.50', 50],
    ['0,50', 50],
    ['0.5', 50],
    [' 2 ', 200],
    ['0', 0],
    ['0.07', 7],
    [0.5, 50],
    [0.29, 29],
    [1.1, 110],
    [2, 200],
    [-0, 0],
  ];
  for (const [euros, cents] of amounts) assert.equal(centsIn(euros), cents, String(euros));
});

test('nothing else is an amount', () => {
  const others = ['', ' ', 'abc', '-1', '0.505', '1.', '.5', '1e3', '€2', '2 €', '1.000,00', '1,000', '0x10', '٣'];
  for (const other of [...others, -1, 0.505, NaN, Infinity, 1e21, true, null, undefined, {}, ['2'], '9'.repeat(40)])
    assert.equal(centsIn(other), undefined, JSON.stringify(other));
});

test('an amount that is written in euros is read as the same cents', () => {
  for (const cents of [0, 5, 50, 500, 12_345, 123_456_789, Number.MAX_SAFE_INTEGER])
    assert.equal(centsIn(inEuros(cents)), cents);
  assert.equal(inEuros(7), '0.07');
});

test('the name counts where it is set, and else the earlier one, in its own unit', () => {
  assert.equal(amountIn(written('0.50', 700)), 50);
  assert.equal(amountIn(written(undefined, 700)), 700);
  assert.equal(amountIn(written()), undefined);
  assert.equal(amountIn(written('abc', 700)), 'unreadable');
  assert.equal(amountIn(written(undefined, '7.00')), 'unreadable');
  assert.equal(amountIn(written('0.50', 'abc')), 50);
});

test('an empty limit is none, whatever the earlier name says', () => {
  for (const empty of ['', ' ', null]) assert.equal(limitIn(written(empty, 700)), undefined);
  assert.equal(limitIn(written(undefined, null)), undefined);
  assert.equal(limitIn(written(undefined, 700)), 700);
  assert.equal(limitIn(written('5', 700)), 500);
  assert.equal(limitIn(written('5.', 700)), 'unreadable');
  assert.equal(limitIn(written(undefined, '')), 'unreadable');
});

test('an amount that can’t be read counts as the stricter of the default and the earlier setting', () => {
  assert.equal(userAmount(written('abc', 20), 50), 20);
  assert.equal(userAmount(written('abc', 700), 50), 50);
  assert.equal(userAmount(written('abc', 'abc'), 50), 50);
  assert.equal(userAmount(written('abc'), 50), 50);
  assert.equal(userAmount(written('abc', 0), 50), 0);
  assert.equal(userAmount(written('abc', 0), 500, true), 500, '0 would ask about no total');
  assert.equal(userAmount(written('abc', 300), 500, true), 300);
  assert.equal(userAmount(written('0', 300), 500, true), 0);
  assert.equal(userAmount(written(), 50), 50);
});

test('what a scope lets results record is read under either name', () => {
  assert.deepEqual(metadataIn(written(), undefined), { place: 'embed', prompt: true });
  assert.deepEqual(metadataIn(written('sidecarWithoutPrompt', 'embed'), true), { place: 'sidecar', prompt: false });
  assert.deepEqual(metadataIn(written(undefined, 'sidecar'), undefined), { place: 'sidecar', prompt: true });
  assert.deepEqual(metadataIn(written(undefined, undefined), false), { place: 'embed', prompt: false });
  assert.deepEqual(metadataIn(written('embed', 'none'), false), { place: 'embed', prompt: true });
  assert.deepEqual(metadataIn(written('toString', 'none'), true), { place: 'none', prompt: false });
});

test('of several scopes, the first that sets a fit counts', () => {
  assert.equal(fitSetting([written(), written(undefined, 'none'), written('contain')]), 'none');
  assert.equal(fitSetting([written('contain', 'none'), written('cover')]), 'contain');
  assert.equal(fitSetting([written('stretch', 'none')]), 'cover');
  assert.equal(fitSetting([]), 'cover');
});

test('what is carried over to a name says the same there', () => {
  const { confirmAbove, limitPerDay, metadata, fitMissingImages, serviceUrl } = settingIds;
  for (const cents of [0, 7, 50, 90_000]) {
    assert.equal(amountIn(written(carriedValue(confirmAbove, cents))), cents);
    assert.equal(limitIn(written(carriedValue(limitPerDay, cents))), cents);
  }
  for (const place of [undefined, 'embed', 'sidecar', 'none'])
    for (const prompt of [undefined, true, false])
      assert.deepEqual(
        metadataIn(written(carriedValue(metadata, place, prompt)), undefined),
        metadataIn(written(undefined, place), prompt),
      );
  assert.equal(carriedValue(fitMissingImages, 'contain'), 'contain');
  assert.equal(carriedValue(serviceUrl, 'https://models.example.com'), 'https://models.example.com');
});

test('what can’t be read isn’t carried over', () => {
  const { confirmAbove, limitPerDay, metadata, fitMissingImages, serviceUrl } = settingIds;
  for (const value of ['50', -1, 0.5, null, {}]) assert.equal(carriedValue(confirmAbove, value), undefined);
  assert.equal(carriedValue(limitPerDay, null), undefined);
  assert.equal(carriedValue(metadata, 'everywhere'), undefined);
  assert.equal(carriedValue(fitMissingImages, 'stretch'), undefined);
  assert.equal(carriedValue(serviceUrl, 5), undefined);
});
