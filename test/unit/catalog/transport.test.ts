import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { build } from 'esbuild';
import { HttpTransport, type Outgoing, proxyFor, type ProxySettings } from '../../../src/catalog/transport';
import { TestClock } from '../clock';
import { clientOf, failureOf, json, serve, serveRaw } from './service';

function get(base: string): Outgoing {
  return { method: 'GET', url: new URL(base), headers: {}, signal: new AbortController().signal };
}

/** A proxy that counts its tunnels, and connects them all to `target`. */
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

test('loading and using the transport leaves the dispatchers that all extensions share unchanged', async (t) => {
  const shared = () =>
    [1, 2].map((n) => (globalThis as Record<symbol, unknown>)[Symbol.for(`undici.globalDispatcher.${n}`)]);
  assert.deepEqual(shared(), [undefined, undefined]);
  const { base } = await serve(t, json({ balanceCents: 1 }));
  await clientOf(t, base).me();
  assert.deepEqual(shared(), [undefined, undefined]);
});

test('the client’s bundle lazily loads undici’s inner modules, but not the one with global side effects', async () => {
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

test('connections are reused', async (t) => {
  const sockets = new Set<object>();
  const base = await serveRaw(t, (socket) => {
    sockets.add(socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"balanceCents":3}');
  });
  const client = clientOf(t, base);
  for (let n = 0; n < 20; n++) await client.me();
  // The next request may begin before undici has returned the last one's connection to the pool.
  assert.ok(sockets.size <= 2, String(sockets.size));
});

test('requests use the proxy from the settings, and follow its changes', async (t) => {
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

test('hosts excluded from the proxy, and this machine, are reached directly', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  const transport = new HttpTransport({ httpProxy: proxy.address, noProxy: ['models.invalid', 'other.invalid'] });
  t.after(() => transport.dispose());
  assert.equal((await failureOf(transport.send(get('http://models.invalid/')))).kind, 'noAnswer');
  assert.equal((await transport.send(get(base))).status, 200);
  assert.deepEqual(proxy.asked, []);
});

test('the environment’s proxy is used if the settings name none, but not if they turn it off', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  useProxyEnvironment(t, { http_proxy: proxy.address });
  const [environment, none] = [new HttpTransport(), new HttpTransport({ httpProxy: '' })];
  t.after(() => [environment, none].forEach((transport) => transport.dispose()));
  assert.equal((await environment.send(get('http://models.invalid/'))).status, 200);
  assert.equal((await failureOf(none.send(get('http://models.invalid/')))).kind, 'noAnswer');
  assert.equal(proxy.asked.length, 1);
});

/** Which requests go through the proxy, whose address `P` stands for, by the settings and the environment. */
const ways: readonly [
  what: string,
  url: string,
  settings: ProxySettings,
  env: NodeJS.ProcessEnv,
  isProxied: boolean,
][] = [
  ['a setting', 'models.invalid', { httpProxy: 'P' }, {}, true],
  ['a setting that turns it off', 'models.invalid', { httpProxy: '' }, { https_proxy: 'P', http_proxy: 'P' }, false],
  ['the environment', 'models.invalid', {}, { HTTPS_PROXY: 'P' }, true],
  ['a proxy for http alone', 'models.invalid', {}, { HTTP_PROXY: 'P' }, true],
  ['an empty one in lower case', 'models.invalid', {}, { https_proxy: '', HTTPS_PROXY: 'P' }, false],
  ['an excluded host', 'models.invalid', { httpProxy: 'P', noProxy: ['a', 'Models.invalid'] }, {}, false],
  ['an excluded domain', 'models.invalid', { httpProxy: 'P', noProxy: ['.invalid'] }, {}, false],
  ['a pattern', 'models.invalid', { httpProxy: 'P', noProxy: ['*.invalid'] }, {}, false],
  ['the end of a name', 'models.invalid', { httpProxy: 'P', noProxy: ['odels.invalid'] }, {}, true],
  ['the port', 'models.invalid', { httpProxy: 'P', noProxy: ['models.invalid:443'] }, {}, false],
  ['another port', 'models.invalid:8443', { httpProxy: 'P', noProxy: ['models.invalid:443'] }, {}, true],
  ['everything excluded', 'models.invalid', { httpProxy: 'P', noProxy: ['*'] }, {}, false],
  ['everything and more', 'models.invalid', { httpProxy: 'P', noProxy: ['*', 'a'] }, {}, true],
  ['the environment’s exclusions', 'models.invalid', { httpProxy: 'P' }, { NO_PROXY: 'a models.invalid' }, false],
  ['exclusions of both', 'models.invalid', { httpProxy: 'P', noProxy: ['a'] }, { no_proxy: 'models.invalid' }, true],
];

for (const [what, host, settings, env, isProxied] of ways)
  test(`the proxy is named exactly where requests go through it: ${what}`, async (t) => {
    const { base } = await serve(t, json({ ok: true }));
    const proxy = await proxyTo(t, base);
    const real = (value: string | undefined) => (value === 'P' ? proxy.address : value);
    useProxyEnvironment(t, Object.fromEntries(Object.entries(env).map(([name, value]) => [name, real(value)])));
    const used = { ...settings, httpProxy: real(settings.httpProxy) };
    const transport = new HttpTransport(used);
    t.after(() => transport.dispose());
    const url = `https://${host}/`;
    await failureOf(transport.send(get(url)));
    assert.equal(proxy.asked.length > 0, isProxied);
    assert.equal(proxyFor(new URL(url), used, process.env)?.name, isProxied ? new URL(proxy.address).host : undefined);
  });

/** The environment has these variables about proxies, and no others, until the test ends. */
function useProxyEnvironment(t: TestContext, env: NodeJS.ProcessEnv): void {
  const before = process.env;
  const others = Object.entries(before).filter(([name]) => !/_proxy$/i.test(name));
  process.env = { ...Object.fromEntries(others), ...env };
  t.after(() => (process.env = before));
}

const spellings = ['H', ' H\n', 'http://H/', 'HTTP://H', 'me:word@H', 'http://me@H', 'http://me:50%@H'];
for (const spelling of spellings)
  test(`a proxy written as ${JSON.stringify(spelling)} is used, and named by host and port`, async (t) => {
    const { base } = await serve(t, json({ ok: true }));
    const { address, asked } = await proxyTo(t, base);
    const { host } = new URL(address);
    const settings = { httpProxy: spelling.replace(/H(?!TTP)/, host) };
    const transport = new HttpTransport(settings);
    t.after(() => transport.dispose());
    await failureOf(transport.send(get('https://models.invalid/')));
    assert.deepEqual(asked, ['models.invalid:443']);
    assert.equal(proxyFor(new URL('https://models.invalid/'), settings, {})?.name, host);
  });

for (const spelling of ['socks5h://H', 'socks5://H', 'socks://H'])
  test(`a proxy written as ${spelling} is asked as SOCKS 5 for the service by name`, async (t) => {
    const { address, spokenTo } = await silence(t);
    const transport = new HttpTransport({ httpProxy: spelling.replace('H', address) });
    t.after(() => transport.dispose());
    const spoken = spokenTo();
    const cancel = new AbortController();
    const sending = transport.send({ ...get('https://models.invalid/'), signal: cancel.signal });
    assert.equal((await spoken).said.charCodeAt(0), 5);
    cancel.abort(new Error('canceled by the test'));
    await assert.rejects(sending);
  });

for (const spelling of [
  'socks4a://me:word@proxy.example:1080',
  'socks4://proxy.example:1080',
  'quic://proxy.example:1080',
])
  test(`a proxy written as ${spelling} is named as one that can’t be used, without its password`, async (t) => {
    const transport = new HttpTransport({ httpProxy: spelling });
    t.after(() => transport.dispose());
    const { kind, proxy } = await failureOf(transport.send(get('https://models.invalid/')));
    assert.deepEqual([kind, proxy?.isUsable], ['noAnswer', false]);
    assert.equal(proxy?.name, spelling.replace('me:word@', ''));
  });

test('a proxy that refuses the connection is to blame, with its status', async (t) => {
  const server = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = new HttpTransport({ httpProxy: host });
  t.after(() => transport.dispose());
  const { proxy } = await failureOf(transport.send(get('https://models.invalid/')));
  assert.deepEqual(proxy, { name: host, isUsable: true, status: 407 });
});

test('a proxy that is down or unknown is to blame', async (t) => {
  const blamed = async (httpProxy: string) => {
    const transport = new HttpTransport({ httpProxy });
    t.after(() => transport.dispose());
    const { proxy, systemCode } = await failureOf(transport.send(get('https://models.invalid/')));
    return [proxy?.name, systemCode];
  };
  assert.deepEqual(await blamed('127.0.0.1:1'), ['127.0.0.1:1', 'ECONNREFUSED']);
  assert.equal((await blamed('http://proxy.invalid:8080'))[0], 'proxy.invalid:8080');
});

test('the editor’s own value for the proxy’s sign-in is sent to it, and to nobody else', async (t) => {
  const heard: (string | undefined)[] = [];
  const { base } = await serve(t, json({ ok: true }));
  const server = createServer().on('connect', (request, socket) => {
    heard.push(request.headers['proxy-authorization']);
    socket.end('HTTP/1.1 502 No\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const transport = new HttpTransport({
    httpProxy: `http://me:word@127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorization: 'Bearer secret',
  });
  t.after(() => transport.dispose());
  await failureOf(transport.send(get('https://models.invalid/')));
  assert.equal((await transport.send(get(base))).status, 200);
  assert.deepEqual(heard, ['Bearer secret']);
});

test('an unusable proxy means no response, and the next settings are tried afresh', async (t) => {
  const { base } = await serve(t, json({ ok: true }));
  const proxy = await proxyTo(t, base);
  const transport = new HttpTransport({ httpProxy: 'not an address' });
  t.after(() => transport.dispose());
  assert.equal((await failureOf(transport.send(get('http://models.invalid/')))).kind, 'noAnswer');
  transport.useProxy({ httpProxy: proxy.address });
  assert.equal((await transport.send(get('http://models.invalid/'))).status, 200);
});

test('a network error has the system’s code and nothing of the request', async (t) => {
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const error = await failureOf(
    transport.send({ ...get('http://127.0.0.1:1/'), headers: { authorization: 'Bearer ai_live_secret\r\nX: y' } }),
  );
  assert.equal(error.kind, 'noAnswer');
  assert.ok(!`${error.stack}${String(error.cause)}`.includes('secret'));
});

/** Accepts connections, reads, and never responds: a dead proxy, or a port whose TLS handshake never ends. */
async function silence(t: TestContext) {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  /** Resolves with a connection once data was received on it. */
  const spokenTo = async () => {
    const [socket] = (await once(server, 'connection')) as [Socket];
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    const [said] = (await once(socket, 'data')) as [Buffer];
    return { socket, said: said.toString('latin1') };
  };
  return { address: `127.0.0.1:${port}`, spokenTo };
}

/** The two places where a request can wait for a connection that is never established. */
const silences = [
  { name: 'a silent proxy', proxied: true },
  { name: 'a TLS handshake that never ends', proxied: false },
];

for (const { name, proxied } of silences) {
  const bench = async (t: TestContext) => {
    const { address, spokenTo } = await silence(t);
    const transport = new HttpTransport({ httpProxy: `http://${address}` });
    t.after(() => transport.dispose());
    return { transport, spokenTo, base: proxied ? 'https://models.invalid' : `https://${address}` };
  };

  test(`a request behind ${name} ends as soon as its caller cancels, and is never sent`, async (t) => {
    const { transport, spokenTo, base } = await bench(t);
    const cancel = new AbortController();
    const reason = new Error('canceled by the test');
    const spoken = spokenTo();
    let sent = 0;
    const beforeSend = () => {
      sent += 1;
    };
    const sending = transport.send({ ...get(base), signal: cancel.signal, beforeSend });
    await spoken;
    cancel.abort(reason);
    await assert.rejects(sending, (error) => error === reason);
    assert.equal(sent, 0);
  });

  test(`a request behind ${name} ends at its deadline`, async (t) => {
    const { transport, spokenTo, base } = await bench(t);
    const clock = new TestClock();
    const spoken = spokenTo();
    const asking = failureOf(clientOf(t, base, { transport, clock, limits: { jsonMs: 2000 } }).me({ times: 1 }));
    await spoken;
    await clock.advance(2000);
    assert.deepEqual([(await asking).kind, (await asking).systemCode], ['noAnswer', 'ETIMEDOUT']);
    assert.equal(clock.waiting, 0);
  });
}

test('a canceled request isn’t sent when the proxy wakes up, and the next one is', async (t) => {
  const { address, spokenTo } = await silence(t);
  const transport = new HttpTransport({ httpProxy: `http://${address}` });
  t.after(() => transport.dispose());
  const cancel = new AbortController();
  const order: string[] = [];
  const first = spokenTo();
  const dead = transport.send({
    ...get('http://models.invalid/dead'),
    signal: cancel.signal,
    beforeSend: () => void order.push('dead'),
  });
  const { socket, said } = await first;
  assert.match(said, /^CONNECT models\.invalid:80 /);
  cancel.abort(new Error('canceled by the test'));
  await assert.rejects(dead);

  const second = spokenTo();
  const alive = transport.send({ ...get('http://models.invalid/alive'), beforeSend: () => void order.push('alive') });
  const later = await second;
  // Both tunnels open now: data for the first one would be read here.
  const heard: string[] = [];
  for (const end of [socket, later.socket]) {
    end.on('data', (chunk: Buffer) => {
      heard.push(chunk.toString('latin1').split('\r\n')[0]!);
      end.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
    end.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  }
  assert.equal((await alive).status, 200);
  assert.deepEqual(order, ['alive']);
  assert.deepEqual(heard, ['GET /alive HTTP/1.1']);
});
