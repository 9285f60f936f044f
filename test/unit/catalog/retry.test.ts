import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import type { Random } from '../../../src/base/clock';
import { ServiceError, type ServiceErrorFacts, type ServiceErrorKind } from '../../../src/catalog/errors';
import { retryAfterOf, serviceTimeOf } from '../../../src/catalog/headers';
import { RequestRetry } from '../../../src/catalog/request';
import { settled, TestClock } from '../clock';
import { evenChance, failureOf } from './service';

function bench(random: Random = evenChance) {
  const clock = new TestClock();
  const retry = new RequestRetry(clock, random, silentLog);
  const sent: number[] = [];
  /** Fails as given, then resolves with 'done'. */
  const run = (times: number, failures: (ServiceError | Error)[], signal?: AbortSignal) =>
    retry.run({ times, signal }, () => {
      sent.push(clock.ticks());
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve('done');
    });
  return { clock, run, sent, retry };
}

function failure(kind: ServiceErrorKind, facts?: ServiceErrorFacts) {
  return new ServiceError(kind, kind, facts);
}

for (const error of [
  failure('noAnswer'),
  failure('tooManyRequests', { status: 429 }),
  failure('status', { status: 408 }),
  failure('status', { status: 500 }),
  failure('status', { status: 503 }),
]) {
  test(`${error.kind} ${error.status ?? ''} is tried again`, async () => {
    const { clock, run, sent } = bench();
    const answer = run(4, [error]);
    await clock.advance(60_000);
    assert.equal(await answer, 'done');
    assert.equal(sent.length, 2);
  });
}

for (const error of [
  failure('invalidInput', { status: 400 }),
  failure('keyRefused', { status: 401 }),
  failure('balanceTooLow', { status: 402 }),
  failure('dailyCap', { status: 409 }),
  failure('status', { status: 302 }),
  failure('status', { status: 404 }),
  failure('unreadable'),
  failure('tooLarge'),
  failure('cancelled'),
  failure('notAllowed'),
]) {
  test(`${error.kind} ${error.status ?? ''} is final`, async () => {
    const { run, sent } = bench();
    assert.equal(await failureOf(run(4, [error])), error);
    assert.equal(sent.length, 1);
  });
}

test('pauses double, and the last failure is the result', async () => {
  const { clock, run, sent } = bench();
  const last = failure('noAnswer');
  const end = failureOf(run(4, [failure('noAnswer'), failure('noAnswer'), failure('noAnswer'), last]));
  await clock.advance(60_000);
  assert.equal(await end, last);
  assert.deepEqual(sent, [0, 250, 750, 1750]);
});

test('pauses are randomized, up to twice as long', async () => {
  const { clock, run, sent } = bench({ uuid: () => '', unit: () => 0.998 });
  const end = run(2, [failure('noAnswer')]);
  await clock.advance(60_000);
  await end;
  assert.ok(sent[1]! > 499 && sent[1]! < 500, String(sent[1]));
});

test('Retry-After is the minimum, not only with 429', async () => {
  const { clock, run, sent } = bench();
  const end = run(2, [failure('status', { status: 503, retryAfterMs: 7000 })]);
  await clock.advance(60_000);
  await end;
  assert.deepEqual(sent, [0, 7000]);
});

test('a requested pause longer than a minute is passed on instead of waited for', async () => {
  const { clock, run, sent } = bench();
  const error = failure('tooManyRequests', { retryAfterMs: 3_600_000 });
  assert.equal(await failureOf(run(4, [error])), error);
  const other = await failureOf(run(1, []));
  assert.equal(other.kind, 'tooManyRequests');
  assert.equal(other.retryAfterMs, 3_600_000);
  assert.equal(sent.length, 1);
  assert.equal(clock.waiting, 0);
});

const busy = () => failure('tooManyRequests', { retryAfterMs: 900_000 });

test('while the service asks for a pause, a user’s gesture lets one request through, and no other', async () => {
  const { clock, run, sent, retry } = bench();
  await failureOf(run(4, [busy()]));
  await clock.advance(10_000);
  retry.probe();
  const [probe, other] = [failureOf(run(4, [busy()])), failureOf(run(4, []))];
  assert.equal((await probe).kind, 'tooManyRequests');
  assert.equal((await other).kind, 'tooManyRequests');
  assert.deepEqual(sent, [0, 10_000]);
});

test('once a service responds to a user’s request, everybody’s requests resume', async () => {
  const { clock, run, sent, retry } = bench();
  const quiet: number[] = [];
  retry.onDidSlowDown((ms) => quiet.push(ms));
  await failureOf(run(4, [busy()]));
  await clock.advance(10_000);
  retry.probe();
  assert.equal(await run(4, []), 'done');
  assert.deepEqual(quiet, [900_000, 3000]);
  const next = run(4, []);
  await clock.advance(3000);
  assert.equal(await next, 'done');
  assert.deepEqual(sent, [0, 10_000, 13_000]);
});

