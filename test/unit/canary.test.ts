import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { canaryHits, canaryHitsIn, canaryKey, searchBelow } from '../canary';

test('the search finds the key in every form, and nothing in other texts', () => {
  const percent = Array.from(canaryKey, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`).join('');
  const guises = [
    canaryKey,
    canaryKey.toUpperCase(),
    canaryKey.slice(12, 22),
    Array.from(canaryKey).reverse().join(''),
    Buffer.from(canaryKey).toString('hex'),
    percent,
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${canaryKey} and more`).toString('base64')),
    Buffer.from(`Authorization: Bearer ${canaryKey}\r\n`).toString('base64url'),
    Buffer.from(canaryKey, 'utf16le'),
  ];
  for (const guise of guises) assert.ok(canaryHits(guise) > 0, String(guise));
  assert.ok(canaryHitsIn({ deep: { er: [new Error('no', { cause: { said: canaryKey } })] } }) > 0);
  assert.equal(canaryHits('ai_live_… and ai_live_canary of another kind'), 0);
});

test('a search names the files the key is in, however deep, and counts the others', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'model-catalog-canary-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const deep = join(folder, 'logs', 'today');
  mkdirSync(deep, { recursive: true });
  const log = join(deep, 'editor.log');
  writeFileSync(log, `Authorization: ${Buffer.from(`Bearer ${canaryKey}`).toString('base64')}\n`);
  writeFileSync(join(folder, 'settings.json'), '{}');
  assert.deepEqual(searchBelow(folder).hits, [log]);
  assert.equal(searchBelow(folder).files, 2);
});
