import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { iconNames } from '../../../../src/editor/page/icon';

test('exactly the icons that pages use are in their style sheet', () => {
  const style = readFileSync('media/icons.css', 'utf8');
  const drawn = [...style.matchAll(/\.codicon-([a-z-]+) \{\s*--icon/g)].map(([, name]) => name!);
  assert.deepEqual(drawn, [...iconNames]);
});
