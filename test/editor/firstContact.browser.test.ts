import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { AccountFile } from '../faults/kill/account';
import { startService, type Service } from '../faults/kill/programs';
import { openFile } from './choose';
import { connectTo, enterKey } from './connectTo';
import { openModelForm } from './modelForm';
import { OtherService } from './otherService';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
/** The sandbox's fastest image model. */
const sprite = 'eight-bit-yard/pixel/sprite-1';
/** The last model in its list. */
const last = 'quill-house/plain/alt-text-1';

let workbench: Workbench;
let sandbox: Service;
let service: OtherService;
let account: AccountFile;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-catalog-first-contact-'));
  for (const path of [images, join(folder, 'account'), join(folder, 'project', 'gallery')])
    await mkdir(path, { recursive: true });
  const ten = Array.from({ length: 10 }, (_, index) => `![boat number ${index}](boat-${index}.png)\n`);
  await writeFile(join(folder, 'project', 'gallery', 'boats.md'), ten.join('\n'));
  await writeFile(join(folder, 'project', 'harbor.md'), '# Harbor\n\n![a red buoy](buoy.png)\n\n');
  sandbox = await startService({ folder: join(folder, 'account'), latencyMs: 600 });
  account = new AccountFile(join(folder, 'account'));
  service = await OtherService.over(sandbox);
  const order = { modelId: sprite, inputs: { prompt: 'a task’s kite' } };
  workbench = await openWorkbench({
    version: 'latest',
    workspace: join(folder, 'project'),
    settings: {
      'files.autoSave': 'afterDelay',
      'files.autoSaveDelay': 50,
      'editor.autoClosingBrackets': 'never',
      'modelCatalog.allowance.others': '1.00',
    },
    keybindings: [{ key: 'ctrl+alt+9', command: 'modelCatalog.render', args: order }],
  });
  await workbench.command('View: Show Model Catalog');
  const connected = workbench.page
    .locator('.statusbar')
    .getByText(/Connected · \d+ models/)
    .waitFor();
  await connectTo(workbench, { base: service.base, key: service.key });
  await connected;
});
after(async () => {
  await workbench.close();
  await service.close();
  account.close();
  await sandbox.stop();
  await removeFolder(folder);
});

const shoot = (name: string) => workbench.screenshot(join(images, `first-contact-${name}.png`));
const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
const project = (path: string) => join(folder, 'project', path);
const rendered = async () =>
  (await readdir(project('renders')).catch(() => [])).filter((name) => name.endsWith('.png'));

/** Resolves when the results folder has this many images; the newest ones must be complete. */
async function imageCount(count: number): Promise<void> {
  await until(async () => (await rendered()).length === count);
  for (const name of await rendered()) decode(await readFile(project(`renders/${name}`)), { checkCrc: true });
}

/** Picks the model of the open quick render. */
async function chooseModel(box: string): Promise<void> {
  await workbench.pick(/^Model/);
  await workbench.page.getByPlaceholder('Search by name').fill(sprite);
  await workbench.pick(sprite);
  await workbench.page.locator('.quick-input-widget').getByText(box, { exact: true }).waitFor();
}

test('models on the last page are found', async () => {
  await workbench.command('Model Catalog: Open Model Form…');
  await workbench.page.getByPlaceholder('Search by name').fill(last);
  await rows().filter({ hasText: last }).first().waitFor();
  assert.ok(service.answered.filter((one) => one === 'GET /models').length > 1);
  await workbench.page.keyboard.press('Escape');
});

test('the form renders an image with a model that doesn’t state what it generates', async () => {
  const form = await openModelForm(workbench, sprite);
  await form.getByRole('textbox', { name: /prompt/i }).fill('a red kite');
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
  await imageCount(1);
  await shoot('form');
});

test('a quick render saves an image, and no text next to it', async () => {
  await workbench.command('Model Catalog: Quick Render…');
  await workbench.page.locator('.quick-input-widget').getByText('Quick Render', { exact: true }).waitFor();
  await chooseModel('Quick Render');
  await workbench.quickInput.fill('a lighthouse');
  const sign = workbench.page.locator('.codicon-zap');
  await rows()
    .first()
    .filter({ hasText: /Render · €0\.\d\d/ })
    .filter({ has: sign })
    .waitFor();
  await shoot('quick-render');
  await workbench.page.keyboard.press('Enter');
  await imageCount(2);
  const texts = (await readdir(project('renders'))).filter((name) => /\.(md|txt)$/.test(name));
  assert.deepEqual(texts, []);
});

test('the command renders within the unattended budget', async () => {
  await openFile(workbench, 'harbor.md');
  await workbench.page.keyboard.press('Control+Alt+9');
  await imageCount(3);
});

test('a link is inserted, and its image is saved to that path', async () => {
  await openFile(workbench, 'harbor.md');
  await workbench.page.keyboard.press('Control+End');
  await workbench.command('Model Catalog: Render Image and Insert Link…');
  await workbench.page
    .locator('.quick-input-widget')
    .getByText('Render Image and Insert Link', { exact: true })
    .waitFor();
  await workbench.quickInput.fill('a ferry');
  const sign = workbench.page.locator('.codicon-zap');
  await rows()
    .first()
    .filter({ hasText: /Render and insert · €0\.\d\d/ })
    .filter({ has: sign })
    .waitFor();
  await shoot('insert');
  await workbench.page.keyboard.press('Enter');
  await until(async () => /!\[a ferry\]\(renders\/.+\.png\)/.test(await readFile(project('harbor.md'), 'utf8')));
  await imageCount(4);
});

test(
  'ten missing images are rendered while the key is replaced: ten files, ten charges',
  { timeout: 300_000 },
  async () => {
    const before = account.all().length;
    await openFile(workbench, 'gallery/boats.md');
    await workbench.page.locator('.codelens-decoration a').filter({ hasText: 'Render 10 missing images…' }).click();
    await workbench.page.getByText(/^Render 10 images with .* for €\d\.\d\d in total\?$/).waitFor();
    await shoot('missing');
    await workbench.confirm(/^Render for €/);
    const ordered = () => account.all().length - before;
    await until(() => Promise.resolve(ordered() === 10 && boats().length > 0));
    service.revoke(service.key);
    await workbench.command('Model Catalog: Manage Account…');
    await workbench.pick('Set API Key…');
    await enterKey(workbench, service.secondKey);
    await until(() => Promise.resolve(boats().length === 10));
    await shoot('key-replaced');
    for (const boat of boats()) decode(await readFile(project(`gallery/${boat}`)), { checkCrc: true });
    const charged = account.all();
    assert.equal(ordered(), 10);
    assert.ok(charged.every(({ charges, refunds }) => charges === 1 && refunds === 0));
  },
);

/** The image files of boats on disk. */
function boats(): string[] {
  return Array.from({ length: 10 }, (_, index) => `boat-${index}.png`).filter((name) =>
    existsSync(project(`gallery/${name}`)),
  );
}
