import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { Durations } from '../../../src/renders/expectations';
import { TestClock } from '../clock';
import { seeded } from '../seeded';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const lastingMs = 4200;
const modelId = 'a/b/c';

/** A window that has seen this many renders of one model, all of the same duration. */
async function seen(t: Parameters<typeof folderFor>[0], count: number) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock, seeded(11));
  const durations = new Durations(window.ledger, silentLog);
  /** Renders once, and returns how long after the end that was noticed, ms. */
  const once = async (change: Parameters<typeof order>[0] = {}) => {
    const { key, generationId } = await ordered(window, order({ modelId, ...change }));
    await clock.advance(lastingMs);
    service.set(generationId!, { status: 'succeeded', textOutput: 'done' });
    let waited = 0;
    for (; window.ledger.get(key)?.state !== 'succeeded'; waited += 100) await clock.advance(100);
    await clock.advance(5000);
    return waited;
  };
  for (let index = 0; index < count; index++) await once();
  return { once, durations, window };
}

test('the usual duration of a render is known after five of its model', async (t) => {
  const { once, durations } = await seen(t, 4);
  const render = { place: 'https://models.example', modelId, inputs: { prompt: 'a red kite' } };
  assert.equal(durations.usualMs(render), undefined);
  await once();
  const usual = durations.usualMs(render)!;
  assert.ok(usual > 3000 && usual <= 6000, `${usual} ms`);
  assert.equal(durations.usualMs({ ...render, modelId: 'a/b/other' }), undefined);
  assert.equal(durations.usualMs({ ...render, place: 'https://elsewhere.example' }), undefined);
});

test('a known model’s file arrives sooner after its end than at a fixed interval', async (t) => {
  const { once } = await seen(t, 12);
  const waits: number[] = [];
  for (let index = 0; index < 8; index++) waits.push(await once());
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  // At a fixed interval of three seconds, the poll after 4.2 s is at 6 s.
  assert.ok(mean <= 700, `${waits.join(', ')} ms`);
});

test('a new model’s render of 1.5 s is noticed within half a second, and a minute has no more polls for it', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock, seeded(11));
  const { key, generationId } = await ordered(window, order({ modelId: 'a/b/quick' }));
  await clock.advance(1500);
  service.set(generationId!, { status: 'succeeded', textOutput: 'done' });
  await clock.advance(500);
  assert.equal(window.ledger.get(key)?.state, 'succeeded');

  const before = service.listCalls + service.singleCalls;
  await ordered(window, order({ modelId: 'a/b/slow' }));
  await clock.advance(60_000);
  assert.ok(service.listCalls + service.singleCalls - before <= 20);
});

test('after its first poll, an unknown model is polled at the interval', async (t) => {
  const { once } = await seen(t, 12);
  // Polls at 1.8 and 4.8 s.
  assert.equal(await once({ modelId: 'a/b/new' }), 600);
});

test('renders with inputs of another size are treated separately after five of that size', async (t) => {
  const { once, durations, window } = await seen(t, 5);
  const inputs = { prompt: 'a red kite '.repeat(100) };
  for (let index = 0; index < 5; index++) await once({ inputs });
  assert.equal(durations.of({ place: 'https://models.example', modelId, inputs })?.length, 5);
  const small = { place: 'https://models.example', modelId, inputs: { prompt: 'a red kite' } };
  assert.equal(durations.of(small)?.length, 5);
  assert.equal(window.ledger.newestSuccesses('https://models.example', modelId, 100).length, 10);
});
