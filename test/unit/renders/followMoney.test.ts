import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { CatalogClient } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { Session } from '../../../src/catalog/session';
import { followMoney } from '../../../src/renders/followMoney';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

/** A window, how often it was notified of money, and a poll of the service's current state. */
async function open(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const window = await openWindow(t, folder, service, clock);
  const heard = { times: 0 };
  followMoney(window.library, () => (heard.times += 1));
  const becomes = async (id: string, status: string, costCents = 4) => {
    service.set(id, { status, costCents });
    await window.poller.pollNow();
    return heard.times;
  };
  return { clock, service, folder, window, heard, becomes };
}

test('a charge in one window is announced in the other, and so is its refund, each once', async (t) => {
  const { clock, service, folder, window, heard } = await open(t);
  const there = await openWindow(t, folder, service, clock);
  await ordered(there, order());
  await clock.advance(5000);
  assert.equal(heard.times, 1);
  service.set('g1', { status: 'refunded' });
  await there.poller.pollNow();
  await clock.advance(5000);
  assert.equal(heard.times, 2);
  assert.equal(window.library.spentSince(0), 0);
});

test('a render is announced when it is charged, and not while it only progresses', async (t) => {
  const { window, heard, becomes } = await open(t);
  await ordered(window, order());
  assert.equal(heard.times, 1);
  assert.deepEqual([await becomes('g1', 'running'), await becomes('g1', 'succeeded')], [1, 1]);
});

test('a changed charge, a failure, and its refund are announced', async (t) => {
  const { window, heard, becomes } = await open(t);
  await ordered(window, order());
  assert.equal(heard.times, 1);
  assert.equal(await becomes('g1', 'running', 5), 2);
  // What fails is refunded, though the service hasn't stated that yet.
  assert.equal(await becomes('g1', 'failed', 5), 3);
  assert.equal(await becomes('g1', 'refunded', 5), 4);
});

test('a balance that is too low is announced, and another rejection isn’t', async (t) => {
  const { window, service, heard } = await open(t);
  service.fates = [new ServiceError('invalidInput', 'no'), new ServiceError('balanceTooLow', 'no')];
  await ordered(window, order());
  assert.equal(heard.times, 0);
  await ordered(window, order());
  assert.equal(heard.times, 1);
});

test('each movement of money refreshes the balance once, and concurrent requests are one', async (t) => {
  const { clock, service, window, becomes } = await open(t);
  let asked = 0;
  const client = {
    account: service.account,
    me: () => Promise.resolve({ balanceCents: 100 - ++asked }),
    onOutcome: () => ({ dispose: () => {} }),
    onDidSlowDown: () => ({ dispose: () => {} }),
  } as unknown as CatalogClient;
  const session = new Session(clock, String);
  session.connect({ base: 'https://models.example', sandbox: false }, client);
  followMoney(window.library, () => void session.refreshBalance());
  // Whoever announces the end also requests the balance.
  window.library.onDidEnd(() => void session.refreshBalance());
  await ordered(window, order());
  await becomes('g1', 'running');
  await becomes('g1', 'failed');
  await becomes('g1', 'refunded');
  assert.equal(asked, 3);
  service.fates = [new ServiceError('balanceTooLow', 'no')];
  await ordered(window, order());
  await clock.advance(0);
  assert.deepEqual([asked, session.state.balance?.cents], [4, 96]);
});
