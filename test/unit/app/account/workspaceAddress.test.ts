import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn, longestSettings } from '../../../../src/app/account/workspaceAddress';
import { growsInProportion } from '../../growth';

test('a URL set by a project is found, dotted or nested, among comments', () => {
  assert.equal(addressIn('{ "modelCatalog.baseUrl" : "https://evil.example" }'), 'https://evil.example');
  assert.equal(
    addressIn('{ "modelCatalog": { "lowBalance": 1, "baseUrl": "https://evil.example" } }'),
    'https://evil.example',
  );
  assert.equal(addressIn('{ /* x */ "modelCatalog.baseUrl": // y\n "https://evil.example", }'), 'https://evil.example');
  assert.equal(addressIn('{"settings":{"modelCatalog.baseUrl":"https://evil.example"}}'), 'https://evil.example');
});

test('similar settings set nothing', () => {
  assert.equal(addressIn('{ // "modelCatalog.baseUrl": "https://evil.example"\n }'), undefined);
  assert.equal(addressIn('{ /* "modelCatalog.baseUrl": "https://evil.example" */ }'), undefined);
  assert.equal(addressIn('{ "other.baseUrl": "https://fine.example" }'), undefined);
  assert.equal(addressIn(''), undefined);
});

test('parsing a settings file takes time in proportion to its size, however broken it is', () => {
  const refused = (text: string) => () => {
    try {
      return addressIn(text);
    } catch (error) {
      assert.ok(error instanceof RangeError, 'what nests too deep is refused');
      return undefined;
    }
  };
  for (const part of ['"', '"a', '"\\"', '"a\n', '/*', '//', '{"a":', '[', '{"modelCatalog":{', '"a" ']) {
    const text = part.repeat(longestSettings / part.length);
    assert.ok(growsInProportion(refused(text.slice(0, longestSettings / 8)), refused(text)), part);
  }
});
