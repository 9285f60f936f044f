import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { versions } from '../extent';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const earlier = {
  'modelCatalog.confirmAbove': 75,
  'modelCatalog.budget.perDay': 2000,
  'modelCatalog.provenancePrompt': false,
};

for (const version of versions)
  suite(`Settings with earlier names, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    const file = () => join(workbench.profile.userData, 'User', 'settings.json');
    const ours = async () =>
      Object.fromEntries(
        Object.entries(JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>).filter(([id]) =>
          id.startsWith('modelCatalog.'),
        ),
      );
    const told = () => workbench.notification('Settings have new names, and amounts are in euros.');

    before(async () => {
      await mkdir(images, { recursive: true });
      // Newer editors would show settings above everything else, and fewer of them.
      const settings = { ...earlier, 'workbench.editor.useModal': 'off' };
      workbench = await openWorkbench({ version, settings, size: { width: 1280, height: 1600 } });
    });
    after(() => workbench.close());

    test('are carried over at the first start, and the user is told each with its value', async () => {
      await told().waitFor();
      const text = (await told().textContent()) ?? '';
      for (const one of ['confirm.above: 0.75', 'limit.perDay: 20.00', 'metadata: embedWithoutPrompt'])
        assert.ok(text.includes(`modelCatalog.${one}`), text);
      await workbench.screenshot(join(images, `settings-told-${version}.png`));
      assert.deepEqual(await ours(), {
        'modelCatalog.metadata': 'embedWithoutPrompt',
        'modelCatalog.confirm.above': '0.75',
        'modelCatalog.limit.perDay': '20.00',
      });
    });

    test('the settings editor offers 14, and accepts an amount with a comma', async () => {
      await workbench.command('Model Catalog: Open Settings');
      const amount = workbench.page.getByRole('textbox', { name: 'modelCatalog.confirm.above' });
      // The editor may put back what was there as it draws the list again.
      await until(async () => {
        await amount.fill('0.505');
        return workbench.page.getByText('Enter an amount in euros, such as 0.50.').first().isVisible();
      });
      // The editor may put back what was there as it draws the list again.
      await until(async () => {
        for (const typed of ['', '1,25']) await amount.fill(typed);
        await workbench.page.waitForTimeout(1000);
        return (await ours())['modelCatalog.confirm.above'] === '1,25';
      });
      await workbench.screenshot(join(images, `settings-${version}.png`));
      const contents = await workbench.page.locator('.settings-toc-container').textContent();
      assert.match(contents ?? '', /Model Catalog\s*\(14\)/);
    });

    test('are never touched again', async () => {
      const before = await ours();
      await workbench.reload();
      await workbench.command('Model Catalog: Show Spending');
      await workbench.page.waitForTimeout(1000);
      assert.equal(await told().count(), 0);
      assert.deepEqual(await ours(), before);
    });

    test('stay and count while the file has errors', async () => {
      const broken = '{ "modelCatalog.agentAllowance": 7, "modelCatalog.limit.perDay": "20.00" "editor.fontSize": 13 }';
      await writeFile(file(), broken);
      await workbench.reload();
      await workbench.command('Model Catalog: Show Spending');
      await workbench.page.waitForTimeout(1000);
      assert.equal(await told().count(), 0);
      assert.equal(await readFile(file(), 'utf8'), broken);
    });
  });