test('many gestures in a row send at most one request in three seconds', async () => {
  const { clock, run, sent, retry } = bench();
  await failureOf(run(4, [busy()]));
  const asked: Promise<unknown>[] = [];
  for (let second = 1; second <= 12; second++) {
    await clock.advance(1000);
    retry.probe();
    asked.push(failureOf(run(4, [busy()])));
  }
  await clock.advance(200_000);
  await Promise.all(asked);
  assert.ok(sent.length > 1);
  assert.ok(
    sent.every((at, index) => at - (sent[index - 1] ?? -3000) >= 3000),
    sent.join(),
  );
});

test('a gesture right after a request is sent three seconds after it, however long the service asks to wait', async () => {
  const { clock, run, sent, retry } = bench();
  await failureOf(run(4, [busy()]));
  await clock.advance(1000);
  retry.probe();
  const answer = run(4, []);
  await clock.advance(2000);
  assert.equal(await answer, 'done');
  assert.deepEqual(sent, [0, 3000]);
});

test('a request more than ten seconds after a gesture waits', async () => {
  const { clock, run, sent, retry } = bench();
  await failureOf(run(4, [busy()]));
  retry.probe();
  await clock.advance(10_000);
  await failureOf(run(4, []));
  assert.equal(sent.length, 1);
});

test('a gesture while nothing is waiting isn’t saved up', async () => {
  const { run, sent, retry } = bench();
  retry.probe();
  await run(1, []);
  await failureOf(run(4, [busy()]));
  await failureOf(run(4, []));
  assert.equal(sent.length, 2);
});

test('one 429 slows every caller: twenty of them send at most one request in three seconds', async () => {
  const { clock, run, sent } = bench();
  const ends = Array.from({ length: 20 }, () =>
    run(
      4,
      Array.from({ length: 4 }, () => failure('tooManyRequests')),
    ).catch(() => 'gave up'),
  );
  await settled();
  const first = sent.length;
  await clock.advance(300_000);
  await Promise.all(ends);
  const later = sent.slice(first);
  assert.ok(later.length > 0);
  assert.ok(
    later.every((at, index) => at - (later[index - 1] ?? 0) >= 3000),
    later.join(),
  );
});

test('requests are unrestricted again once the service responds', async () => {
  const { clock, run, sent } = bench();
  const first = run(2, [failure('tooManyRequests')]);
  await clock.advance(3000);
  assert.equal(await first, 'done');
  for (let n = 0; n < 3; n++) {
    const next = run(1, []);
    await clock.advance(3000);
    await next;
  }
  const before = sent.length;
  await Promise.all([run(1, []), run(1, []), run(1, [])]);
  assert.equal(sent.length - before, 3);
});

test('a caller can cancel the pause and its turn', async () => {
  const { clock, run, sent } = bench();
  const cancel = new AbortController();
  const pausing = failureOf(run(4, [failure('tooManyRequests')], cancel.signal));
  await settled();
  const waiting = failureOf(run(4, [], cancel.signal));
  await settled();
  cancel.abort();
  assert.equal((await pausing).kind, 'cancelled');
  assert.equal((await waiting).kind, 'cancelled');
  assert.equal(sent.length, 1);
  assert.equal(clock.waiting, 0);
});

test('an error that isn’t the service’s is passed on unchanged', async () => {
  const { run, sent } = bench();
  const refusal = new Error('refused before the send');
  await assert.rejects(run(4, [refusal]), (error) => error === refusal);
  assert.equal(sent.length, 1);
});

const date = 'Fri, 02 Jan 2026 03:00:00 GMT';
const now = Date.UTC(2026, 0, 2, 9);

const wishes: readonly [stated: string | undefined, serviceDate: string | undefined, ms: number | undefined][] = [
  [undefined, date, undefined],
  ['5', date, 5000],
  [' 0 ', date, 0],
  ['-1', date, undefined],
  ['1.5', date, undefined],
  ['1e9', date, undefined],
  ['900', date, 900_000],
  ['901', date, 900_000],
  ['10000000000', date, 900_000],
  ['9'.repeat(400), date, 900_000],
  ['Fri, 02 Jan 2343 03:00:00 GMT', date, 900_000],
  ['abc', date, undefined],
  ['abc 5', date, undefined],
  ['2026-01-02T03:00:07Z', date, undefined],
  ['Fri, 02 Jan 2026 03:00:07 GMT', date, 7000],
  ['Fri, 02 Jan 2026 02:00:00 GMT', date, 0],
  ['Fri, 02 Jan 2026 09:00:30 GMT', undefined, 30_000],
];

for (const [stated, serviceDate, ms] of wishes) {
  test(`Retry-After ${JSON.stringify(stated)}${serviceDate ? '' : ' without a Date'} is ${ms ?? 'no wish'}`, () => {
    assert.equal(retryAfterOf({ 'retry-after': stated, date: serviceDate }, now), ms);
  });
}

test('an invalid Date header isn’t a time', () => {
  assert.equal(serviceTimeOf({ date }), Date.UTC(2026, 0, 2, 3));
  for (const stated of ['', '5', 'yesterday', '2026-01-02', 'Fri, 99 Jan 2026 03:00:00 GMT'])
    assert.equal(serviceTimeOf({ date: stated }), undefined);
  assert.equal(serviceTimeOf({}), undefined);
});
