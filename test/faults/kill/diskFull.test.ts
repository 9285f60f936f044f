import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProject } from './openAccount';

// `ulimit -f` counts in blocks of 512 or 1024 bytes, depending on the shell.
const skip = process.platform === 'win32' && 'Windows has no ulimit';

test(
  'a result for which the disk has no room stays with the service, and is saved when there is room again',
  { skip },
  async (t) => {
    const project = await openProject(t);
    const { intent } = project.wish('largePicture');
    const { told } = await project.run({ restsAt: { state: 'succeeded', problem: 'diskFull' } }, 'ulimit -f 800');
    assert.deepEqual(told.at(-1), { ended: [{ key: intent, state: 'succeeded', attempt: 1, problem: 'diskFull' }] });
    assert.deepEqual(await readdir(join(project.storage, 'spool')), [], 'nothing is left in part');

    await project.run();
    await project.checkEnd();
  },
);

for (const blocks of [1, 48, 64, 80, 128, 256]) {
  test(
    `where no file can grow past ${blocks} blocks, nothing is sent that is not on disk, and nothing is lost`,
    { skip },
    async (t) => {
      const project = await openProject(t);
      project.wish('text');
      await project.run();
      project.wish('text');
      // Recording is retried forever: the window is killed.
      const close = (window: { kill(): void }) => void setTimeout(() => window.kill(), 3000);
      await project.run({}, `ulimit -f ${blocks}`, close);
      await project.run();
      await project.checkEnd();
    },
  );
}
