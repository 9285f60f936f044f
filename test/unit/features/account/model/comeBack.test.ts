import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookForService } from '../../../../../src/features/account/model/serviceAddress';
import { TestClock } from '../../../clock';
import { ScriptedSession } from '../../../editor/scriptedSession';

function desk(isSeen = () => true) {
  const clock = new TestClock();
  const session = new ScriptedSession(() => Promise.reject(new Error('no model')), 100);
  const asked: number[] = [];
  session.refreshBalance = () => Promise.resolve(void asked.push(clock.ticks() / 1000));
  const looking = lookForService(session, clock, isSeen);
  return { clock, session, asked, looking };
}

test('a service that responds isn’t checked', async () => {
  const { clock, session, asked } = desk();
  session.become({ status: 'keyRefused' });
  await clock.advance(600_000);
  assert.deepEqual(asked, []);
});

test('one that doesn’t respond is checked less and less often', async () => {
  const { clock, session, asked } = desk();
  session.become({ status: 'offline' });
  await clock.advance(200_000);
  assert.deepEqual(asked, [5, 15, 35, 75, 135, 195]);
});

test('once it responds it isn’t checked again, and the next outage starts from the beginning', async () => {
  const { clock, session, asked } = desk();
  session.become({ status: 'offline' });
  await clock.advance(16_000);
  session.become({ status: 'connected' });
  await clock.advance(100_000);
  assert.deepEqual(asked, [5, 15]);
  session.become({ status: 'offline' });
  await clock.advance(5000);
  assert.deepEqual(asked, [5, 15, 121]);
});

test('nothing is checked while the window is hidden, or after it has closed', async () => {
  let seen = false;
  const { clock, session, asked, looking } = desk(() => seen);
  session.become({ status: 'offline' });
  await clock.advance(60_000);
  assert.deepEqual(asked, []);
  seen = true;
  await clock.advance(60_000);
  assert.equal(asked.length, 1);
  looking.dispose();
  await clock.advance(600_000);
  assert.equal(asked.length, 1);
  assert.equal(clock.waiting, 0);
});
