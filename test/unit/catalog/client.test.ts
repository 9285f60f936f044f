import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Log, reasonOf, redact } from '../../../src/base/log';
import { CatalogClient } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import type { Transport } from '../../../src/catalog/transport';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';
import { growsInProportion } from '../growth';
import { clientOf, evenChance, failureOf, json, serve, serveRaw, testKey } from './service';

const root = '/api/v1/api/catalog';
const bytes = new TextEncoder().encode('{"modelId":"a/b/c","inputs":{"prompt":"ä"}}');
const nothing = () => {};

test('every request carries the key, accepts no encoding, and stays below the catalog root', async (t) => {
  const { base, arrived } = await serve(t, (response, { url }) => {
    const answers: Record<string, unknown> = {
      [`${root}/me`]: { balanceCents: 7 },
      [`${root}/models`]: { models: [{ id: 'a/b/c' }] },
      [`${root}/models/detail?id=a%2Fb%2Fc%3F%26`]: { fields: [] },
      [`${root}/quote`]: { costCents: 4 },
      [`${root}/generations`]: [],
      [`${root}/generations/g%2F1`]: { id: 'g/1', status: 'queued' },
    };
    json(answers[url] ?? {})(response, { method: '', url, headers: {}, body: '' });
  });
  const client = clientOf(t, base);
  assert.deepEqual(await client.me(), { balanceCents: 7 });
  assert.equal((await client.models()).items[0]?.id, 'a/b/c');
  assert.deepEqual((await client.model('a/b/c?&')).fields, []);
  assert.deepEqual(await client.quote('a/b/c', { prompt: 'x' }), { costCents: 4 });
  assert.deepEqual((await client.generations()).value.items, []);
  assert.equal((await client.generation('g/1')).value.status, 'queued');
  await client.delete('g/1');
  assert.deepEqual(
    arrived.map(({ method, url }) => `${method} ${url}`),
    [
      `GET ${root}/me`,
      `GET ${root}/models`,
      `GET ${root}/models/detail?id=a%2Fb%2Fc%3F%26`,
      `POST ${root}/quote`,
      `GET ${root}/generations`,
      `GET ${root}/generations/g%2F1`,
      `DELETE ${root}/generations/g%2F1`,
    ],
  );
  assert.ok(
    arrived.every(
      ({ headers }) => headers.authorization === `Bearer ${testKey}` && headers['accept-encoding'] === 'identity',
    ),
  );
  assert.equal(arrived[3]?.headers['content-type'], 'application/json');
  assert.equal(arrived[3].body, '{"modelId":"a/b/c","inputs":{"prompt":"x"}}');
});

test('every request states the user’s language, if there is one, and an order stays the same bytes', async (t) => {
  const { base, arrived } = await serve(t, json({ id: 'g1', status: 'queued' }));
  for (const language of ['de', undefined]) {
    const client = clientOf(t, base, { language });
    await failureOf(client.me());
    await client.createGeneration(bytes, 'k', nothing);
  }
  assert.deepEqual(
    arrived.map(({ headers }) => headers['accept-language']),
    ['de', 'de', undefined, undefined],
  );
  const [, german, , plain] = arrived;
  assert.deepEqual([german?.body, german?.headers['idempotency-key']], [new TextDecoder().decode(bytes), 'k']);
  assert.equal(plain?.body, german?.body);
});

test('what a service quotes of a prompt reaches the caller, and never the log', async (t) => {
  const prompt = 'the unannounced lighthouse';
  const quoting: readonly (readonly [status: number, body: string])[] = [
    [400, JSON.stringify({ code: 'BLOCKED', message: `“${prompt}” isn’t allowed`, details: { prompt: prompt } })],
    [400, JSON.stringify({ code: prompt, error: prompt, errors: [{ field: prompt, message: prompt }] })],
    [403, JSON.stringify({ error: { code: prompt, type: prompt, message: prompt } })],
    [422, JSON.stringify([prompt])],
    [400, prompt],
    [502, `<html>${prompt}</html>`],
    [200, prompt],
    [200, `{"costCents": ${prompt}`],
  ];
  const said: unknown[] = [];
  const logged: unknown[] = [];
  const note = (...told: unknown[]) => void logged.push(...told);
  for (const [status, body] of quoting) {
    const { base } = await serve(t, (response) => response.writeHead(status).end(body));
    const client = clientOf(t, base, { log: { debug: note, info: note, warn: note, error: note } });
    const error = await failureOf(client.quote('a/b/c', { prompt }));
    if (body.startsWith('{')) said.push(error.serviceMessage);
    logged.push(reasonOf(error), error.stack);
  }
  assert.deepEqual(said.slice(0, 3), [`“${prompt}” isn’t allowed`, prompt, prompt]);
  for (const word of prompt.split(' ').slice(1)) assert.ok(!inspect(logged).includes(word), inspect(logged));
  assert.match(inspect(logged), /Status 400, BLOCKED/);
  assert.match(inspect(logged), /Status 403/);
});

