import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn } from '../../../../src/host/account/workspaceAddress';

test('an address set by a project is found, dotted or nested, among comments', () => {
  assert.equal(addressIn('{ "modelCatalog.baseUrl" : "https://evil.example" }'), 'https://evil.example');
  assert.equal(
    addressIn('{ "modelCatalog": { "lowBalance": 1, "baseUrl": "https://evil.example" } }'),
    'https://evil.example',
  );
  assert.equal(addressIn('{ /* x */ "modelCatalog.baseUrl": // y\n "https://evil.example", }'), 'https://evil.example');
  assert.equal(addressIn('{"settings":{"modelCatalog.baseUrl":"https://evil.example"}}'), 'https://evil.example');
});

test('what only looks like it sets nothing', () => {
  assert.equal(addressIn('{ // "modelCatalog.baseUrl": "https://evil.example"\n }'), undefined);
  assert.equal(addressIn('{ /* "modelCatalog.baseUrl": "https://evil.example" */ }'), undefined);
  assert.equal(addressIn('{ "other.baseUrl": "https://fine.example" }'), undefined);
  assert.equal(addressIn(''), undefined);
});
