import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { serveAgent } from '../../../src/relay/mcp';
import type { Caller, Tool } from '../../../src/relay/relay';
import type { WindowResult } from '../../../src/relay/wire';
import { settled, TestClock } from '../clock';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'Modern Agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const serverInfo = { name: 'model-catalog', title: 'Model Catalog', version: '1.2.3' };
const quote: Tool = { name: 'quote', description: 'Prices', inputSchema: { type: 'object' } };
const saved: WindowResult = {
  text: 'Saved /site/a b.png',
  structured: { id: 'r1' },
  images: [
    { file: '/site/a b.png', mimeType: 'image/png', data: 'AAAA' },
    { file: '/site/large.png', mimeType: 'image/png' },
  ],
};

interface Called {
  readonly name: string;
  readonly input: unknown;
  readonly caller: Caller;
}

/** A conversation over a relay with the test's tool. */
function conversation(call: (called: Called) => Promise<WindowResult> = () => Promise.resolve(saved)) {
  const said: Record<string, unknown>[] = [];
  const calls: Called[] = [];
  const clock = new TestClock();
  const relay = {
    tools: () => [quote, { ...quote, name: 'render' }],
    call: (name: string, input: unknown, caller: Caller) => {
      calls.push({ name, input, caller });
      return call({ name, input, caller });
    },
  };
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => Promise.resolve(void said.push(message as Record<string, unknown>)),
    close: () => Promise.resolve(transport.onclose?.()),
  };
  serveAgent(relay, '1.2.3', clock, transport);
  const hear = (message: unknown) => transport.onmessage?.(message as JSONRPCMessage);
  const ask = async (method: string, params?: object, id: number | string = said.length + 1) => {
    hear({ jsonrpc: '2.0', id, method, params });
    await settled();
    return said.find((message) => message.id === id) as { result?: Record<string, unknown>; error?: RpcError };
  };
  return { transport, hear, ask, said, calls, clock };
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

