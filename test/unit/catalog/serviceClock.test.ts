import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { ServiceClock } from '../../../src/catalog/headers';
import { TestClock } from '../clock';
import { clientOf, serve } from './service';

test('a request for the time uses only its own response’s time, whatever the response is, and is sent once', async (t) => {
  const date = 'Fri, 02 Jan 2026 03:00:00 GMT';
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { date }).end('{"balanceCents":3}'),
    (response) => response.writeHead(401, { date }).end(),
    (response) => response.writeHead(200, { date }).end('no JSON'),
    (response) => response.writeHead(503, { date }).end(),
    (response) => response.writeHead(200).end('{"balanceCents":3}'),
  ];
  const { base } = await serve(t, (response) => {
    response.sendDate = false;
    answers.shift()?.(response);
  });
  const client = clientOf(t, base, { clock: new TestClock() });
  const told = [];
  for (let n = 0; n < 5; n++) told.push(await client.hearTime({ times: 1 }));
  const then = Date.UTC(2026, 0, 2, 3);
  assert.deepEqual(told, [then, then, then, then, undefined]);
  assert.equal(client.serviceTime(), then, 'carried forward from the last answer that told it');
});

test('a response overtaken by a later request doesn’t set the time', () => {
  const clock = new TestClock();
  const time = new ServiceClock(clock);
  const early = time.asks();
  const anew = time.fromNowOn();
  const late = time.asks();
  late(5_000_000);
  assert.equal(anew(), 5_000_000);
  early(1_000);
  assert.equal(time.now(), 5_000_000);
});

test('a time that arrives while the machine’s clock is being changed is requested once more, and never ignored', async (t) => {
  const date = 'Fri, 02 Jan 2026 03:00:00 GMT';
  const clock = new TestClock();
  let sets = 1;
  const { base } = await serve(t, (response) => {
    response.sendDate = false;
    if (sets-- > 0) clock.set(clock.now() + 365 * 24 * 3_600_000);
    response.writeHead(200, { date }).end('{"balanceCents":3}');
  });
  const client = clientOf(t, base, { clock });
  assert.equal(await client.hearTime({ times: 1 }), Date.UTC(2026, 0, 2, 3));
  sets = 2;
  await assert.rejects(client.hearTime({ times: 1 }), { kind: 'noAnswer' });
});

test('a request for the time that gets no response doesn’t go by the time of another', async (t) => {
  const date = 'Fri, 02 Jan 2026 03:00:00 GMT';
  let held: ServerResponse | undefined;
  const { base } = await serve(t, (response, { url }) => {
    if (!url.endsWith('/me')) return void response.writeHead(200, { date }).end('{"models":[]}');
    held = response;
    void client.models().then(() => held?.destroy());
  });
  const client = clientOf(t, base, { clock: new TestClock() });
  await assert.rejects(client.hearTime({ times: 1 }), { kind: 'noAnswer' });
  assert.equal(client.serviceTime(), Date.UTC(2026, 0, 2, 3));
});

test('a time that was kept on the way isn’t heard, and the request for the time asks for none', async (t) => {
  let age: string | undefined;
  const { base, arrived } = await serve(t, (response) => {
    response.sendDate = false;
    const date = 'Fri, 02 Jan 2026 03:00:00 GMT';
    response.writeHead(200, { date, ...(age !== undefined && { age }) }).end('{"balanceCents":3}');
  });
  const client = clientOf(t, base, { clock: new TestClock() });
  for (age of ['108000', 'old']) assert.equal(await client.hearTime({ times: 1 }), 'kept');
  assert.equal(client.serviceTime(), undefined);
  age = '0';
  assert.equal(await client.hearTime({ times: 1 }), Date.UTC(2026, 0, 2, 3));
  assert.ok(arrived.every(({ headers }) => headers['cache-control'] === 'no-cache'));
});
