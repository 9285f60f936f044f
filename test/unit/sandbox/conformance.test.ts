import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClock } from '../clock';
import { call, failing, haiku, newFolder, open, raw, sprite, start, strata, until } from './service';

// Each test checks the sandbox against one sentence of the service's interface specification.

test('Every request carries the header Authorization: Bearer <API_KEY>; a missing or wrong key gives HTTP 401', async (t) => {
  const sandbox = await open(t);
  const endpoints = [
    ['GET', '/me'],
    ['GET', '/models'],
    ['GET', `/models/detail?id=${haiku}`],
    ['POST', '/quote'],
    ['POST', '/generations'],
    ['GET', '/generations'],
    ['GET', '/generations/gen_1'],
    ['GET', '/generations/gen_1/content'],
    ['DELETE', '/generations/gen_1'],
  ] as const;
  for (const [method, path] of endpoints) {
    for (const key of [null, '', 'ai_live_wrong', `${sandbox.key}x`]) {
      const { status, json } = await call(sandbox, method, path, { key });
      assert.equal(status, 401, `${method} ${path} with ${key}`);
      assert.deepEqual([typeof json.code, typeof json.message], ['string', 'string']);
    }
  }
  const basic = await call(sandbox, 'GET', '/me', { key: null, headers: { authorization: `Basic ${sandbox.key}` } });
  assert.equal(basic.status, 401);
});

test('A revoked key gives HTTP 401', async (t) => {
  const folder = newFolder(t);
  const before = await open(t, { folder });
  const after = await open(t, { folder, newKey: true });
  assert.notEqual(after.key, before.key);
  assert.equal((await call(after, 'GET', '/me', { key: before.key })).status, 401);
  assert.equal((await call(after, 'GET', '/me')).status, 200);
});

test('A key value starts with the prefix ai_live_', async (t) => {
  assert.match((await open(t)).key, /^ai_live_[\w-]{20,}$/);
});

test('GET /me gives balanceCents, an integer in euro cents', async (t) => {
  const sandbox = await open(t);
  const { status, json } = await call(sandbox, 'GET', '/me');
  assert.equal(status, 200);
  assert.equal(json.balanceCents, 2500);
});

test('GET /models lists every model, each with an identifier of three segments', async (t) => {
  const sandbox = await open(t);
  const models = (await call(sandbox, 'GET', '/models')).json.models as { id: string }[];
  assert.ok(models.length >= 10);
  for (const { id } of models) assert.match(id, /^[^/\s]+\/[^/\s]+\/[^/\s]+$/);
  assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
});

test('GET /models/detail?id= gives one model with its input fields: name, type, required, and a default where optional', async (t) => {
  const sandbox = await open(t);
  const models = (await call(sandbox, 'GET', '/models')).json.models as { id: string }[];
  for (const { id } of models) {
    const { json } = await call(sandbox, 'GET', `/models/detail?id=${encodeURIComponent(id)}`);
    assert.equal(json.id, id);
    for (const field of json.fields as Record<string, unknown>[]) {
      assert.equal(typeof field.name, 'string');
      assert.equal(typeof field.type, 'string');
      assert.equal(typeof field.required, 'boolean');
      assert.ok(
        !(field.required === true && 'default' in field),
        `${id}: ${String(field.name)} is required and has a default`,
      );
    }
  }
});

test('A text-to-image model has a required text prompt and an optional aspect_ratio of 1:1, 2:1, 1:2, 3:1, 1:3, 21:9 and more, by default 1:1', async (t) => {
  const sandbox = await open(t);
  const { json } = await call(sandbox, 'GET', `/models/detail?id=${strata}`);
  const fields = new Map((json.fields as Record<string, unknown>[]).map((field) => [field.name, field]));
  const prompt = fields.get('prompt')!;
  assert.deepEqual([prompt.type, prompt.required], ['text', true]);
  const ratio = fields.get('aspect_ratio')!;
  assert.deepEqual([ratio.type, ratio.required, ratio.default], ['enumeration', false, '1:1']);
  assert.deepEqual((ratio.values as string[]).slice(0, 6), ['1:1', '2:1', '1:2', '3:1', '1:3', '21:9']);
});

