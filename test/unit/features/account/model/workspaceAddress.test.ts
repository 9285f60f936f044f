import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn } from '../../../../../src/features/account/model/serviceAddress';
import { longestConfig } from '../../../../../src/documents/site';
import { growsInProportion } from '../../../growth';

test('a URL set by a project is found, dotted or nested, among comments', () => {
  assert.equal(addressIn('{ "modelCatalog.baseUrl" : "https://evil.example" }'), 'https://evil.example');
  assert.equal(
    addressIn('{ "modelCatalog": { "lowBalance": 1, "baseUrl": "https://evil.example" } }'),
    'https://evil.example',
  );
  assert.equal(addressIn('{ /* x */ "modelCatalog.baseUrl": // y\n "https://evil.example", }'), 'https://evil.example');
  assert.equal(addressIn('{"settings":{"modelCatalog.baseUrl":"https://evil.example"}}'), 'https://evil.example');
  assert.equal(addressIn('{ "modelCatalog.serviceUrl": "https://evil.example" }'), 'https://evil.example');
  assert.equal(
    addressIn('{ "modelCatalog": { "serviceUrl": "https://evil.example", "baseUrl": "https://fine.example" } }'),
    'https://evil.example',
  );
});

test('similar settings set nothing', () => {
  assert.equal(addressIn('{ // "modelCatalog.baseUrl": "https://evil.example"\n }'), undefined);
  assert.equal(addressIn('{ /* "modelCatalog.baseUrl": "https://evil.example" */ }'), undefined);
  assert.equal(addressIn('{ "other.baseUrl": "https://fine.example" }'), undefined);
  assert.equal(addressIn(''), undefined);
});

test('parsing a settings file takes time proportional to its size, however broken it is', () => {
  const refused = (text: string) => () => {
    try {
      return addressIn(text);
    } catch (error) {
      assert.ok(error instanceof RangeError, 'what nests too deep is refused');
      return undefined;
    }
  };
  for (const part of ['"', '"a', '"\\"', '"a\n', '/*', '//', '{"a":', '[', '{"modelCatalog":{', '"a" ']) {
    const text = part.repeat(longestConfig / part.length);
    assert.ok(growsInProportion(refused(text.slice(0, longestConfig / 8)), refused(text)), part);
  }
});

test('invalid JSON is distinguished from JSON with comments and trailing commas', () => {
  const isBroken = (text: string) => {
    let is = false;
    addressIn(text, () => (is = true));
    return is;
  };
  assert.equal(isBroken('{ // all of it\n "editor.tabSize": 2, }'), false);
  assert.equal(isBroken('{ "editor.tabSize": 2 "a": 1'), true);
  assert.equal(isBroken(`{ "a": "${'b'.repeat(9000)}`), true);
  assert.equal(isBroken(`{ "a": ${'['.repeat(100_000)}`), true);
});
