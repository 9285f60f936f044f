import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { AccountFile } from '../faults/kill/account';
import { startService, type Service } from '../faults/kill/programs';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { Gate } from './gate';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const [sprite, mist] = ['Sprite 1', 'Mist 3'] as const;

for (const version of ['latest'] as const) {
  suite(`One prompt and many models, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: Service;
    let account: AccountFile;
    let gate: Gate;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'model-catalog-prices-'));
      for (const path of [images, join(folder, 'project'), join(folder, 'account')])
        await mkdir(path, { recursive: true });
      service = await startService({ folder: join(folder, 'account'), balanceCents: 4000, latencyMs: 500 });
      account = new AccountFile(join(folder, 'account'));
      gate = await Gate.open(service.base);
      const settings = { 'modelCatalog.limit.perDay': '1.00', 'modelCatalog.confirm.above': '0.10' };
      workbench = await openWorkbench({ version, workspace: join(folder, 'project'), settings });
      await workbench.command('View: Show Model Catalog');
      await connectTo(workbench, { base: gate.base, key: service.key });
      await balance('€40.00').waitFor();
    });
    after(async () => {
      await workbench.close();
      await gate.close();
      account.close();
      await service.stop();
      await removeFolder(folder);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `compare-prices-${name}-${version}.png`));
    const balance = (text: string) => workbench.statusBarItem('modelCatalog.balance').filter({ hasText: text });
    const widget = () => workbench.page.locator('.quick-input-widget');
    const rows = () => widget().locator('.monaco-list-row');
    const title = (text: string) => widget().locator('.quick-input-title').filter({ hasText: text });
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const asked = (request: string) => gate.asked.filter((one) => one === request).length;

    /** Clicks a row, which toggles its selection. */
    const press = (words: string) =>
      rows().filter({ hasText: words }).locator('.monaco-highlighted-label').first().click();

    /** The text of each row with a price, once all prices have arrived. */
    async function priced(): Promise<string[]> {
      await title('Compare Prices').waitFor();
      // Three models take images, so they have no price for a prompt alone.
      await press('more price');
      await rows().filter({ hasText: 'Always Fails' }).waitFor();
      const withPrice = rows().filter({ hasText: '€' });
      await until(async () => (await withPrice.count()) === 11);
      await widget().locator('.monaco-progress-container.done').waitFor({ state: 'attached' });
      return withPrice.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
    }

    async function files(): Promise<string[]> {
      const names = await readdir(join(folder, 'project', 'renders')).catch(() => []);
      return names.filter((name) => name.endsWith('.png'));
    }

    test('a prompt gets the price of every image model, lowest first, and lists no default as not copied', async () => {
      await workbench.command('Model Catalog: Compare Prices…');
      await title('Compare Prices').waitFor();
      await workbench.quickInput.fill('a heron');
      await rows().first().filter({ hasText: 'Compare prices…' }).waitFor();
      await shoot('prompt');
      // Those of the models that the view shows.
      const before = asked('POST /quote');
      await workbench.page.keyboard.press('Enter');
      const labels = await priced();
      await shoot('prices');
      const prices = labels.map((label) => Number(/€(\d+\.\d\d)/.exec(label)?.[1]));
      assert.equal(prices.length, 11);
      assert.deepEqual(
        prices,
        [...prices].sort((a, b) => a - b),
      );
      assert.ok(labels.every((label) => !label.includes('Haiku')));
      assert.ok(
        labels.every((label) => !label.includes('Not copied')),
        'nothing but the prompt was set',
      );
      assert.deepEqual([asked('POST /quote') - before, asked('POST /generations')], [11, 0]);
    });

    test('the selected models show their total, and exceeding a limit is reported before anything is sent', async () => {
      await press('Signal 1 Atelier');
      await press(sprite);
      await title('2 selected · €5.92 · balance after €34.08').waitFor();
      await workbench.acceptList();
      await workbench.notification('exceed the €1.00 limit set in modelCatalog.limit.perDay').waitFor();
      await title('2 selected · €5.92').waitFor();
      await press('Signal 1 Atelier');
      await press(mist);
      await title('2 selected · €0.07 · balance after €39.93').waitFor();
      await shoot('selected');
    });

    test('confirming the total once renders with each model: two files, two charges, one comparison, and no notification', async () => {
      await workbench.acceptList();
      await dialog().getByText('Start 2 renders for €0.07 in total?').waitFor();
      await shoot('question');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await title('2 selected · €0.07').waitFor();
      assert.equal(asked('POST /generations'), 0);
      // The dialog returns the focus with a delay.
      await workbench.quickInput.and(workbench.page.locator(':focus')).waitFor();
      await workbench.acceptList();
      const balances = asked('GET /me');
      await dialog().getByRole('button', { name: 'Render for €0.07' }).click();
      await workbench.page.getByRole('button', { name: /^Rendering with 2 models/ }).waitFor();
      await shoot('progress');
      const page = await workbench.openWebview(/\.png ↔ .*\.png$/);
      await until(() =>
        page
          .locator('img')
          .evaluateAll(
            (images) => images.length === 2 && images.every((image) => (image as HTMLImageElement).naturalWidth > 0),
          ),
      );
      await shoot('compared');
      const names = await files();
      assert.equal(names.length, 2);
      for (const name of names) decode(await readFile(join(folder, 'project', 'renders', name)), { checkCrc: true });
      assert.deepEqual(
        account
          .all()
          .map(({ costCents, charges, refunds }) => [costCents, charges, refunds])
          .sort(),
        [
          [2, 1, 0],
          [5, 1, 0],
        ],
      );
      await balance('€39.93').waitFor();
      assert.equal(await workbench.notification(/Saved/).count(), 0);
      assert.deepEqual((await page.title()).split(' ↔ ').sort(), names.sort());
      assert.equal(asked('POST /generations'), 2);
      assert.ok(asked('GET /me') - balances <= 2, 'the balance is asked for once a render');
    });

    test('a form compares its own inputs, and starts with the models selected last time', async () => {
      const form = await openModelForm(workbench, 'isoworks/blocks/township-2');
      await form.getByRole('textbox', { name: /prompt/i }).fill('a mill by the river');
      await form.getByRole('button', { name: /^Render · €0/ }).waitFor();
      await workbench.page.getByRole('button', { name: 'Compare Prices…' }).click();
      await priced();
      await title('2 selected · €0.07').waitFor();
      await shoot('form');
      await workbench.page.keyboard.press('Escape');
      await widget().waitFor({ state: 'hidden' });
      assert.equal(asked('POST /generations'), 2);
    });

    test('canceling while renders are sent leaves out those not sent yet, and says so', async () => {
      await workbench.page.getByRole('button', { name: 'Compare Prices…' }).click();
      await priced();
      await title('2 selected · €0.07').waitFor();
      const underWay = gate.hold('order');
      await workbench.acceptList();
      await dialog().getByRole('button', { name: 'Render for €0.07' }).click();
      await underWay;
      await workbench.notification('Rendering with 2 models').getByRole('button', { name: 'Cancel' }).click();
      await workbench.notification('1 of 2 renders didn’t start, and nothing was charged for them.').waitFor();
      await shoot('cancelled');
      gate.release();
      // The response was lost, so the same request is repeated, and charged once.
      await until(async () => (await files()).length === 3);
      assert.equal(asked('POST /generations'), 4);
    });

    test('four images of one form have one sum, one question, and one charge each, and the chosen one is kept', async () => {
      const herons = async () => (await files()).filter((name) => name.startsWith('two-herons'));
      const form = await openModelForm(workbench, 'paperlight/strata/strata-2');
      await form.getByRole('textbox', { name: /prompt/i }).fill('two herons');
      await form.getByRole('combobox', { name: /^Number of images/ }).selectOption('4');
      await form.getByRole('button', { name: 'Render 4 · €0.16' }).click();
      await dialog().getByText('Start 4 renders for €0.16 in total?').waitFor();
      await shoot('variants-question');
      await dialog().getByRole('button', { name: 'Render for €0.16' }).click();
      const page = form.locator('.variants');
      await page.getByRole('img').nth(3).waitFor();
      await page.getByText('Charged €0.16').waitFor();
      assert.equal(await workbench.page.getByRole('tab', { name: 'Compare' }).count(), 0);
      await shoot('variants');
      const names = await herons();
      const contents = names.map((name) => readFile(join(folder, 'project', 'renders', name), 'base64'));
      assert.equal(new Set(await Promise.all(contents)).size, 4);
      const charged = account.all().filter(({ costCents }) => costCents === 4);
      assert.deepEqual(
        charged.map(({ charges, refunds }) => [charges, refunds]),
        Array.from({ length: 4 }, () => [1, 0]),
      );
      assert.equal(asked('POST /generations'), 8);
      await page.getByText('Keep', { exact: true }).nth(1).click();
      await page.getByRole('button', { name: 'Keep 1, Trash 3' }).click();
      // The test server has no trash.
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await workbench.notification('Kept 1 of 4 images').waitFor();
      await form.locator('.result .picture').waitFor();
      assert.equal((await herons()).length, 1);
      const rows = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'two herons' });
      await until(async () => (await rows.count()) === 4);
      await shoot('variants-kept');
    });
  });
}
