import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOneLine, redact } from '../../../src/base/log';

test('a message with line breaks, escape sequences, or reversed text stays one line that shows them', () => {
  assert.equal(onOneLine('no\r\n2026-01-01 [info] charged'), 'no\\u{d}\\u{a}2026-01-01 [info] charged');
  assert.equal(onOneLine('\u001b[2J\u202egnp.evil\u2066'), '\\u{1b}[2J\\u{202e}gnp.evil\\u{2066}');
  assert.equal(onOneLine('a\u2028b\u2029c\u0085d\u200be'), 'a\\u{2028}b\\u{2029}c\\u{85}d\\u{200b}e');
  assert.equal(onOneLine('Größe 3 µm – 日本 🚲'), 'Größe 3 µm – 日本 🚲');
});

test('a key is taken out whole, also where something invisible divides it', () => {
  assert.equal(onOneLine(redact('key ai_live_ab\u200bcd\nnext')), 'key ai_live_…\\u{a}next');
});
