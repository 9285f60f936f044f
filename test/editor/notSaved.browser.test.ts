import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openModelForm } from './modelForm';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');

let workbench: Workbench;
let parent: string;
before(async () => {
  await mkdir(pictures, { recursive: true });
  parent = await mkdtemp(join(tmpdir(), 'model-catalog-outside-'));
  await mkdir(join(parent, 'project'));
  await mkdir(join(parent, 'outside'));
  await symlink(join(parent, 'outside'), join(parent, 'project', 'renders'));
  workbench = await openWorkbench({ version: 'latest', workspace: join(parent, 'project') });
  await workbench.command('View: Show Model Catalog');
});
after(async () => {
  await workbench.close();
  await rm(parent, { recursive: true });
});

test('a paid result whose folder leads out of the project waits in sight, and is saved once the folder is mended', async () => {
  const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
  await form.getByRole('textbox').first().fill('a blue fish');
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
  const group = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'Paid, not saved' });
  await group.first().waitFor();
  const notice = workbench.notification('leads out of the workspace folder');
  await notice.waitFor();
  await workbench.screenshot(join(pictures, 'not-saved-dark.png'));
  assert.deepEqual(await readdir(join(parent, 'outside')), []);

  await rm(join(parent, 'project', 'renders'));
  await notice.getByRole('button', { name: 'Download Again' }).click();
  await workbench.notification(/Saved renders/).waitFor();
  assert.equal((await readdir(join(parent, 'project', 'renders'))).length, 1);
  await group.first().waitFor({ state: 'detached' });
  await workbench.setTheme('light');
  await workbench.screenshot(join(pictures, 'not-saved-light.png'));
});
