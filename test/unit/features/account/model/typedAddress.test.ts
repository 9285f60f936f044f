import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedAddress } from '../../../../../src/features/account/model/serviceAddress';
import { parseAddress } from '../../../../../src/catalog/address';

test('a bare host gets https, and this machine http', () => {
  for (const [typed, base] of [
    ['models.example', 'https://models.example'],
    [' models.example:8443/studio ', 'https://models.example:8443/studio'],
    ['localhost:8787', 'http://localhost:8787'],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ] as const)
    assert.deepEqual(parseAddress(typedAddress(typed)), { base });
});

test('anything but a bare host stays as typed, so that it’s rejected as before', () => {
  for (const typed of [
    '',
    'https://models.example',
    'http://models.example',
    '//models.example',
    'https:models.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ai_live_typed_into_the_wrong_box',
    'good.example@evil.example',
    'models.example?x=1',
    'models.example:99999',
    'mod\nels.example',
  ])
    assert.equal(typedAddress(typed), typed);
});