test('the URL’s path prefix is kept', async (t) => {
  const { base, arrived } = await serve(t, json({ balanceCents: 1 }));
  await clientOf(t, `${base}/studio`).me();
  assert.equal(arrived[0]?.url, `/studio${root}/me`);
});

test('a generation sends exactly the bytes it is given, once, with its Idempotency-Key', async (t) => {
  const { base, arrived } = await serve(t, (response) => {
    response.writeHead(201, { 'content-type': 'application/json', date: 'Fri, 02 Jan 2026 03:04:05 GMT' });
    response.end('{"id":"g1","status":"queued","costCents":4}');
  });
  const client = clientOf(t, base);
  let before = 0;
  const { value, serviceTime } = await client.createGeneration(bytes, 'key-1', () => (before += 1));
  assert.equal(before, 1);
  assert.equal(value.id, 'g1');
  assert.equal(value.costCents, 4);
  assert.equal(serviceTime, Date.UTC(2026, 0, 2, 3, 4, 5));
  assert.equal(arrived.length, 1);
  assert.equal(arrived[0]?.body, '{"modelId":"a/b/c","inputs":{"prompt":"ä"}}');
  assert.equal(arrived[0].headers['idempotency-key'], 'key-1');
});

test('nothing is sent when the last check throws, and the caller gets that error', async (t) => {
  const { base, arrived } = await serve(t, json({ id: 'g1' }));
  const client = clientOf(t, base);
  const refusal = new Error('another window has it');
  const call = client.createGeneration(bytes, 'key-1', () => {
    throw refusal;
  });
  await assert.rejects(call, (error) => error === refusal);
  await client.generations().catch(nothing);
  assert.deepEqual(
    arrived.map(({ method }) => method),
    ['GET'],
  );
});

test('the last check doesn’t run if no connection is made', async (t) => {
  const { base } = await serve(t, nothing);
  const closed = base.replace(/\d+$/, '1');
  let before = 0;
  const error = await failureOf(clientOf(t, closed).createGeneration(bytes, 'k', () => (before += 1)));
  assert.equal(error.kind, 'noAnswer');
  assert.equal(error.systemCode, 'ECONNREFUSED');
  assert.equal(before, 0);
});

test('a generation canceled before its bytes leave isn’t sent', async (t) => {
  const { base, arrived } = await serve(t, json({ id: 'g1' }));
  const cancel = new AbortController();
  let before = 0;
  const call = clientOf(t, base).createGeneration(bytes, 'k', () => (before += 1), { signal: cancel.signal });
  cancel.abort();
  assert.equal((await failureOf(call)).kind, 'cancelled');
  assert.equal(before, 0);
  assert.equal(arrived.length, 0);
});

for (const status of [408, 429, 500, 502, 503]) {
  test(`a generation answered with ${status} is not repeated by the client`, async (t) => {
    const { base, arrived } = await serve(t, json({ code: 'X', message: 'no' }, status));
    const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
    assert.equal(error.status, status);
    assert.equal(arrived.length, 1);
  });
}

test('a generation whose connection is reset isn’t repeated, not even on another connection in the pool', async (t) => {
  let posts = 0;
  const base = await serveRaw(t, (socket, request) => {
    if (request.startsWith('POST')) {
      posts += 1;
      socket.resetAndDestroy();
    } else {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
    }
  });
  const client = clientOf(t, base);
  await client.generations();
  const error = await failureOf(client.createGeneration(bytes, 'k', nothing));
  assert.equal(error.kind, 'noAnswer');
  await client.generations();
  assert.equal(posts, 1);
});

test('a generation without a response ends after 75 seconds, not before', async (t) => {
  const clock = new TestClock();
  const { promise: arrival, resolve: arrive } = deferred<true>();
  const { base } = await serve(t, () => arrive(true));
  let ended = false;
  const end = failureOf(clientOf(t, base, { clock }).createGeneration(bytes, 'k', nothing)).finally(
    () => (ended = true),
  );
  await arrival;
  await clock.advance(74_999);
  assert.equal(ended, false);
  await clock.advance(1);
  const error = await end;
  assert.equal(error.kind, 'noAnswer');
  assert.equal(error.systemCode, 'ETIMEDOUT');
});

