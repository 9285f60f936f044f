import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { styleNames } from '../../../src/renderFiles/styles';

test('a style is named where it’s defined, used, and extended', async () => {
  const text = `{
    "style": { "extends": "flat" },
    "styles": { "flat": {}, "icon": { "extends": "flat" } },
    "renders": [{ "file": "flat", "style": "flat" }, { "style": null }, { "style": "icon" }],
  }`;
  const names = await styleNames(text, systemClock);
  assert.deepEqual(
    names.map(({ start, end, isDefinition }) => [text.slice(start - 1, end + 1), isDefinition]),
    [
      ['"flat"', false],
      ['"flat"', true],
      ['"icon"', true],
      ['"flat"', false],
      ['"flat"', false],
      ['"icon"', false],
    ],
  );
});

test('a half-typed file has the names it contains', async () => {
  const names = await styleNames('{ "styles": { "flat": {', systemClock);
  assert.deepEqual(
    names.map(({ text }) => text),
    ['flat'],
  );
});