test('The catalog has a field of every shape, one with forty fields and a list of over sixty values', async (t) => {
  const sandbox = await open(t);
  const models = (await call(sandbox, 'GET', '/models')).json.models as { id: string }[];
  const details = await Promise.all(models.map(({ id }) => call(sandbox, 'GET', `/models/detail?id=${id}`)));
  const fields = details.map(({ json }) => json.fields as { type: string; values?: string[]; minimum?: number }[]);
  const types = new Set(fields.flat().map(({ type }) => type));
  assert.deepEqual([...types].sort(), [
    'boolean',
    'color',
    'enumeration',
    'image',
    'images',
    'integer',
    'long_text',
    'multiple_choice',
    'number',
    'seed',
    'text',
  ]);
  assert.ok(fields.some((each) => each.length === 40));
  assert.ok(fields.flat().some(({ values }) => (values?.length ?? 0) > 60));
});

test('POST /quote prices exact inputs, starts nothing and charges nothing', async (t) => {
  const sandbox = await open(t);
  const body = { modelId: strata, inputs: { prompt: 'the sea' } };
  const { status, json } = await call(sandbox, 'POST', '/quote', { body });
  assert.equal(status, 200);
  assert.ok(Number.isInteger(json.costCents) && Number(json.costCents) > 0);
  assert.equal(sandbox.balance(), 2500);
  assert.deepEqual((await call(sandbox, 'GET', '/generations')).json.generations, []);
});

test('POST /quote and POST /generations price the same inputs identically', async (t) => {
  const sandbox = await open(t, { balanceCents: 1_000_000, latencyMs: 3_600_000 });
  const orders = [
    [strata, { prompt: 'a', size: 'small' }],
    ['kiln-and-field/poster/signal-1-atelier', { prompt: 'a', proofs: 3, archival: true }],
    ['quill-house/digest/summary-2', { text: 'One. '.repeat(2000) }],
    ['isoworks/blocks/metropolis-40', { prompt: 'a', grid: 30 }],
  ] as const;
  for (const [modelId, inputs] of orders) {
    const quote = (await call(sandbox, 'POST', '/quote', { body: { modelId, inputs } })).json;
    const before = sandbox.balance();
    const { json } = await start(sandbox, modelId, inputs);
    assert.equal(json.costCents, quote.costCents);
    assert.equal(before - sandbox.balance(), quote.costCents);
  }
});

test('Starting a render returns at once with status queued; the render then runs in the background', async (t) => {
  const clock = new TestClock();
  const sandbox = await open(t, { clock, latencyMs: 1000 });
  const { status, json } = await start(sandbox, haiku, { prompt: 'the sea' });
  assert.equal(status, 200);
  assert.equal(json.status, 'queued');
  assert.equal((await call(sandbox, 'GET', `/generations/${String(json.id)}`)).json.status, 'queued');
  await clock.advance(1000);
  assert.equal((await until(sandbox, json.id, 'succeeded')).status, 'succeeded');
});

test('Polling ends at succeeded; a file is downloaded from contentUrl, equivalently /generations/<id>/content, with the same key', async (t) => {
  const sandbox = await open(t);
  const { json } = await start(sandbox, sprite, { prompt: 'a hill', size: 'small' });
  assert.equal(json.contentUrl, undefined);
  const done = await until(sandbox, json.id, 'succeeded');
  assert.equal(done.contentUrl, `${sandbox.base}/api/v1/api/catalog/generations/${String(json.id)}/content`);
  assert.equal(done.textOutput, undefined);
  const file = await raw(sandbox, 'GET', new URL(done.contentUrl).pathname);
  assert.equal(file.status, 200);
  assert.equal(file.headers['content-type'], 'image/png');
  assert.equal(Number(file.headers['content-length']), file.bytes.length);
  assert.equal(file.bytes.subarray(1, 4).toString('latin1'), 'PNG');
  assert.equal((await raw(sandbox, 'GET', new URL(done.contentUrl).pathname, { key: null })).status, 401);
});

