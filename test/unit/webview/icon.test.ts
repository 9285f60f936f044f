import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { iconNames } from '../../../src/webview/icon';

test('every icon a page names is in its style sheet, and no other', () => {
  const style = readFileSync('media/icons.css', 'utf8');
  const drawn = [...style.matchAll(/\.codicon-([a-z-]+) \{\s*--icon/g)].map(([, name]) => name!);
  assert.deepEqual(drawn, [...iconNames]);
});