suite('The protocol without sessions', () => {
  test('states its protocol version and name', async () => {
    const { ask } = conversation();
    const { result } = await ask('server/discover', { _meta: meta });
    assert.equal(result?.resultType, 'complete');
    assert.deepEqual(result._meta, { 'io.modelcontextprotocol/serverInfo': serverInfo });
    assert.deepEqual(result.supportedVersions, ['2026-07-28']);
    assert.deepEqual(result.capabilities, { tools: {} });
    assert.match(String(result.instructions), /Quote first/);
  });

  test('lists the tools, and which of them are read-only', async () => {
    const { ask } = conversation();
    const { result } = await ask('tools/list', { _meta: meta });
    assert.equal(result?.resultType, 'complete');
    assert.ok(typeof result.ttlMs === 'number' && result.cacheScope === 'private');
    assert.deepEqual(result.tools, [
      { ...quote, annotations: { readOnlyHint: true } },
      { ...quote, name: 'render', annotations: { readOnlyHint: false } },
    ]);
  });

  test('calls a tool for the client named in the request, and returns its text first', async () => {
    const { ask, calls } = conversation();
    const { result } = await ask('tools/call', { name: 'quote', arguments: { prompt: 'x' }, _meta: meta });
    assert.deepEqual(result?.content, [
      { type: 'text', text: 'Saved /site/a b.png' },
      { type: 'resource_link', uri: 'file:///site/a%20b.png', name: 'a b.png', mimeType: 'image/png' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///site/large.png', name: 'large.png', mimeType: 'image/png' },
    ]);
    assert.deepEqual(result.structuredContent, { id: 'r1' });
    assert.equal(result.resultType, 'complete');
    assert.deepEqual(
      [calls[0]?.name, calls[0]?.input, calls[0]?.caller.agent],
      ['quote', { prompt: 'x' }, 'Modern Agent'],
    );
  });

  test('rejects an unsupported version, and lists the supported ones', async () => {
    const { ask } = conversation();
    const later = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const { error } = await ask('tools/list', { _meta: later });
    assert.equal(error?.code, -32022);
    assert.deepEqual(error.data, { supported: ['2026-07-28'], requested: '2031-01-01' });
  });

  test('requires the client’s capabilities, and has no session methods', async () => {
    const { ask } = conversation();
    const less = { ...meta, 'io.modelcontextprotocol/clientCapabilities': undefined };
    assert.equal((await ask('tools/list', { _meta: less })).error?.code, -32602);
    for (const method of ['initialize', 'ping', 'resources/list'])
      assert.equal((await ask(method, { _meta: meta })).error?.code, -32601, method);
  });
});

suite('The protocol with sessions', () => {
  const hello = (protocolVersion: string) => ({
    ...{ protocolVersion, capabilities: {}, clientInfo: { name: 'Old Agent', version: '1' } },
  });

  test('opens one in the client’s version if supported, else in its own latest', async () => {
    const { ask } = conversation();
    for (const [asked, spoken] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['2031-01-01', '2025-11-25'],
    ] as const) {
      const { result } = await ask('initialize', hello(asked));
      assert.deepEqual([result?.protocolVersion, result?.serverInfo], [spoken, serverInfo]);
    }
  });

  test('answers pings, and lists and calls tools under the name given at the start, without fields of the other era', async () => {
    const { ask, hear, said, calls } = conversation();
    await ask('initialize', hello('2025-11-25'));
    hear({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual((await ask('ping')).result, {});
    assert.equal((await ask('tools/list')).result?.ttlMs, undefined);
    const { result } = await ask('tools/call', { name: 'quote' });
    assert.equal(result?.resultType, undefined);
    assert.equal((result?.content as unknown[]).length, 4);
    assert.equal(calls[0]?.caller.agent, 'Old Agent');
    assert.equal(said.length, 4, 'a notification is not answered');
  });

  test('offers the window’s page to a client that opens pages, once a user has been asked for 2 s', async () => {
    let finish: (result: WindowResult) => void = () => {};
    const { ask, said, calls, clock, hear } = conversation(() => new Promise((resolve) => (finish = resolve)));
    await ask('initialize', { ...hello('2025-11-25'), capabilities: { elicitation: { url: {} } } });
    await ask('tools/call', { name: 'render' }, 'r');
    calls[0]?.caller.progress('Asking for approval', 'vscode://model-catalog.model-catalog/pending');
    await clock.advance(1_900);
    assert.equal(said.length, 1);
    await clock.advance(200);
    const { id, method, params } = said[1] ?? {};
    assert.equal(method, 'elicitation/create');
    const { mode, url } = params as Record<string, unknown>;
    assert.deepEqual([mode, url], ['url', 'vscode://model-catalog.model-catalog/pending']);
    hear({ jsonrpc: '2.0', id, result: { action: 'decline' } });
    finish(saved);
    await settled();
    assert.deepEqual([said.length, said[2]?.id], [3, 'r'], 'the response decided nothing');
  });

  test('offers no page when the result is there at once, and none to a client that doesn’t open pages', async () => {
    for (const [elicitation, finished] of [
      [{ url: {} }, true],
      [{}, false],
      [undefined, false],
    ] as const) {
      let finish: (result: WindowResult) => void = () => {};
      const { ask, said, calls, clock } = conversation(() => new Promise((resolve) => (finish = resolve)));
      await ask('initialize', { ...hello('2025-11-25'), capabilities: { elicitation } });
      await ask('tools/call', { name: 'render' }, 'r');
      calls[0]?.caller.progress('Asking for approval', 'vscode://model-catalog.model-catalog/pending');
      if (finished) finish(saved);
      await clock.advance(10_000);
      assert.ok(said.every(({ method }) => method === undefined));
    }
  });

  test('omits links to files in versions that predate them', async () => {
    const { ask } = conversation();
    await ask('initialize', hello('2024-11-05'));
    const { result } = await ask('tools/call', { name: 'quote' });
    assert.deepEqual(
      (result?.content as { type: string }[]).map(({ type }) => type),
      ['text', 'image'],
    );
  });

  test('has no discovery, so that clients open a session', async () => {
    assert.equal((await conversation().ask('server/discover')).error?.code, -32601);
  });
});

suite('Whatever the era', () => {
  test('an unknown tool and invalid arguments are protocol errors', async () => {
    const { ask, calls } = conversation();
    for (const params of [{ name: 'remove' }, { name: 'quote', arguments: [] }, { arguments: {} }, undefined])
      assert.equal((await ask('tools/call', params)).error?.code, -32602);
    assert.equal(calls.length, 0);
  });

  test('a line that isn’t JSON is skipped, and the next request gets its response', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const relay = { tools: () => [quote], call: () => Promise.resolve(saved) };
    serveAgent(relay, '1.2.3', new TestClock(), new StdioServerTransport(input, output));
    input.write('{"jsonrpc":\n{"id": 7, "method": "ping"}\n');
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'ping' })}\n`);
    const [line] = (await once(output, 'data')) as [Buffer];
    assert.deepEqual(JSON.parse(line.toString()), { jsonrpc: '2.0', id: 8, result: {} });
  });

  test('confirms a canceled call without a response', async () => {
    const { ask, hear, said, calls } = conversation(
      ({ caller }) => new Promise((resolve) => caller.signal.addEventListener('abort', () => resolve(saved))),
    );
    await ask('tools/call', { name: 'render', _meta: { ...meta, progressToken: 'p' } }, 'r');
    hear({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'r', reason: 'no' } });
    await settled();
    assert.ok(calls[0]?.caller.signal.aborted);
    assert.deepEqual(said, []);
  });

  test('cancels running calls when the client is gone', async () => {
    const { ask, transport, calls } = conversation(() => new Promise(() => {}));
    await ask('tools/call', { name: 'render' });
    await transport.close();
    assert.ok(calls[0]?.caller.signal.aborted);
  });

  test('reports progress every five seconds to clients that sent a token, and only to them', async () => {
    let finish: (result: WindowResult) => void = () => {};
    const { ask, said, calls, clock } = conversation(() => new Promise((resolve) => (finish = resolve)));
    await ask('tools/call', { name: 'render', _meta: { ...meta, progressToken: 0 } }, 'r');
    calls[0]?.caller.progress('Waiting for approval');
    await clock.advance(12_000);
    assert.deepEqual(
      said.map(({ method, params }) => [method, params]),
      [1, 2].map((progress) => [
        'notifications/progress',
        { progressToken: 0, progress, message: 'Waiting for approval' },
      ]),
    );
    finish(saved);
    await settled();
    assert.equal(clock.waiting, 0);
    const silent = conversation(() => new Promise(() => {}));
    await silent.ask('tools/call', { name: 'render', _meta: meta });
    await silent.clock.advance(60_000);
    assert.deepEqual(silent.said, []);
  });

  test('an agent’s name is one line of readable length', async () => {
    const { ask, calls } = conversation();
    const clientInfo = { name: `Ev\u202eil\n${'x'.repeat(200)}`, version: '1' };
    const said = { ...meta, 'io.modelcontextprotocol/clientInfo': clientInfo };
    await ask('tools/call', { name: 'quote', _meta: said });
    assert.match(calls[0]?.caller.agent ?? '', /^Evil x{54}…$/);
  });
});
