import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { startService, type Service } from '../faults/kill/programs';
import { saveAs } from './choose';
import { connectTo } from './connectTo';
import { Gate } from './gate';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

let workbench: Workbench;
let service: Service;
let gate: Gate;
let parent: string;
before(async () => {
  await mkdir(images, { recursive: true });
  parent = await mkdtemp(join(tmpdir(), 'model-catalog-outside-'));
  for (const folder of ['project', 'outside', 'account']) await mkdir(join(parent, folder));
  service = await startService({ folder: join(parent, 'account'), latencyMs: 500 });
  gate = await Gate.open(service.base);
  await symlink(join(parent, 'outside'), join(parent, 'project', 'renders'));
  workbench = await openWorkbench({
    version: 'latest',
    workspace: join(parent, 'project'),
    settings: { 'modelCatalog.notifications': 'always' },
  });
  await workbench.command('View: Show Model Catalog');
  await connectTo(workbench, { base: gate.base, key: service.key });
});
after(async () => {
  await workbench.close();
  await gate.close();
  await service.stop();
  await removeFolder(parent);
});

test('a folder outside the project is reported before anything is paid; if it becomes one later, the result stays visible', async () => {
  const renders = join(parent, 'project', 'renders');
  const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
  await form.getByRole('textbox').first().fill('a blue fish');
  const render = form.getByRole('button', { name: /^Render · €/, disabled: false });
  await render.click();
  await form.getByText('Not sent, nothing charged').first().waitFor();
  assert.ok(!gate.asked.includes('POST /generations'));

  await rm(renders);
  const underWay = gate.hold('poll');
  await render.click();
  await underWay;
  await symlink(join(parent, 'outside'), renders);
  gate.release();
  const group = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'Paid, not saved' });
  await group.first().waitFor();
  const notice = workbench.notification('is outside the workspace folder');
  await notice.waitFor();
  await workbench.screenshot(join(images, 'not-saved-dark.png'));
  assert.deepEqual(await readdir(join(parent, 'outside')), []);

  await rm(renders);
  await notice.getByRole('button', { name: 'Download Again' }).click();
  await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
  assert.equal((await readdir(renders)).length, 1);
  await group.first().waitFor({ state: 'detached' });
  await workbench.setTheme('light');
  await workbench.screenshot(join(images, 'not-saved-light.png'));
});

test('with no folder open, a result waits under one sentence, and the form shows it wherever it was saved', async () => {
  const { page } = workbench;
  const elsewhere = new URL(page.url());
  elsewhere.searchParams.delete('folder');
  elsewhere.searchParams.set('ew', 'true');
  await page.goto(elsewhere.href, { waitUntil: 'commit' });
  // This editor keeps no secrets when its window opens again.
  await workbench.statusBarItem('modelCatalog.balance').waitFor();
  await connectTo(workbench, { base: gate.base, key: service.key });
  let form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
  const render = async (prompt: string) => {
    await form.getByRole('textbox').first().fill(prompt);
    await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
    await form.getByText('Not saved yet', { exact: true }).waitFor();
  };
  await render('a red boat');
  await until(() => form.evaluate(showsImage, 'Not saved yet'));
  assert.equal(await form.getByRole('button', { name: 'Download Again' }).count(), 0);
  assert.equal(await workbench.notification('a red boat').count(), 0);
  await workbench.screenshot(join(images, 'no-folder.png'));
  const boat = join(parent, 'outside', 'boat.png');
  await form.getByRole('button', { name: 'Save As…' }).click();
  await saveAs(workbench, boat);
  // The page begins again, since it may load from another folder now.
  await until(async () => {
    form = await workbench.openWebview('sprite-1');
    return form.evaluate(showsImage, 'boat.png').catch(() => false);
  });
  await workbench.screenshot(join(images, 'no-folder-saved.png'));
  await render('a red house');
  await form.getByRole('button', { name: 'Save As…' }).click();
  await until(async () => (await workbench.quickInput.inputValue()).startsWith(join(parent, 'outside', 'a-red-house')));
  await page.keyboard.press('Escape');
});

/** Runs in the form: true once it shows an image, and these words. */
function showsImage(words: string): boolean {
  const image = document.querySelector<HTMLImageElement>('img.picture');
  return document.body.textContent.includes(words) && image !== null && image.complete && image.naturalWidth > 0;
}