test('a request without a response is repeated after 20 seconds', async (t) => {
  const clock = new TestClock();
  const arrivals = [deferred<true>(), deferred<true>()];
  let asked = 0;
  const { base } = await serve(t, () => arrivals[asked++]?.resolve(true));
  const cancel = new AbortController();
  const end = failureOf(clientOf(t, base, { clock }).me({ signal: cancel.signal }));
  await arrivals[0]!.promise;
  await clock.advance(20_000);
  await clock.advance(15_000);
  await arrivals[1]!.promise;
  assert.equal(asked, 2);
  cancel.abort();
  assert.equal((await end).kind, 'cancelled');
});

const unusable: readonly [what: string, body: string][] = [
  ['no id', '{"status":"queued"}'],
  ['an empty id', '{"id":"","status":"queued"}'],
  ['a fraction for an id', '{"id":7.5,"status":"queued"}'],
  ['an object for an id', '{"id":{},"status":"queued"}'],
  ['a list', '[]'],
  ['an empty object', '{}'],
  ['null', 'null'],
  ['a text', '"ok"'],
  ['nothing', ''],
  ['half an answer', '{"id":"g1","sta'],
  ['a web page', '<!DOCTYPE html><title>Sign in</title>'],
  ['UTF-16', '\u0000{\u0000}'],
  ['a comma too many', '{"id":"g1",}'],
  ['NaN', '{"id":"g1","costCents":NaN}'],
];

for (const [what, body] of unusable) {
  test(`a generation with 200 and ${what} is unreadable, never a success`, async (t) => {
    const { base } = await serve(t, (response) => {
      response.writeHead(200, { date: 'Fri, 02 Jan 2026 03:04:05 GMT' }).end(body);
    });
    const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
    assert.equal(error.kind, 'unreadable');
    assert.equal(error.serviceTime, Date.UTC(2026, 0, 2, 3, 4, 5));
  });
}

test('a byte order mark before the JSON does no harm', async (t) => {
  const { base } = await serve(t, (response) => response.end('\ufeff{"balanceCents":3}'));
  assert.deepEqual(await clientOf(t, base).me(), { balanceCents: 3 });
});

test('a redirect of a generation isn’t followed, since it isn’t a response', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { base, arrived } = await serve(t, (response, { url }) => {
      if (url.endsWith('/generations')) response.writeHead(status, { location: '/elsewhere' }).end();
      else response.end('{"id":"g1","status":"queued"}');
    });
    const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
    assert.equal(error.kind, 'status');
    assert.equal(error.status, status);
    assert.equal(arrived.length, 1);
  }
});

test('a redirect of a result file isn’t followed, so the key isn’t sent elsewhere', async (t) => {
  const other = await serve(t, (response) => response.end('file'));
  const { base } = await serve(t, (response) => response.writeHead(302, { location: `${other.base}/file` }).end());
  const error = await failureOf(clientOf(t, base).content('g1'));
  assert.equal(error.status, 302);
  assert.equal(other.arrived.length, 0);
});

const refusals: readonly [status: number, body: unknown, kind: string][] = [
  [400, { code: 'INVALID', message: 'bad', details: { prompt: 'is required' } }, 'invalidInput'],
  [401, { code: 'NO', message: 'key' }, 'keyRefused'],
  [402, { error: { code: 'LOW', message: 'balance' } }, 'balanceTooLow'],
  [409, { code: 'API_KEY_DAILY_CAP', message: 'cap' }, 'dailyCap'],
  [409, { code: 'BUSY', message: 'first one runs' }, 'status'],
  [409, {}, 'status'],
  [409, { code: 'BUSY', message: 'See API_KEY_DAILY_CAP' }, 'status'],
  [409, { code: 'BUSY', message: 'API_KEY_DAILY_CAP' }, 'status'],
  [409, { message: 'In progress', request: { code: 'API_KEY_DAILY_CAP' } }, 'status'],
  [409, { inputs: { prompt: 'x' }, help: { code: 'API_KEY_DAILY_CAP' } }, 'status'],
  [409, 'API_KEY_DAILY_CAP: try again tomorrow', 'dailyCap'],
  [429, {}, 'tooManyRequests'],
  [404, { message: 'gone' }, 'status'],
  [418, 'teapot', 'status'],
];

for (const [status, body, kind] of refusals) {
  test(`status ${status} with ${JSON.stringify(body)} is ${kind}`, async (t) => {
    const { base } = await serve(t, json(body, status));
    assert.equal((await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing))).kind, kind);
  });
}

