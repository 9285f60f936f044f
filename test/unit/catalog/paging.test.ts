import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, failureOf, json, serve } from './service';

const list = '/api/v1/api/catalog/models';

/** Two pages: how the first refers to the second, and the resulting request. */
const styles: readonly (readonly [says: object, asked: string])[] = [
  [{ next: '/models?page=2' }, '?page=2'],
  [{ next: `${list}?after=x&size=1` }, '?after=x&size=1'],
  [{ links: { next: '?page[number]=2' } }, '?page[number]=2'],
  [{ _links: { next: { href: `${list}?page=2` } } }, '?page=2'],
  [{ nextCursor: 'a b' }, '?cursor=a+b'],
  [{ pageInfo: { hasNextPage: true, endCursor: 'c' } }, '?cursor=c'],
  [{ meta: { next_page: 2 } }, '?page=2'],
  [{ pagination: { page: 1, pages: 2 } }, '?page=2'],
  [{ page: 1, total_pages: 2 }, '?page=2'],
];

for (const [says, asked] of styles) {
  test(`the next page is read where the list has ${JSON.stringify(says)}`, async (t) => {
    const { base, arrived } = await serve(t, (response, request) => {
      const second = request.url === `${list}${asked}`;
      json(second ? { models: [{ id: 'a/b/d' }], total: 2 } : { models: [{ id: 'a/b/c' }], ...says })(
        response,
        request,
      );
    });
    const { items, incomplete } = await clientOf(t, base).models();
    assert.deepEqual([items.map(({ id }) => id), incomplete], [['a/b/c', 'a/b/d'], false]);
    assert.equal(arrived.length, 2);
  });
}

test('the next page in a Link header is read', async (t) => {
  const { base } = await serve(t, (response, request) => {
    const second = request.url.includes('?');
    if (!second) response.setHeader('link', `<${list}?page=1>; rel="first", <${list}?page=2>; rel="next"`);
    json([{ id: second ? 'a/b/d' : 'a/b/c' }])(response, request);
  });
  const { items, incomplete } = await clientOf(t, base).models();
  assert.deepEqual([items.length, incomplete], [2, false]);
});

for (const next of [
  'https://elsewhere.example/models?page=2',
  '/api/v1/api/catalog/me?page=2',
  '//elsewhere.example/x?a',
]) {
  test(`the key is not taken to ${next}, and the list is incomplete`, async (t) => {
    const { base, arrived } = await serve(t, json({ models: [{ id: 'a/b/c' }], next }));
    assert.equal((await clientOf(t, base).models()).incomplete, true);
    assert.equal(arrived.length, 1);
  });
}

test('fifty pages are read, and the rest is reported', async (t) => {
  const { base, arrived } = await serve(t, (response, request) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    json({ models: [{ id: `a/b/${page}` }], nextPage: page + 1 })(response, request);
  });
  const { items, incomplete } = await clientOf(t, base).models();
  assert.deepEqual([items.length, incomplete, arrived.length], [50, true, 50]);
});

for (const status of [400, 404, 422, 500]) {
  test(`a page that is answered with ${status} keeps the items read so far`, async (t) => {
    const { base } = await serve(t, (response, request) => {
      const second = request.url.includes('?');
      json({ models: [{ id: 'a/b/c' }], nextCursor: 'x' }, second ? status : 200)(response, request);
    });
    const { items, incomplete } = await clientOf(t, base).models({ times: 1 });
    assert.deepEqual([items.length, incomplete], [1, true]);
  });
}

for (const [what, status, body, kind] of [
  ['the connection drops', 0, {}, 'noAnswer'],
  ['the key is revoked', 401, {}, 'keyRefused'],
  ['the daily cap is reached', 409, { code: 'API_KEY_DAILY_CAP' }, 'dailyCap'],
  ['the service asks for fewer requests', 429, {}, 'tooManyRequests'],
  ['the service has an outage', 503, {}, 'status'],
] as const) {
  test(`when ${what} between two pages, the first isn’t taken for the list`, async (t) => {
    const { base } = await serve(t, (response, request) => {
      if (!request.url.includes('?')) json({ models: [{ id: 'a/b/c' }], nextCursor: 'x' })(response, request);
      else if (status === 0) response.destroy();
      else json(body, status)(response, request);
    });
    assert.equal((await failureOf(clientOf(t, base).models({ times: 1 }))).kind, kind);
  });
}

test('a list that starts over on each page isn’t read further', async (t) => {
  const { base, arrived } = await serve(t, json({ models: [{ id: 'a/b/c' }], nextCursor: 'x' }));
  assert.equal((await clientOf(t, base).models()).incomplete, true);
  assert.equal(arrived.length, 2);
});

test('one page of the renders is read, and all only on request', async (t) => {
  const { base, arrived } = await serve(t, (response, request) => {
    const second = request.url.includes('?');
    json({ generations: [{ id: second ? 'g2' : 'g1' }], ...(!second && { nextCursor: 'x' }) })(response, request);
  });
  const client = clientOf(t, base);
  const first = await client.generations();
  assert.deepEqual([first.value.items.length, first.value.incomplete, arrived.length], [1, true, 1]);
  assert.equal((await client.generations({ all: true })).value.items.length, 2);
});
