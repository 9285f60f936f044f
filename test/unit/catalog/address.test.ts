import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from '../../../src/base/loopback';
import { parseAddress, shorterBase, type AddressProblem } from '../../../src/catalog/address';

const accepted: readonly [typed: string, base: string][] = [
  ['https://models.example', 'https://models.example'],
  ['  https://models.example/\n', 'https://models.example'],
  ['HTTPS://Models.Example:443/', 'https://models.example'],
  ['https://models.example:8443/studio/', 'https://models.example:8443/studio'],
  ['https://models.example//studio//v2/', 'https://models.example/studio/v2'],
  ['https://models.example/studio/api/v1/api/catalog/', 'https://models.example/studio'],
  ['https://models.example/api/v1/api/catalog/models', 'https://models.example'],
  ['https://models.example/studio/api/v1/api/catalog/me/', 'https://models.example/studio'],
  ['https://models.example/api/v1/api/catalog/other', 'https://models.example/api/v1/api/catalog/other'],
  // May be where a service is.
  ['https://models.example/api/v1', 'https://models.example/api/v1'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://127.1:8787', 'http://127.0.0.1:8787'],
  ['http://localhost:8787/', 'http://localhost:8787'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
  // Reveals a look-alike.
  ['https://mоdels.example', 'https://xn--mdels-jye.example'],
  // Another host in DNS and another origin: stays as is.
  ['https://models.example.', 'https://models.example.'],
];

for (const [typed, base] of accepted) {
  test(`the address ${JSON.stringify(typed)} means ${base}`, () => assert.deepEqual(parseAddress(typed), { base }));
}

for (const [base, shorter] of [
  ['https://models.example/api', 'https://models.example'],
  ['https://models.example/api/v1', 'https://models.example'],
  ['https://models.example/api/v1/api', 'https://models.example'],
  ['https://models.example/studio/api/v1', 'https://models.example/studio'],
  ['https://models.example/v1', undefined],
  ['https://models.example', undefined],
  ['https://api', undefined],
] as const)
  test(`if no catalog is at ${base}, the one to try is ${shorter ?? 'none'}`, () =>
    assert.equal(shorterBase(base), shorter));

const refused: readonly [typed: string, problem: AddressProblem][] = [
  ['', 'empty'],
  [' \t ', 'empty'],
  [`https://models.example/${'a'.repeat(3000)}`, 'tooLong'],
  ['https://models.example /x', 'whitespace'],
  ['https://mod\nels.example', 'whitespace'],
  ['https://models.example/\u0000', 'whitespace'],
  ['https://models.example\\', 'backslash'],
  ['https:\\\\models.example', 'backslash'],
  ['models.example', 'scheme'],
  ['//models.example', 'scheme'],
  ['https:models.example', 'scheme'],
  ['https:///models.example', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://models.example', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['ai_live_typed_into_the_wrong_box', 'scheme'],
  ['https://models.example:99999', 'notAnAddress'],
  ['https://[1', 'notAnAddress'],
  ['http://models.example', 'httpNotLoopback'],
  ['http://localhost.evil.example', 'httpNotLoopback'],
  ['http://127.0.0.1.evil.example', 'httpNotLoopback'],
  ['http://169.254.169.254', 'httpNotLoopback'],
  ['http://0.0.0.0:8787', 'httpNotLoopback'],
  ['https://good.example@evil.example', 'userInfo'],
  ['https://user:word@models.example', 'userInfo'],
  ['https://@models.example', 'userInfo'],
  ['https://models.example?x=1', 'query'],
  ['https://models.example/?', 'query'],
  ['https://models.example/#part', 'hash'],
  ['https://models.example#', 'hash'],
  ['https://models.example/a/../b', 'dots'],
  ['https://models.example/..', 'dots'],
  ['https://models.example/./a', 'dots'],
  ['https://models.example/a/%2E%2e/b', 'dots'],
  ['https://models.example/a/.%2E', 'dots'],
  ['https://models.example/a%2f..%2fb', 'dots'],
];

for (const [typed, problem] of refused) {
  test(`the address ${JSON.stringify(typed.slice(0, 60))} is refused: ${problem}`, () =>
    assert.deepEqual(parseAddress(typed), { problem }));
}

test('only addresses of this machine are loopback', () => {
  assert.ok(['http://127.0.0.1:1', 'http://127.9.9.9', 'http://localhost', 'http://[::1]'].every(isLoopback));
  assert.ok(
    ![
      'https://models.example',
      'https://a.localhost',
      'http://10.0.0.1',
      'https://localhost.example',
      'http://128.0.0.1',
    ].some(isLoopback),
  );
});
