import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followSpent } from '../../../src/renders/followSpent';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

test('a charge in one window is heard of in the other, and so is its refund, each once', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = folderFor(t);
  const here = await openWindow(t, folder, service, clock);
  const there = await openWindow(t, folder, service, clock);
  let heard = 0;
  followSpent(here.library, () => (heard += 1));
  await ordered(there, order());
  await clock.advance(5000);
  assert.equal(heard, 1);
  service.set('g1', { status: 'refunded' });
  await there.poller.pollNow();
  await clock.advance(5000);
  assert.equal(heard, 2);
});
