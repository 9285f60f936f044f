import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { hasEntry, withEntry, withoutEntry } from '../../../../../src/features/agents/model/agentConfig';

const entry = { command: '/storage/agents/mcp', args: [] };

const commented = `// mine
{
\t"theme": "dark", // at night
\t"mcpServers": {
\t\t/* the first */
\t\t"other": { "command": "x", "env": { "TOKEN": "s" } },
\t},
}
`;

test('an entry is added after the others, in their format, and every other byte stays', () => {
  assert.equal(
    withEntry(commented, entry),
    commented.replace(
      '"s" } },',
      '"s" } },\n\t\t"model-catalog": {\n\t\t\t"command": "/storage/agents/mcp",\n\t\t\t"args": []\n\t\t},',
    ),
  );
});

test('an existing entry is replaced, and nothing else', () => {
  const before = '{ "mcpServers": { "model-catalog": { "command": "/old" }, "b": 1 } }';
  assert.equal(
    withEntry(before, entry),
    '{ "mcpServers": { "model-catalog": {"command":"/storage/agents/mcp","args":[]}, "b": 1 } }',
  );
});

test('a new or empty configuration gets only the entry', () => {
  const alone = { mcpServers: { 'model-catalog': entry } };
  for (const before of ['', '  \n', '{}', '{\n}', '{"mcpServers":{}}', '\ufeff{}'])
    assert.deepEqual(parse((withEntry(before, entry) ?? '').replace('\ufeff', '')), alone, JSON.stringify(before));
  assert.ok(withEntry('\ufeff{}', entry)?.startsWith('\ufeff{'));
});

test('line ends stay as they were', () => {
  const written = withEntry('{\r\n  "a": 1\r\n}\r\n', entry) ?? '';
  assert.equal(written.split('\n').length, written.split('\r\n').length);
});

test('a configuration that can’t be parsed, or has duplicate keys, isn’t written', () => {
  for (const text of [
    '{"mcpServers":{}',
    '{"a":1}}',
    '[]',
    '"text"',
    '{"mcpServers":[]}',
    '{"mcpServers":{},"mcpServers":{}}',
    '{"mcpServers":{"a":1,"a":2}}',
    'theme = "dark"',
  ]) {
    assert.equal(withEntry(text, entry), undefined, text);
    assert.equal(withoutEntry(text), undefined, text);
  }
});

test('only an entry that runs this launcher is ours', () => {
  const text = withEntry(commented, entry) ?? '';
  assert.ok(hasEntry(text, entry.command));
  assert.ok(!hasEntry(text, '/other/editor/agents/mcp'));
  assert.ok(!hasEntry(commented, entry.command));
  assert.ok(hasEntry(withEntry('', { command: 'cmd', args: ['/c', 'C:\\a b\\mcp.cmd'] }) ?? '', 'C:\\a b\\mcp.cmd'));
});

test('adding and removing an entry leaves the text unchanged', () => {
  assert.equal(withoutEntry(withEntry(commented, entry) ?? ''), commented);
  assert.equal(withoutEntry(commented), commented);
  assert.equal(
    withoutEntry('{ "mcpServers": { "model-catalog": {}, "b": 1 } }'),
    '{ "mcpServers": { "b": 1 } }',
    'the first of two',
  );
  assert.equal(withoutEntry('{"mcpServers": { "model-catalog": {}, }}'), '{"mcpServers": {}}', 'the only one');
});

test('everything else in a configuration survives adding and removing the entry', () => {
  const names = fc
    .string({ minLength: 1 })
    .filter((name) => !['__proto__', 'model-catalog', 'mcpServers'].includes(name));
  const servers = fc.dictionary(names, fc.jsonValue());
  const configs = fc.record({
    other: fc.dictionary(names, fc.jsonValue()),
    servers,
    indent: fc.constantFrom(0, 2, '\t'),
  });
  fc.assert(
    fc.property(configs, ({ other, servers, indent }) => {
      const text = JSON.stringify({ ...other, mcpServers: servers }, undefined, indent);
      const added = withEntry(text, entry) ?? '';
      const { mcpServers, ...rest } = JSON.parse(added) as Record<string, object>;
      assert.deepEqual(mcpServers, JSON.parse(JSON.stringify({ ...servers, 'model-catalog': entry })));
      assert.deepEqual(rest, JSON.parse(JSON.stringify(other)));
      assert.equal(withoutEntry(added), text);
    }),
  );
});
