import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject } from './openAccount';
import { asleepMs, type Task } from './task';

/**
 * Stopped when the attempt is on disk and its bytes are about to be sent. If any are sent after all, the window is
 * killed.
 */
const asleep: Partial<Task> = {
  stopAt: 'before the guard of the order',
  killAt: { point: 'before the bytes of the order', time: 1 },
};

test('a window that was asleep for eleven minutes before its first bytes sends nothing, and the user can send later', async (t) => {
  const project = await openProject(t);
  const { intent } = project.wish('picture');
  const { killed, told } = await project.run({ ...asleep, restsAt: { state: 'planned' } }, undefined, (window) =>
    window.keepGoing(),
  );
  assert.equal(killed, false, 'no byte leaves after waking too late');
  assert.deepEqual(told.at(-1), { ended: [{ key: intent, state: 'planned', attempt: 1 }] });
  assert.deepEqual(project.charged(), []);

  project.pass(asleepMs);
  await project.run();
  await project.checkEnd();
});

test('an order that sleep kept from being sent is sent in the same window once the user confirms', async (t) => {
  const project = await openProject(t);
  project.wish('picture');
  await project.run({ stopAt: 'before the guard of the order' }, undefined, (window) => window.keepGoing());
  await project.checkEnd();
});

test('a window that was asleep for eleven minutes before a repeat sends nothing, and finds the render at the service', async (t) => {
  const project = await openProject(t);
  const { intent } = project.wish('picture');
  await project.run({ killAt: { point: 'the bytes of the order are out', time: 1 } });
  const { killed, told } = await project.run(asleep, undefined, (window) => window.keepGoing());
  assert.equal(killed, false, 'no byte leaves after waking too late');
  const [end] = told.slice(-1);
  assert.ok(end && 'ended' in end);
  assert.equal(end.ended.find(({ key }) => key === intent)?.state, 'saved');
  await project.checkEnd();
});
