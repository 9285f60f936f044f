import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { startService, type Service } from '../faults/kill/programs';
import { chooseFromMenu } from './choose';
import { connectTo } from './connectTo';
import { Gate } from './gate';
import { openModelForm } from './modelForm';
import { root } from './root';
import { patiently } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

let workbench: Workbench;
let service: Service;
let former: Gate;
let moved: Gate;
let parent: string;
before(async () => {
  await mkdir(images, { recursive: true });
  parent = await mkdtemp(join(tmpdir(), 'model-catalog-moved-'));
  for (const folder of ['project', 'account']) await mkdir(join(parent, folder));
  service = await startService({ folder: join(parent, 'account'), latencyMs: 500 });
  [former, moved] = await Promise.all([Gate.open(service.base), Gate.open(service.base)]);
  workbench = await openWorkbench({ version: 'latest', workspace: join(parent, 'project') });
  await workbench.command('View: Show Model Catalog');
  await connectTo(workbench, { base: former.base, key: service.key });
});
after(async () => {
  await workbench.close();
  await moved.close();
  await service.stop();
  await removeFolder(parent);
});

test('a render goes on when its service has moved to another URL: it’s said, asked nowhere, and charged once', async () => {
  const rows = workbench.tree('Generations').getByRole('treeitem');
  const row = rows.filter({ hasText: 'a blue fish' });
  const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
  await form.getByRole('textbox').first().fill('a blue fish');
  const underWay = former.hold('poll');
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
  await underWay;
  const { base } = former;
  await former.close();

  await workbench.command('Model Catalog: Manage Account…');
  await workbench.pick('Switch to Sandbox');
  await row.filter({ hasText: 'at another service' }).waitFor();
  const notHere = workbench.notification(`This service doesn’t have the render. It was started at ${base}`);
  await patiently(
    async (timeout) => {
      await chooseFromMenu(workbench, row, 'Check with Service');
      await notHere.waitFor({ timeout });
    },
    // The list of the sandbox came in between, and closed the menu.
    async () => {},
    'Looking for the render says nothing.',
  );
  await workbench.screenshot(join(images, 'moved-elsewhere.png'));

  await connectTo(workbench, { base: moved.base, key: service.key });
  const notice = workbench.notification(
    `This service has your render from ${base}. Both URLs now count as one service.`,
  );
  await notice.waitFor();
  await workbench.tree('Generations').getByRole('treeitem', { name: 'a blue fish, saved' }).waitFor();
  await workbench.screenshot(join(images, 'moved.png'));
  assert.equal((await readdir(join(parent, 'project', 'renders'))).length, 1);
  assert.equal(await row.count(), 1);
  const posts = [former, moved].map(({ asked }) => asked.filter((request) => request === 'POST /generations').length);
  assert.deepEqual(posts, [1, 0]);

  await notice.getByRole('button', { name: 'Keep Separate' }).click();
  await row.filter({ hasText: 'not downloaded' }).waitFor();
  const separate = workbench.notification(`Renders from ${base} are shown while you’re connected to it.`);
  await separate.getByRole('button', { name: 'Undo' }).click();
  await workbench.tree('Generations').getByRole('treeitem', { name: 'a blue fish, saved' }).waitFor();
  assert.equal(await row.count(), 1);
});
