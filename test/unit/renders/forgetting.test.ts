import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { forget } from '../../../src/renders/results';
import { systemClock } from '../../../src/base/clock';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered, type Window } from './world';

const secret = 'the unannounced lighthouse';

async function world(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  return { clock, service, folder, window };
}

/** A paid and saved render with this prompt. */
async function saved(window: Window, inputs: Record<string, string>) {
  const { key } = await ordered(window, order({ inputs }));
  return window.ledger.advance(key, () => ({
    state: 'saved',
    status: 'succeeded',
    endedAt: 1,
    file: `file:///project/renders/${encodeURIComponent(inputs['prompt']!.slice(0, 40))}.png`,
    result: { textOutput: `Of ${inputs['prompt']!.slice(0, 40)}` },
  }))!;
}

/** The files in a folder that contain these words. */
function filesWith(words: string, folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file).includes(words));
}

const nothing = () => Promise.resolve();

test('no word of a forgotten render stays in any file, and its cost stays in the sums', async (t) => {
  const { folder, window } = await world(t);
  const { key } = await saved(window, { prompt: secret });
  await saved(window, { prompt: 'a red kite' });
  const spent = window.library.spentSince(0);
  assert.notDeepEqual(filesWith(secret, folder), []);

  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 1);
  assert.deepEqual(filesWith(secret, folder), []);
  assert.deepEqual(filesWith(encodeURIComponent(secret), folder), []);
  assert.notDeepEqual(filesWith('a red kite', folder), []);
  assert.equal(window.library.spentSince(0), spent);
  assert.deepEqual(
    window.library.entries.map(({ inputs }) => inputs['prompt']),
    ['a red kite'],
  );
});

test('the same holds for inputs so large that they have their own file', async (t) => {
  const { folder, window } = await world(t);
  const { key } = await saved(window, { prompt: secret.repeat(10_000) });
  await forget(window.ledger, systemClock, [key], nothing);
  assert.deepEqual(filesWith(secret, folder), []);
});

test('others that refer to its words receive them in full before they’re removed', async (t) => {
  const { window } = await world(t);
  const prompt = secret.repeat(10_000);
  const { key } = await saved(window, { prompt });
  const told: unknown[] = [];
  await forget(window.ledger, systemClock, [key], ({ inputs }) => Promise.resolve(void told.push(inputs['prompt'])));
  assert.deepEqual(told, [prompt]);
});

test('the service’s list doesn’t bring it back', async (t) => {
  const { window } = await world(t);
  const { key } = await saved(window, { prompt: secret });
  await forget(window.ledger, systemClock, [key], nothing);
  await window.library.refresh();
  assert.deepEqual(window.library.entries, []);
});

test('it’s gone in other windows too, and their sums stay', async (t) => {
  const { clock, folder, service, window } = await world(t);
  const { key } = await saved(window, { prompt: secret });
  const other = await openWindow(t, folder, service, clock);
  await forget(window.ledger, systemClock, [key], nothing);
  other.library.catchUp();
  assert.deepEqual(other.library.entries, []);
  assert.equal(other.library.spentSince(0), 4);
});

test('renders in progress, or waiting for a decision, are left unchanged', async (t) => {
  const { service, window } = await world(t);
  const active = await ordered(window, order({ inputs: { prompt: secret } }));
  service.offline = true;
  const waiting = await ordered(window, order({ inputs: { prompt: secret } }));
  service.offline = false;
  assert.equal(await forget(window.ledger, systemClock, [active.key, waiting.key], nothing), 0);
  assert.equal(window.ledger.get(active.key)?.inputs['prompt'], secret);
  assert.equal(window.ledger.get(waiting.key)?.inputs['prompt'], secret);
});

test('a result that was deleted from the service without having been saved can be forgotten', async (t) => {
  const { folder, window } = await world(t);
  const { key } = await ordered(window, order({ inputs: { prompt: secret } }));
  window.ledger.advance(key, () => ({ state: 'succeeded', status: 'succeeded', endedAt: 1 }));
  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 0);
  window.ledger.advance(key, () => ({ deleted: true }));
  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 1);
  assert.deepEqual(filesWith(secret, folder), []);
});

test('a forgotten render stays forgotten when the service lists it again', async (t) => {
  const { clock, service, window } = await world(t);
  const { key } = await ordered(window, order({ inputs: { prompt: secret } }));
  const listed = service.generationsById.get('g1')!;
  service.generationsById.clear();
  window.poller.wake();
  await clock.advance(30 * 60_000);
  window.renderer.settle(key, true);
  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 1);
  service.generationsById.set('g1', { ...listed, status: 'succeeded', textOutput: secret });
  await window.recovery.compare();
  window.poller.wake();
  await clock.advance(24 * 3_600_000);
  assert.deepEqual([window.ledger.get(key)?.state, window.ledger.get(key)?.textOutput], ['unknown', undefined]);
});

test('an unknown render can be forgotten once the user has settled it', async (t) => {
  const { window } = await world(t);
  const { key } = await ordered(window, order({ inputs: { prompt: secret } }));
  window.ledger.advance(key, () => ({ state: 'unknown' }));
  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 0);
  window.renderer.settle(key, false);
  assert.equal(await forget(window.ledger, systemClock, [key], nothing), 1);
});