test('A text model returns its answer in textOutput and has no file', async (t) => {
  const sandbox = await open(t);
  const { json } = await start(sandbox, haiku, { prompt: 'the sea' });
  const done = await until(sandbox, json.id, 'succeeded');
  assert.match(String(done.textOutput), /\S+/);
  assert.equal(done.contentUrl, undefined);
  assert.equal((await call(sandbox, 'GET', `/generations/${String(json.id)}/content`)).status, 404);
});

test('A failed render is refunded automatically', async (t) => {
  const clock = new TestClock();
  const sandbox = await open(t, { clock, latencyMs: 1000 });
  const { json } = await start(sandbox, failing, { prompt: 'anything' });
  assert.equal(sandbox.balance(), 2500 - Number(json.costCents));
  await clock.advance(1000);
  const failed = await until(sandbox, json.id, 'failed');
  assert.match(String(failed.reason), /fails/);
  await clock.advance(1000);
  const refunded = await until(sandbox, json.id, 'refunded');
  assert.equal(refunded.costCents, json.costCents);
  assert.equal(sandbox.balance(), 2500);
});

test('GET /generations lists recent renders, newest first', async (t) => {
  const sandbox = await open(t);
  const ids: unknown[] = [];
  for (const prompt of ['one', 'two', 'three']) ids.unshift((await start(sandbox, haiku, { prompt })).json.id);
  const list = (await call(sandbox, 'GET', '/generations')).json;
  const generations = list.generations as Record<string, unknown>[];
  assert.deepEqual(
    generations.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    generations.map(({ inputs }) => inputs),
    [{ prompt: 'three' }, { prompt: 'two' }, { prompt: 'one' }],
  );
  assert.equal(list.hasMore, false);
});

test('Inputs contains every required field; every omitted optional field takes the default', async (t) => {
  const sandbox = await open(t);
  const missing = await call(sandbox, 'POST', '/quote', { body: { modelId: strata, inputs: {} } });
  assert.equal(missing.status, 400);
  assert.deepEqual(
    (missing.json.details as { field: string }[]).map(({ field }) => field),
    ['prompt'],
  );
  const price = async (inputs: object) =>
    (await call(sandbox, 'POST', '/quote', { body: { modelId: strata, inputs } })).json.costCents;
  assert.equal(
    await price({ prompt: 'a' }),
    await price({ prompt: 'a', size: 'large', aspect_ratio: '1:1', detail: 0.5, seed: 0 }),
  );
});

test('400: a field is invalid, and the details name the field', async (t) => {
  const sandbox = await open(t);
  const atelier = 'kiln-and-field/poster/signal-1-atelier';
  const invalid: [string, object, string][] = [
    [strata, { prompt: '  ' }, 'prompt'],
    [strata, { prompt: 7 }, 'prompt'],
    [strata, { prompt: null }, 'prompt'],
    [strata, { prompt: 'x'.repeat(2001) }, 'prompt'],
    [strata, { prompt: 'a', aspect_ratio: '7:5' }, 'aspect_ratio'],
    [strata, { prompt: 'a', detail: 1.05 }, 'detail'],
    [strata, { prompt: 'a', detail: 0.512 }, 'detail'],
    [strata, { prompt: 'a', detail: '0.5' }, 'detail'],
    [strata, { prompt: 'a', seed: -1 }, 'seed'],
    [strata, { prompt: 'a', seed: 1.5 }, 'seed'],
    [strata, { prompt: 'a', color: 'red' }, 'color'],
    [atelier, { prompt: 'a', proofs: 6 }, 'proofs'],
    [atelier, { prompt: 'a', archival: 'yes' }, 'archival'],
  ];
  for (const [modelId, inputs, field] of invalid) {
    for (const path of ['/quote', '/generations']) {
      const { status, json } = await call(sandbox, 'POST', path, { body: { modelId, inputs } });
      assert.equal(status, 400, `${path} ${JSON.stringify(inputs)}`);
      assert.deepEqual(
        (json.details as { field: string }[]).map((each) => each.field),
        [field],
      );
      assert.match(String(json.message), new RegExp(field));
    }
  }
  assert.equal(sandbox.balance(), 2500);
});

