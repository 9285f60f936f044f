import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject } from './openAccount';

test('two windows that order the same render at the same moment are one charge and one file', async (t) => {
  const project = await openProject(t);
  for (let round = 0; round < 5; round++) {
    project.wish('picture');
    project.wish('text');
    const endings = await Promise.all([project.open().ended, project.openBeside().ended]);
    for (const { told } of endings)
      assert.ok(
        told.every((one) => !('notOrdered' in one)),
        'both take the order for theirs',
      );
  }
  await project.checkEnd();
});

test('a window continues what a killed one had sent', async (t) => {
  const project = await openProject(t);
  project.wish('picture');
  await project.open({ killAt: { point: 'the bytes of the order are out', time: 1 } }).ended;
  // By its clock, the other window was just active, so it waits until that counts as gone.
  await project.openBeside().ended;
  await project.checkEnd();
});
