import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Countdown } from '../../../../../src/features/account/model/keyNotice';
import { TestClock } from '../../../clock';
import { ScriptedSession } from '../../../editor/scriptedSession';

function desk() {
  const clock = new TestClock();
  const session = new ScriptedSession(() => Promise.reject(new Error('no model')), 100);
  const countdown = new Countdown(session, clock);
  const told: (number | undefined)[] = [];
  countdown.onDidChange(() => told.push(countdown.seconds));
  return { clock, session, countdown, told };
}

test('without a wait, there’s no countdown', async () => {
  const { clock, session, countdown, told } = desk();
  session.become({ status: 'offline' });
  await clock.advance(5000);
  assert.equal(countdown.seconds, undefined);
  assert.deepEqual(told, []);
  assert.equal(clock.waiting, 0);
});

test('each second is announced until the wait is over, and then nothing more', async () => {
  const { clock, session, told } = desk();
  session.become({ quietUntil: clock.now() + 2500 });
  await clock.advance(2500);
  session.become({ quietUntil: undefined });
  await clock.advance(5000);
  assert.deepEqual(told, [3, 2, 1, undefined]);
  assert.equal(clock.waiting, 0);
});

test('a longer wait replaces the previous one', async () => {
  const { clock, session, countdown, told } = desk();
  session.become({ quietUntil: clock.now() + 2000 });
  await clock.advance(500);
  session.become({ quietUntil: clock.now() + 60_000 });
  assert.equal(countdown.seconds, 60);
  await clock.advance(1000);
  assert.deepEqual(told, [2, 60, 59]);
});