test('400 names every invalid field at once, hostile names too', async (t) => {
  const sandbox = await open(t);
  const body = `{"modelId":"${strata}","inputs":{"prompt":"","size":"huge","__proto__":1,"constructor":2}}`;
  const { status, json } = await call(sandbox, 'POST', '/quote', { body });
  assert.equal(status, 400);
  const named = (json.details as { field: string }[]).map(({ field }) => field);
  assert.deepEqual(named.sort(), ['__proto__', 'constructor', 'prompt', 'size']);
});

test('400 names modelId when the model is not in the catalog, and inputs when they are no object', async (t) => {
  const sandbox = await open(t);
  const field = async (body: unknown) => {
    const { status, json } = await call(sandbox, 'POST', '/generations', { body });
    return [status, (json.details as { field: string }[] | undefined)?.[0]?.field];
  };
  assert.deepEqual(await field({ modelId: 'a/b/c', inputs: {} }), [400, 'modelId']);
  assert.deepEqual(await field({ modelId: '__proto__', inputs: {} }), [400, 'modelId']);
  assert.deepEqual(await field({ inputs: {} }), [400, 'modelId']);
  assert.deepEqual(await field({ modelId: strata, inputs: [] }), [400, 'inputs']);
  assert.deepEqual(await field([]), [400, undefined]);
});

test('402: the balance is too low for the render, and nothing is charged or started', async (t) => {
  const sandbox = await open(t, { balanceCents: 3 });
  const { status, json } = await start(sandbox, strata, { prompt: 'a' });
  assert.equal(status, 402);
  assert.equal(typeof json.code, 'string');
  assert.equal(sandbox.balance(), 3);
  assert.deepEqual((await call(sandbox, 'GET', '/generations')).json.generations, []);
});

test("409 API_KEY_DAILY_CAP: the key's own daily cap is reached; the next day it is free again", async (t) => {
  const clock = new TestClock(Date.UTC(2026, 5, 1, 22));
  const sandbox = await open(t, { clock, dailyCapCents: 9 });
  for (let i = 0; i < 2; i++) assert.equal((await start(sandbox, strata, { prompt: 'a' })).status, 200);
  const { status, json } = await start(sandbox, strata, { prompt: 'a' });
  assert.deepEqual([status, json.code, typeof json.message], [409, 'API_KEY_DAILY_CAP', 'string']);
  assert.equal(sandbox.balance(), 2492);
  clock.set(Date.UTC(2026, 5, 2, 0, 1));
  assert.equal((await start(sandbox, strata, { prompt: 'a' })).status, 200);
});

test('429: too many requests; Retry-After says when the caller may come again, and then it may', async (t) => {
  const clock = new TestClock();
  const sandbox = await open(t, { clock, requestsPerMinute: 20 });
  for (let i = 0; i < 20; i++) assert.equal((await call(sandbox, 'GET', '/me')).status, 200);
  const { status, headers, json } = await call(sandbox, 'GET', '/me');
  assert.equal(status, 429);
  assert.deepEqual([typeof json.code, typeof json.message], ['string', 'string']);
  assert.equal(headers['retry-after'], '3');
  await clock.advance(3000);
  assert.equal((await call(sandbox, 'GET', '/me')).status, 200);
  assert.equal((await call(sandbox, 'GET', '/me')).status, 429);
});

test('DELETE /generations/<id> deletes an ended render and its file; its charge stays', async (t) => {
  const sandbox = await open(t);
  const { json } = await start(sandbox, sprite, { prompt: 'a', size: 'small' });
  await until(sandbox, json.id, 'succeeded');
  const deleted = await call(sandbox, 'DELETE', `/generations/${String(json.id)}`);
  assert.deepEqual([deleted.status, deleted.bytes.length], [204, 0]);
  assert.equal((await call(sandbox, 'GET', `/generations/${String(json.id)}`)).status, 404);
  assert.equal((await call(sandbox, 'GET', `/generations/${String(json.id)}/content`)).status, 404);
  assert.equal((await call(sandbox, 'DELETE', `/generations/${String(json.id)}`)).status, 404);
  assert.deepEqual((await call(sandbox, 'GET', '/generations')).json.generations, []);
  assert.equal(sandbox.balance(), 2500 - Number(json.costCents));
});

