import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { checkApiKey, fingerprint, type ApiKeyProblem } from '../../../src/catalog/apiKey';

test('white space around a key is removed, even a pasted line break', () => {
  assert.deepEqual(checkApiKey('\t ai_live_abc-DEF.0~9\r\n'), { key: 'ai_live_abc-DEF.0~9' });
});

for (const quoted of ['"ai_live_abc"', "'ai_live_abc'", '`ai_live_abc`', ' “ai_live_abc” ', '" ai_live_abc\n"'])
  test(`quotation marks around a key are removed: ${JSON.stringify(quoted)}`, () =>
    assert.deepEqual(checkApiKey(quoted), { key: 'ai_live_abc' }));

const refused: readonly [typed: string, problem: ApiKeyProblem][] = [
  ['', 'empty'],
  ['  \n', 'empty'],
  ['ai_live_abc\r\nX-Other: 1', 'lineBreak'],
  ['ai_live_abc\ndef', 'lineBreak'],
  ['ai_live_abc def', 'whitespace'],
  ['Bearer ai_live_abc', 'whitespace'],
  ['ai_live_abc\u00a0def', 'whitespace'],
  ['ai_live_a\u0000b', 'control'],
  ['ai_live_a\u007fb', 'control'],
  ['ai_live_аbc', 'notAscii'],
  ['ai_live_a\u200bbc', 'notAscii'],
  ['ai_live_🔑', 'notAscii'],
  ['"ai_live_abc', 'prefix'],
  ['AI_LIVE_abc', 'prefix'],
  ['sk-abc', 'prefix'],
  ['ai_live_', 'incomplete'],
  [`ai_live_${'x'.repeat(505)}`, 'tooLong'],
  [`ai_live_${'x'.repeat(10_000)}`, 'tooLong'],
];

for (const [typed, problem] of refused) {
  test(`the key ${JSON.stringify(typed.slice(0, 40))} is refused: ${problem}`, () =>
    assert.deepEqual(checkApiKey(typed), { problem }));
}

test('a key of 512 characters is accepted', () => {
  const key = `ai_live_${'x'.repeat(504)}`;
  assert.deepEqual(checkApiKey(key), { key });
});

test('a fingerprint is the HMAC of the key with the salt', async () => {
  assert.equal(await fingerprint('ai_live_a', 'salt'), createHmac('sha256', 'salt').update('ai_live_a').digest('hex'));
  assert.notEqual(await fingerprint('ai_live_a', 'salt'), await fingerprint('ai_live_b', 'salt'));
  assert.notEqual(await fingerprint('ai_live_a', 'salt'), await fingerprint('ai_live_a', 'other'));
});