const contradictions: readonly [isContradicted: boolean, status: number, body: unknown][] = [
  [true, 400, { code: 'INVALID', generationId: 'g1' }],
  [true, 400, { error: { message: 'no', details: { existing_generation_id: 17 } } }],
  [true, 402, { message: 'Low', generation: { id: 'g1' } }],
  [true, 402, { message: 'Low', data: { id: 'g1', status: 'queued', costCents: 4 } }],
  [true, 402, { message: 'Balance too low: this request was already charged' }],
  [true, 409, { code: 'API_KEY_DAILY_CAP', message: 'The render was charged.' }],
  [true, 400, { error: { code: 'DUPLICATE_REQUEST' } }],
  [true, 400, { code: 'IDEMPOTENCY_KEY_REUSED' }],
  [true, 401, { code: 'NO', charged: true }],
  [false, 400, { code: 'INVALID', details: { generationId: 'is required' } }],
  [false, 400, { id: 'req-9', message: 'Nothing was charged' }],
  [false, 402, { message: 'Your card wasn’t charged. Add funds.', costCents: 4, balanceCents: 1 }],
  [false, 400, { message: 'no', inputs: { generationId: 'g1', prompt: 'it was charged' } }],
  [false, 409, { code: 'API_KEY_DAILY_CAP', message: 'The cap is reached' }],
];

for (const [isContradicted, status, body] of contradictions)
  test(`status ${status} with ${JSON.stringify(body)} ${isContradicted ? 'contradicts itself' : 'stands'}`, async (t) => {
    const { base } = await serve(t, json(body, status));
    const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
    assert.equal(error.contradicted, isContradicted);
  });

test('an ID of 64 bits that is a number keeps every digit, from the response to the request for it', async (t) => {
  const text = '{"id":9007199254740993,"status":"queued","costCents":4}';
  const { base, arrived } = await serve(t, (response) => response.end(text));
  const client = clientOf(t, base);
  const { value } = await client.createGeneration(bytes, 'k', nothing);
  assert.equal(value.id, '9007199254740993');
  assert.equal((await client.generation(value.id)).value.id, value.id);
  assert.match(arrived[1]?.url ?? '', /\/generations\/9007199254740993$/);
});

test('a response that repeats large inputs is read, without what doesn’t fit', async (t) => {
  const image = `data:image/png;base64,${'A\\/"\\u00e9'.repeat(20_000)}`;
  const inputs = { image, prompt: 'a "red" kite', mask: `${image}\\` };
  const { base } = await serve(t, (response) => {
    const text = JSON.stringify({ inputs, id: 'g1', status: 'queued', costCents: 4 });
    // In parts that end anywhere.
    for (let at = 0; at < text.length; at += 65_537) response.write(text.slice(at, at + 65_537));
    response.end();
  });
  const client = clientOf(t, base, { limits: { jsonBytes: 300_000 } });
  const body = new TextEncoder().encode(JSON.stringify({ modelId: 'a/b/c', inputs }));
  for (const { value } of [await client.createGeneration(body, 'k', nothing), await client.generation('g1')]) {
    assert.deepEqual([value.id, value.status, value.costCents], ['g1', 'queued', 4]);
    assert.deepEqual([value.inputs?.['prompt'], value.inputs?.['mask']], ['a "red" kite', {}]);
  }
  assert.equal((await failureOf(client.createGeneration(bytes, 'k', nothing))).kind, 'tooLarge');
});

test('the service’s code, message, and named fields come with the error', async (t) => {
  const { base } = await serve(
    t,
    json(
      {
        error: {
          code: 'INVALID',
          message: 'Check your inputs',
          details: [{ path: 'inputs.prompt', issue: 'too long' }],
        },
      },
      400,
    ),
  );
  const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
  assert.equal(error.code, 'INVALID');
  assert.equal(error.serviceMessage, 'Check your inputs');
  assert.deepEqual(error.fields, [{ field: 'prompt', message: 'too long' }]);
});

test('a rejection in the form of a web page isn’t the service’s word', async (t) => {
  for (const status of [400, 401, 402, 403]) {
    const { base } = await serve(t, (response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Sign in to the Wi-Fi'),
    );
    const error = await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing));
    assert.equal(error.kind, 'status');
    assert.equal(error.html, true);
  }
});

test('a web page with 200 is unreadable, and requested once', async (t) => {
  const { base, arrived } = await serve(t, (response) => response.end('<html><body>Sign in</body></html>'));
  const error = await failureOf(clientOf(t, base).me());
  assert.equal(error.kind, 'unreadable');
  assert.equal(error.html, true);
  assert.equal(arrived.length, 1);
});