test('DELETE of a running render is rejected and changes nothing', async (t) => {
  const clock = new TestClock();
  const sandbox = await open(t, { clock, latencyMs: 1000 });
  const { json } = await start(sandbox, haiku, { prompt: 'a' });
  const { status, json: problem } = await call(sandbox, 'DELETE', `/generations/${String(json.id)}`);
  assert.deepEqual([status, problem.code], [409, 'GENERATION_RUNNING']);
  await clock.advance(1000);
  await until(sandbox, json.id, 'succeeded');
});

test('Responses are JSON with their length, except the content download', async (t) => {
  const sandbox = await open(t);
  for (const path of ['/me', '/models', `/models/detail?id=${haiku}`, '/generations', '/nothing']) {
    const { headers, bytes } = await call(sandbox, 'GET', path);
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.equal(Number(headers['content-length']), bytes.length);
    assert.doesNotThrow(() => JSON.parse(bytes.toString('utf8')) as unknown);
  }
});

test('It answers only under a name of this machine', async (t) => {
  const sandbox = await open(t);
  const asked = (host: string) => call(sandbox, 'GET', '/me', { headers: { host } });
  for (const host of ['127.0.0.1', 'localhost:8787', '[::1]:1']) assert.equal((await asked(host)).status, 200, host);
  for (const host of ['models.example', 'a.localhost', 'a b', '[']) assert.equal((await asked(host)).status, 421, host);
});

test('Unknown paths and ids are 404, also outside the catalog root', async (t) => {
  const sandbox = await open(t);
  for (const path of [
    '/nothing',
    '/generations/gen_1',
    '/generations/gen_1/content',
    '/generations/%zz',
    '/generations/',
    '/models/detail?id=a/b/c',
    '/me/',
  ]) {
    assert.equal((await call(sandbox, 'GET', path)).status, 404, path);
  }
  for (const path of ['/', '//', '//models.example/', '/\\', '/%'])
    assert.equal((await raw(sandbox, 'GET', path)).status, 404, path);
  assert.equal((await raw(sandbox, 'GET', '/api/v2/api/catalog/me')).status, 404);
});

test('Methods an endpoint does not have are 405, and Allow names those it has', async (t) => {
  const sandbox = await open(t);
  const allowed = async (method: string, path: string) => {
    const { status, headers } = await call(sandbox, method, path);
    return [status, headers.allow];
  };
  assert.deepEqual(await allowed('POST', '/me'), [405, 'GET']);
  assert.deepEqual(await allowed('GET', '/quote'), [405, 'POST']);
  assert.deepEqual(await allowed('PUT', '/generations'), [405, 'GET, POST']);
  assert.deepEqual(await allowed('PATCH', '/generations/gen_1'), [405, 'GET, DELETE']);
});

test('Request bodies are JSON with header Content-Type: application/json', async (t) => {
  const sandbox = await open(t);
  const post = (body: string | Buffer, type: string) =>
    call(sandbox, 'POST', '/quote', { body, headers: { 'content-type': type } });
  const good = JSON.stringify({ modelId: haiku, inputs: { prompt: 'a' } });
  assert.equal((await post(good, 'application/json; charset=utf-8')).status, 200);
  assert.equal((await post(good, 'text/plain')).status, 415);
  assert.equal((await post('{"modelId":', 'application/json')).status, 400);
  assert.equal((await post('', 'application/json')).status, 400);
  assert.equal((await post(Buffer.from([0x22, 0xff, 0x22]), 'application/json')).status, 400);
});

test('A body over twelve MiB is 413, whether its length is stated or not', async (t) => {
  const sandbox = await open(t);
  const body = JSON.stringify({ modelId: haiku, inputs: { prompt: 'x'.repeat(13_000_000) } });
  assert.equal((await call(sandbox, 'POST', '/quote', { body })).status, 413);
  const chunked = { 'transfer-encoding': 'chunked' };
  assert.equal((await call(sandbox, 'POST', '/quote', { body, headers: chunked })).status, 413);
  assert.equal((await call(sandbox, 'GET', '/me')).status, 200);
});
