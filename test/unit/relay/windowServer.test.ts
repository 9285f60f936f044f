import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { AgentCall, AgentTools } from '../../../src/features/agents/model/agentTools';
import { silentLog } from '../../../src/base/log';
import { askWindow } from '../../../src/relay/relay';
import { openWindows, windowsFolder } from '../../../src/relay/windowFiles';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';
import { heardFrom, newFolder, openWindow, pendingPage, sayTo, toolsThat } from './world';

const sent = { name: 'quote', input: { prompt: 'a lighthouse' }, agent: 'tester', folder: '/project' };
const call = { ...sent, answerWithin: 9 };
const asked = (token: string) => `${JSON.stringify({ token, ...call })}\n`;
const unheard = () => new AbortController().signal;

test('a call reaches the tools unchanged, and its result comes back with its progress', async (t) => {
  const calls: unknown[] = [];
  const tools = toolsThat(async (name, input, call) => {
    const { agent, folder } = call;
    calls.push({ name, input, agent, folder });
    call.progress?.('Asking for the price');
    call.asks?.();
    await settled();
    return { text: '€0.04', structured: { cents: 4 } };
  });
  const { file } = await openWindow(t, newFolder(t), tools);
  const words: unknown[] = [];
  const result = await askWindow(file, call, unheard(), (...said) => words.push(said));
  assert.deepEqual(result, { text: '€0.04', structured: { cents: 4 }, images: [] });
  assert.deepEqual(calls, [sent]);
  assert.deepEqual(words, [
    ['Asking for the price', undefined],
    ['Asking for approval', pendingPage],
  ]);
});

test('the time to respond counts from when the call arrives, also while the tools still load', async (t) => {
  const clock = new TestClock();
  const called = deferred<undefined>();
  const loading = deferred<AgentTools>();
  const load = () => (called.resolve(undefined), loading.promise);
  const { file } = await openWindow(t, newFolder(t), load, { clock });
  const result = askWindow(file, { ...call, answerWithin: 43_000 }, unheard(), () => {});
  await called.promise;
  await clock.advance(40_000);
  let late: AbortSignal | undefined;
  loading.resolve(
    toolsThat(async (_, __, call) => {
      late = call.late;
      await new Promise((resolve) => call.late?.addEventListener('abort', resolve));
      return { text: 'So far' };
    }),
  );
  await clock.advance(2_999);
  assert.equal(late?.aborted, false);
  await clock.advance(1);
  assert.deepEqual(await result, { text: 'So far', images: [] });
  assert.equal(clock.waiting, 0);
});

test('a stranger gets no byte: without the token, with another, without a call, or with an endless line', async (t) => {
  let calls = 0;
  const tools = toolsThat(() => Promise.resolve({ text: `call ${++calls}` }));
  const { file } = await openWindow(t, newFolder(t), tools);
  const { token } = file;
  for (const said of [
    asked(''),
    asked(`${token}x`),
    asked(token.slice(1)),
    asked(token).replace(/"token":"[^"]*",/, ''),
    'GET / HTTP/1.1\r\n\r\n',
    `${JSON.stringify({ token })}\n`,
    `${'x'.repeat(1_000_001)}\n`,
    `${JSON.stringify({ token, ...call, input: 'x'.repeat(1_000_001) })}\n`,
  ])
    assert.equal(await sayTo(file, said), '', said.slice(0, 60));
  assert.equal(calls, 0);
  assert.match(await sayTo(file, asked(token)), /call 1/);
});