for (const status of [204, 205, 304]) {
  test(`status ${status} brings nothing to read`, async (t) => {
    const { base } = await serve(t, (response) => response.writeHead(status).end());
    const error = await failureOf(clientOf(t, base).me());
    assert.equal(error.kind, status === 304 ? 'status' : 'unreadable');
  });
}

test('an early hint before the response does no harm', async (t) => {
  const base = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"balanceCents":3}');
  });
  assert.deepEqual(await clientOf(t, base).me(), { balanceCents: 3 });
});

test('an encoded body that wasn’t requested is rejected', async (t) => {
  const { base } = await serve(t, (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"balanceCents":3}')),
  );
  assert.equal((await failureOf(clientOf(t, base).me())).kind, 'unreadable');
});

test('a file that is stored encoded is decoded, up to a limit', async (t) => {
  const file = Buffer.alloc(100_000, 'kite');
  const codings: Readonly<Record<string, Buffer>> = {
    ...{ gzip: gzipSync(file), 'x-gzip': gzipSync(file), deflate: deflateSync(file), br: brotliCompressSync(file) },
    ...{ 'gzip, half of it': gzipSync(file).subarray(0, -20), 'gzip, and none': file, zstd: file },
  };
  const { base } = await serve(t, (response, { url }) => {
    const [, , , , , , id = ''] = url.split('/');
    const coding = decodeURIComponent(id);
    response.writeHead(200, { 'content-encoding': coding.split(',')[0] }).end(codings[coding]);
  });
  const client = clientOf(t, base);
  const read = async (coding: string, of = client) => {
    const { stream, length } = await of.content(coding);
    assert.equal(length, undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  for (const coding of ['gzip', 'x-gzip', 'deflate', 'br']) assert.ok((await read(coding)).equals(file), coding);
  for (const coding of ['gzip, half of it', 'gzip, and none', 'zstd'])
    assert.equal((await failureOf(read(coding))).kind, 'unreadable', coding);
  const small = clientOf(t, base, { limits: { decodedBytes: 99_999 } });
  assert.equal((await failureOf(read('gzip', small))).kind, 'tooLarge');
});

test('a response over the limit is rejected by its stated length and by its bytes', async (t) => {
  const { base } = await serve(t, (response, { url }) => {
    const body = `{"balanceCents":3,"x":"${'x'.repeat(2000)}"}`;
    if (url.endsWith('/me')) return response.end(body);
    response.write(body);
    return response.end();
  });
  const client = clientOf(t, base, { limits: { jsonBytes: 1000 } });
  assert.equal((await failureOf(client.me())).kind, 'tooLarge');
  assert.equal((await failureOf(client.models())).kind, 'tooLarge');
});

test('a response of more values than are read is rejected, however long the texts in it may be', async (t) => {
  const text = String.raw`"a, [b], {c}, \\${' '.repeat(1000)}"`;
  const { base } = await serve(t, (response, { url }) => {
    if (url.endsWith('/me')) return response.end(`{"balanceCents":3,"x":[${`${text},`.repeat(96)}0]}`);
    return response.end(`[${'[],'.repeat(60)}${text},${' '.repeat(70_000)}0]`);
  });
  const client = clientOf(t, base, { limits: { values: 100, listValues: 100 } });
  assert.equal((await client.me()).balanceCents, 3);
  assert.equal((await failureOf(client.models())).kind, 'tooLarge');
});

test('a list of 20,000 renders with their inputs is read to its end', async (t) => {
  const renders = Array.from({ length: 20_000 }, (_, index) => ({
    ...{ generationId: `g${index}`, modelId: 'a/b/c', status: 'succeeded', costCents: 4, createdAt: '2026-01-01' },
    inputs: { prompt: 'a fox', size: 'small', steps: 20, seed: index, style: 'ink', guidance: 7, tiles: [1, 2] },
  }));
  const { base } = await serve(t, (response) => response.end(JSON.stringify({ generations: renders })));
  const { value } = await clientOf(t, base).generations();
  assert.deepEqual([value.items.length, value.incomplete], [20_000, false]);
});

test('an endless error body is cut off at the limit, and the error keeps its status', async (t) => {
  const { base } = await serve(t, (response) => {
    response.writeHead(402, { 'content-type': 'application/json' });
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  assert.equal((await failureOf(clientOf(t, base).createGeneration(bytes, 'k', nothing))).kind, 'balanceTooLow');
});

const cuts: readonly [what: string, head: string, body: string][] = [
  ['with a length', 'Content-Length: 100', '{"balanceCents":3}'],
  ['in chunks, at a boundary', 'Transfer-Encoding: chunked', '12\r\n{"balanceCents":3}\r\n'],
  ['in chunks, inside one', 'Transfer-Encoding: chunked\r\nConnection: close', '40\r\n{"balanceCents":3}'],
];

for (const [what, head, body] of cuts) {
  for (const end of ['end', 'resetAndDestroy'] as const) {
    test(`a body ${what}, cut off by ${end === 'end' ? 'FIN' : 'RST'}, is no response, and a truncated file fails its reader`, async (t) => {
      const base = await serveRaw(t, (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`, () => setImmediate(() => socket[end]()));
      });
      const client = clientOf(t, base);
      const answer = await failureOf(client.createGeneration(bytes, 'k', nothing));
      assert.equal(answer.kind, 'noAnswer');
      const { stream } = await client.content('g1');
      const file = await failureOf(stream.toArray());
      assert.equal(file.kind, 'noAnswer');
    });
  }
}

test('a result file comes with its length and type', async (t) => {
  const { base } = await serve(t, (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '4' }).end('\x89PNG', 'latin1');
  });
  const { stream, length, type } = await clientOf(t, base).content('g1');
  assert.equal(length, 4);
  assert.equal(type, 'image/png');
  assert.equal(Buffer.concat((await stream.toArray()) as Buffer[]).toString('latin1'), '\x89PNG');
});

test('a part of a file isn’t mistaken for the file', async (t) => {
  const { base } = await serve(t, (response) => response.writeHead(206).end('half'));
  assert.equal((await failureOf(clientOf(t, base).content('g1'))).kind, 'unreadable');
});

test('a part that is all of a file is the file', async (t) => {
  const { base } = await serve(t, (response) =>
    response.writeHead(206, { 'content-range': 'bytes 0-3/4', 'transfer-encoding': 'chunked' }).end('kite'),
  );
  const { stream, length } = await clientOf(t, base).content('g1');
  assert.deepEqual([length, Buffer.concat((await stream.toArray()) as Buffer[]).toString()], [4, 'kite']);
});

test('a redirect isn’t followed, and where it leads is told', async (t) => {
  const { base } = await serve(t, (response) =>
    response.writeHead(302, { location: 'https://files.example:8443/g1?signature=secret' }).end(),
  );
  const { kind, leadsTo, message } = await failureOf(clientOf(t, base).content('g1'));
  assert.deepEqual([kind, leadsTo], ['status', 'files.example:8443']);
  assert.ok(!message.includes('secret'));
});

test('a file that stops arriving fails after 30 seconds', async (t) => {
  const clock = new TestClock();
  const { base } = await serve(t, (response) => response.writeHead(200, { 'content-length': '100' }).write('begun'));
  const { stream } = await clientOf(t, base, { clock }).content('g1');
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  const end = failureOf(reader.next());
  await clock.advance(29_999);
  assert.equal(stream.destroyed, false);
  await clock.advance(15_000);
  const error = await end;
  assert.equal(error.kind, 'noAnswer');
  assert.match(error.message, /no byte for 30 s/);
});

test('a file that trickles in fails after a minute, even though it never stops', async (t) => {
  const clock = new TestClock();
  let drip: () => void = nothing;
  const { base } = await serve(t, (response) => {
    drip = () => response.write('.');
    response.writeHead(200, { 'content-length': '100000' });
    drip();
  });
  const { stream } = await clientOf(t, base, { clock }).content('g1');
  const reader = stream[Symbol.asyncIterator]();
  for (let second = 0; second < 50; second += 10) {
    await reader.next();
    await clock.advance(10_000);
    drip();
  }
  await reader.next();
  const end = failureOf(reader.next());
  await clock.advance(10_000);
  assert.match((await end).message, /fewer than 61440 bytes in 60 s/);
});

test('a slow reader is awaited', async (t) => {
  const { base } = await serve(t, (response) => response.end(Buffer.alloc(1_000_000)));
  const clock = new TestClock();
  const { stream } = await clientOf(t, base, { clock }).content('g1');
  while (stream.readableLength === 0) await settled();
  await clock.advance(600_000);
  let read = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) read += chunk.length;
  assert.equal(read, 1_000_000);
  await settled();
  assert.equal(clock.waiting, 0);
});

test('a caller who cancels ends the file, even midway', async (t) => {
  const { base } = await serve(t, (response) => response.writeHead(200, { 'content-length': '100' }).write('begun'));
  const cancel = new AbortController();
  const { stream } = await clientOf(t, base).content('g1', { signal: cancel.signal });
  const end = failureOf(stream.toArray());
  cancel.abort();
  assert.equal((await end).kind, 'cancelled');
});

test('a JSON response that trickles in doesn’t stay open past its deadline', async (t) => {
  const clock = new TestClock();
  const { promise: begun, resolve: begin } = deferred<true>();
  const { base } = await serve(t, (response) => response.writeHead(200).write(' ', () => begin(true)));
  const end = failureOf(clientOf(t, base, { clock }).createGeneration(bytes, 'k', nothing));
  await begun;
  await clock.advance(75_000);
  assert.equal((await end).systemCode, 'ETIMEDOUT');
});

for (const id of ['', '.', '..', 'a\nb', 'a\u0000', 'x'.repeat(2000), '\ud800']) {
  test(`the id ${JSON.stringify(id.slice(0, 20))} never reaches the wire`, async (t) => {
    const { base, arrived } = await serve(t, json({}));
    const client = clientOf(t, base);
    for (const call of [client.generation(id), client.content(id), client.delete(id), client.model(id)]) {
      assert.equal((await failureOf(call)).kind, 'notAllowed');
    }
    assert.equal(arrived.length, 0);
  });
}

for (const id of ['a/b', 'a?x=1', 'a#b', '%2e%2e', '../me', 'ä😀', 'a\\b', ' ']) {
  test(`the id ${JSON.stringify(id)} stays one segment of the path`, async (t) => {
    const { base, arrived } = await serve(t, json({ id, status: 'queued' }));
    assert.equal((await clientOf(t, base).generation(id)).value.id, id);
    assert.equal(arrived[0]?.url, `${root}/generations/${encodeURIComponent(id)}`);
  });
}

test('a response about another generation isn’t mistaken for the requested one', async (t) => {
  const { base } = await serve(t, json({ id: 'other', status: 'succeeded' }));
  assert.equal((await failureOf(clientOf(t, base).generation('g1'))).kind, 'unreadable');
});

test('a list that continues elsewhere is incomplete, even if only a header says so', async (t) => {
  const { base } = await serve(t, (response) =>
    response.writeHead(200, { link: '</more?page=2>; rel="next"' }).end('[]'),
  );
  const client = clientOf(t, base);
  assert.equal((await client.models()).incomplete, true);
  assert.equal((await client.generations()).value.incomplete, true);
});

test('the service’s clock is read from every response, even rejections, and carried forward', async (t) => {
  const { base } = await serve(t, (response) =>
    response.writeHead(401, { date: 'Fri, 02 Jan 2026 03:00:00 GMT' }).end(),
  );
  const clock = new TestClock();
  const client = clientOf(t, base, { clock });
  assert.equal(client.serviceTime(), undefined);
  const error = await failureOf(client.me());
  const then = Date.UTC(2026, 0, 2, 3);
  assert.equal(error.serviceTime, then);
  await clock.advance(5000);
  assert.equal(client.serviceTime(), then + 5000);
});

test('if our clocks disagree on how long ago it was, the service’s clock is unknown until the next response', async (t) => {
  const then = Date.UTC(2026, 0, 2, 3);
  const { base } = await serve(t, (response) =>
    response.writeHead(200, { date: new Date(then).toUTCString() }).end('{}'),
  );
  const clock = new TestClock();
  const client = clientOf(t, base, { clock });
  await failureOf(client.me());
  // As after half an hour of sleep, and as after setting the clock back.
  for (const jump of [30 * 60_000, -30 * 60_000]) {
    clock.set(clock.now() + jump);
    assert.equal(client.serviceTime(), undefined);
    await failureOf(client.me());
    assert.equal(client.serviceTime(), then);
  }
});

test('a response that waited while the machine slept doesn’t set the service’s time', async (t) => {
  const clock = new TestClock();
  const { base } = await serve(t, (response) => {
    // The wall clock continues during sleep, the monotonic one doesn't.
    clock.set(clock.now() + 40 * 60_000);
    response.writeHead(200, { date: 'Fri, 02 Jan 2026 03:00:00 GMT' }).end('{"balanceCents":3}');
  });
  const client = clientOf(t, base, { clock });
  await client.me();
  assert.equal(client.serviceTime(), undefined);
});

test('the key shows in nothing that a client prints, logs, or fails with', async (t) => {
  const said: unknown[] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, (...words: unknown[]) => said.push(words)]),
  ) as unknown as Log;
  const { base } = await serve(t, (response, { headers, url }) => {
    // A service that echoes its input.
    if (url.endsWith('/me'))
      response.writeHead(500).end(
        JSON.stringify({
          code: headers.authorization,
          message: headers.authorization,
          details: { prompt: headers.authorization },
        }),
      );
    else response.destroy();
  });
  const clock = new TestClock();
  const client = clientOf(t, base, { log, clock });
  const failures = [failureOf(client.createGeneration(bytes, 'k', nothing)), failureOf(client.delete('g1'))];
  const echoed = failureOf(client.me({ signal: AbortSignal.timeout(300) }));
  const errors = await Promise.all([...failures, echoed]);
  const printed = inspect(
    [
      client,
      said,
      errors.map(({ message, stack, cause, code, serviceMessage, fields }) => [
        message,
        stack,
        cause,
        code,
        serviceMessage,
        fields,
      ]),
    ],
    {
      depth: 20,
      showHidden: true,
    },
  );
  assert.ok(!printed.includes(testKey), printed);
});

test('a key with any signs is taken out of what a service says back, and of the log, however it’s written', async (t) => {
  const key = 'ai_live_a,b;c"d\'e\\f<g>`h%i/j+k';
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const asCodes = (before: string) =>
    Array.from(key, (letter) => before + letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  let said = '';
  const { base } = await serve(t, (response) => response.writeHead(400).end(said));
  const client = clientOf(t, base, { key });
  for (const spelling of [
    ...[key, inJson(key), inJson(inJson(key)), key.replaceAll('/', '\\/'), asCodes('\\u00'), asCodes('\\\\u00')],
    ...[encodeURIComponent(key), encodeURI(key), encodeURIComponent(encodeURIComponent(key)), asCodes('%')],
    encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  ]) {
    assert.equal(redact(`before ${spelling} after`), 'before ai_live_… after');
    said = `{"code":"bad","message":"before ${inJson(spelling)} after"}`;
    assert.match((await failureOf(client.me())).serviceMessage ?? '', /^before ai_live_… after/);
  }
});

test('looking for a key takes time in proportion to the text, whatever that repeats', (t) => {
  clientOf(t, 'https://a.example', { key: 'ai_live_\\\\' });
  for (const part of ['\\', 'a', 'ai_', '%25', '\\u0061'])
    assert.ok(
      growsInProportion(
        () => redact(part.repeat(5_000)),
        () => redact(part.repeat(50_000)),
      ),
      part,
    );
});

test('a key that the service echoes doesn’t leave the client', async (t) => {
  const { base } = await serve(t, (response, { headers }) => {
    const said = headers.authorization;
    json({ id: 'g1', status: 'failed', reason: said, contentUrl: `https://x.example/?${said}` })(response, {
      ...{ method: '', url: '', headers: {}, body: '' },
    });
  });
  const { value } = await clientOf(t, base).generation('g1');
  assert.equal(value.reason, 'Bearer ai_live_…');
  assert.ok(!inspect(value).includes(testKey));
});

test('a deletion with a web page as response hasn’t happened, one with an empty response has', async (t) => {
  const { base } = await serve(t, (response, { url }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(url.endsWith('g1') ? '<p>Sign in</p>' : '');
  });
  const client = clientOf(t, base);
  const error = await failureOf(client.delete('g1'));
  assert.equal(error.kind, 'unreadable');
  assert.equal(error.html, true);
  await client.delete('g2');
});

test('a key or an address that hasn’t passed its check makes no client', () => {
  const transport: Transport = { send: () => Promise.reject(new Error('not used')) };
  const rest = {
    account: 'a',
    transport,
    clock: new TestClock(),
    random: evenChance,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
  for (const [base, key] of [
    ['https://models.example', 'ai_live_a\r\nX: y'],
    ['https://models.example', ' ai_live_a'],
    ['https://models.example/', 'ai_live_a'],
    ['http://models.example', 'ai_live_a'],
  ] as const) {
    assert.throws(
      () => new CatalogClient({ base, key, ...rest }),
      (error) => error instanceof ServiceError && error.kind === 'notAllowed' && !error.message.includes('ai_live_a'),
    );
  }
});

test('the end of a call is reported once, that of a canceled one never, and a failing listener loses no response', async (t) => {
  const { base } = await serve(t, (response, request) => {
    if (request.url.endsWith('/me')) json({}, 401)(response, request);
    else if (request.method === 'POST') json({ id: 'g1', status: 'queued' })(response, request);
  });
  const client = clientOf(t, base);
  const ends: (string | undefined)[] = [];
  client.onOutcome((error) => ends.push(error?.kind));
  client.onOutcome(() => {
    throw new Error('a view is broken');
  });
  await failureOf(client.me());
  assert.equal((await client.createGeneration(bytes, 'k', nothing)).value.id, 'g1');
  await failureOf(client.models({ signal: AbortSignal.timeout(20) }));
  assert.deepEqual(ends, ['keyRefused', undefined]);
});
