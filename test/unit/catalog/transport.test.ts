import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { build } from 'esbuild';
import { HttpTransport, type Outgoing } from '../../../src/catalog/transport';
import { clientOf, failureOf, json, serve, serveRaw } from './service';

function get(base: string): Outgoing {
  return { method: 'GET', url: new URL(base), headers: {}, signal: new AbortController().signal };
}

/** A proxy that counts the tunnels it is asked for, and leads them all to `target`. */
async function proxyTo(t: TestContext, target: string) {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const { hostname, port } = new URL(target);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => {});
    t.after(() => [onward, socket].forEach((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('loading and using the wire leaves alone the dispatchers all extensions share', async (t) => {
  const shared = () =>
    [1, 2].map((n) => (globalThis as Record<symbol, unknown>)[Symbol.for(`undici.globalDispatcher.${n}`)]);
  assert.deepEqual(shared(), [undefined, undefined]);
  const { base } = await serve(t, json({ balanceCents: 1 }));
  await clientOf(t, base).me();
  assert.deepEqual(shared(), [undefined, undefined]);
});

test('the bundle of the client holds undici’s inner modules, lazily, and not the one that sets what is shared', async () => {
  const { metafile } = await build({
    entryPoints: ['src/catalog/client.ts', 'src/catalog/transport.ts'],
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  assert.ok(inputs.some((path) => path.endsWith('undici/lib/dispatcher/agent.js')));
  assert.ok(!inputs.some((path) => path.endsWith('undici/lib/global.js')));
  const entry = metafile.outputs['out/transport.js'];
  assert.ok(entry && !Object.keys(entry.inputs).some((path) => path.includes('undici')));
});

test('connections are used again', async (t) => {
  const sockets = new Set<object>();
  const base = await serveRaw(t, (socket) => {
    sockets.add(socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"balanceCents":3}');
  });
  const client = clientOf(t, base);
  for (let n = 0; n < 20; n++) await client.me();
  // The next request may begin before undici has put the last one's connection back.
  assert.ok(sockets.size <= 2, String(sockets.size));
});

test('requests go through the proxy of the settings, and change with them', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const [one, two] = [await proxyTo(t, base), await proxyTo(t, base)];
  const transport = new HttpTransport({ httpProxy: one.address });
  t.after(() => transport.dispose());
  const send = async () => (await (await transport.send(get('http://models.invalid/'))).body.toArray()).length;
  await send();
  transport.useProxy({ httpProxy: two.address });
  await send();
  assert.deepEqual([one.asked, two.asked], [['models.invalid:80'], ['models.invalid:80']]);
});

test('hosts that need no proxy, and this machine, are reached directly', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  const transport = new HttpTransport({ httpProxy: proxy.address, noProxy: ['models.invalid', 'other.invalid'] });
  t.after(() => transport.dispose());
  assert.equal((await failureOf(transport.send(get('http://models.invalid/')))).kind, 'noAnswer');
  assert.equal((await transport.send(get(base))).status, 200);
  assert.deepEqual(proxy.asked, []);
});

test('the environment’s proxy is used where the settings name none, and not where they say none', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  const before = process.env['http_proxy'];
  process.env['http_proxy'] = proxy.address;
  t.after(() => {
    if (before === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = before;
  });
  const [environment, none] = [new HttpTransport(), new HttpTransport({ httpProxy: '' })];
  t.after(() => [environment, none].forEach((transport) => transport.dispose()));
  assert.equal((await environment.send(get('http://models.invalid/'))).status, 200);
  assert.equal((await failureOf(none.send(get('http://models.invalid/')))).kind, 'noAnswer');
  assert.equal(proxy.asked.length, 1);
});

test('a proxy that cannot be used is no answer, and the next settings are tried afresh', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  const transport = new HttpTransport({ httpProxy: 'not an address' });
  t.after(() => transport.dispose());
  assert.equal((await failureOf(transport.send(get('http://models.invalid/')))).kind, 'noAnswer');
  transport.useProxy({ httpProxy: proxy.address });
  assert.equal((await transport.send(get('http://models.invalid/'))).status, 200);
});

test('an error of the wire carries the system’s word and nothing of what was sent', async (t) => {
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const error = await failureOf(
    transport.send({ ...get('http://127.0.0.1:1/'), headers: { authorization: 'Bearer ai_live_secret\r\nX: y' } }),
  );
  assert.equal(error.kind, 'noAnswer');
  assert.ok(!`${error.stack}${String(error.cause)}`.includes('secret'));
});