test('a connection that sends nothing, or half a call, is closed after five seconds', async (t) => {
  const clock = new TestClock();
  const { file } = await openWindow(
    t,
    newFolder(t),
    toolsThat(() => Promise.reject(new Error())),
    { clock },
  );
  const closed = ['', asked(file.token).slice(0, -1)].map(async (said) => {
    const socket = connect(file.socket);
    const heard = heardFrom(socket);
    await new Promise<void>((resolve) => socket.write(said || ' ', () => resolve()));
    return heard;
  });
  while (clock.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(5_000);
  assert.deepEqual(await Promise.all(closed), ['', '']);
  assert.equal(clock.waiting, 0);
});

test('a closed connection cancels its call, and a second call on a connection closes it', async (t) => {
  const signals: AbortSignal[] = [];
  let called: () => void = () => {};
  const tools = toolsThat(async (_, __, { signal }: AgentCall) => {
    signals.push(signal);
    called();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { text: 'too late' };
  });
  const { file } = await openWindow(t, newFolder(t), tools);
  const stop = new AbortController();
  const first = new Promise<void>((resolve) => (called = resolve));
  const result = askWindow(file, call, stop.signal, () => {});
  await first;
  stop.abort();
  assert.equal(typeof (await result), 'string');
  while (!signals[0]?.aborted) await new Promise((resolve) => setImmediate(resolve));
  assert.doesNotMatch(await sayTo(file, asked(file.token) + asked(file.token)), /result/);
  while (!signals.every(({ aborted }) => aborted)) await new Promise((resolve) => setImmediate(resolve));
});

test('a call that was answered isn’t canceled by the end of its connection', async (t) => {
  const signals: AbortSignal[] = [];
  const tools = toolsThat((_, __, { signal }: AgentCall) => {
    signals.push(signal);
    return Promise.resolve({ text: 'Waiting for the user' });
  });
  const { file } = await openWindow(t, newFolder(t), tools);
  const result = await askWindow(file, call, unheard(), () => {});
  assert.ok(typeof result === 'object' && /Waiting/.test(result.text));
  // By then the window has seen the first connection close.
  for (let others = 0; others < 3; others++) await askWindow(file, call, unheard(), () => {});
  assert.equal(signals[0]?.aborted, false);
});

test('small, displayable images are sent up to a limit; for others, only the path is', async (t) => {
  const image = (file: string, size: number, mimeType = 'image/png') => ({
    ...{ file, mimeType, data: new Uint8Array(size) },
  });
  const images = [
    image('/1.png', 400_000),
    image('/2.png', 400_001),
    image('/3.svg', 10, 'image/svg+xml'),
    image('/4.webp', 400_000, 'image/webp'),
    image('/5.png', 400_000),
    image('/6.png', 1),
  ];
  const { file } = await openWindow(
    t,
    newFolder(t),
    toolsThat(() => Promise.resolve({ text: 'Six', images })),
  );
  const result = await askWindow(file, call, unheard(), () => {});
  assert.ok(typeof result === 'object');
  assert.deepEqual(
    result.images.map(({ file, data }) => [file, data === undefined ? 0 : Buffer.from(data, 'base64').length]),
    [
      ['/1.png', 400_000],
      ['/2.png', 0],
      ['/3.svg', 0],
      ['/4.webp', 400_000],
      ['/5.png', 400_000],
      ['/6.png', 0],
    ],
  );
});

test('failing tools are an error with a message, and in the log', async (t) => {
  const logged: string[] = [];
  const log = { ...silentLog, error: (message: string | Error) => void logged.push(String(message)) };
  const failing = toolsThat(() => Promise.reject(new Error('The disk is full')));
  const { file } = await openWindow(t, newFolder(t), failing, { log });
  const result = await askWindow(file, call, unheard(), () => {});
  assert.ok(typeof result === 'object' && result.isError);
  assert.match(result.text, /The disk is full/);
  assert.deepEqual(logged, ['Tool quote: The disk is full']);
});

test('its socket is closed to others, its folders can change, and nothing is left once it’s closed', async (t) => {
  const storage = newFolder(t);
  const folders = ['/one'];
  const tools = toolsThat(() => new Promise(() => {}));
  const { server, file } = await openWindow(t, storage, tools, { folders });
  if (process.platform !== 'win32') assert.equal(statSync(dirname(file.socket)).mode & 0o777, 0o700);
  folders.push('/two');
  server.announce();
  assert.deepEqual(openWindows(windowsFolder(storage))[0]?.folders, ['/one', '/two']);
  const result = askWindow(file, call, unheard(), () => server.dispose());
  const socketGone = sayTo(file, asked(file.token));
  server.dispose();
  assert.equal(typeof (await result), 'string', 'why there is no result');
  await socketGone;
  assert.deepEqual(openWindows(windowsFolder(storage)), []);
  assert.ok(!existsSync(file.socket));
  assert.deepEqual(readdirSync(windowsFolder(storage)), []);
  assert.equal(await askWindow(file, call, unheard(), () => {}), 'notReached');
});

suite('A socket of which another user may be the owner', { skip: process.platform === 'win32' }, () => {
  /** A server of whoever is there, and what it hears. */
  async function impostor(t: TestContext, path: string): Promise<string[]> {
    const heard: string[] = [];
    const server = createServer((socket) => socket.on('data', (data) => heard.push(String(data)))).listen(path);
    await once(server, 'listening');
    t.after(() => server.close());
    return heard;
  }

  test('hears neither token nor prompt if its folder is open to others', async (t) => {
    const folder = newFolder(t);
    const heard = await impostor(t, join(folder, 'window'));
    chmodSync(folder, 0o777);
    const file = { pid: process.pid, host: '', socket: join(folder, 'window'), token: 'secret', folders: [], since: 1 };
    assert.equal(await askWindow(file, call, unheard(), () => {}), 'notReached');
    assert.deepEqual(heard, []);
  });

  test('hears nothing if its folder is a link, or the socket is one', async (t) => {
    const [folder, other] = [newFolder(t), newFolder(t)];
    const heard = await impostor(t, join(folder, 'window'));
    symlinkSync(folder, join(other, 'link'));
    symlinkSync(join(folder, 'window'), join(other, 'window'));
    for (const socket of [join(other, 'link', 'window'), join(other, 'window')]) {
      const file = { pid: process.pid, host: '', socket, token: 'secret', folders: [], since: 1 };
      assert.equal(await askWindow(file, call, unheard(), () => {}), 'notReached');
    }
    assert.deepEqual(heard, []);
  });
});

test('a window’s socket is in the extension’s storage, or in a folder of its own where that path is too long', async (t) => {
  if (process.platform === 'win32') return;
  const storage = newFolder(t);
  const deep = join(newFolder(t), 'a'.repeat(90));
  const tools = toolsThat(() => Promise.resolve({ text: 'done' }));
  const near = await openWindow(t, storage, tools);
  const isShort = Buffer.byteLength(windowsFolder(storage)) < 70;
  assert.equal(dirname(near.file.socket) === windowsFolder(storage), isShort);
  const far = await openWindow(t, deep, tools);
  assert.ok(!far.file.socket.startsWith(deep));
  for (const { file } of [near, far]) {
    assert.equal(statSync(dirname(file.socket)).mode & 0o777, 0o700);
    assert.equal(((await askWindow(file, call, unheard(), () => {})) as { text: string }).text, 'done');
  }
});
