import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canaryHits, canaryHitsIn, canaryKey } from '../canary';

test('the search finds the key in every guise, and nothing in other texts', () => {
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
