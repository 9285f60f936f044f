import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { canaryKey } from '../canary';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { startScriptedService, type ScriptedService } from './host/scriptedService';
import { chooseFromMenu } from './choose';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const listed = [
  { id: 'acme/paint/harbour', name: 'Harbour', description: 'Ships and piers', type: 'image' },
  { id: 'acme/paint/meadow', name: 'Meadow', description: 'Grass and sky', type: 'image' },
];

for (const version of ['latest'] as const) {
  suite(`Models and account in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: ScriptedService;
    before(async () => {
      await mkdir(images, { recursive: true });
      const fields = [
        { name: 'prompt', type: 'text', label: 'What to paint', required: true },
        { name: 'image_urls', type: 'array', items: { type: 'string', format: 'uri' }, label: 'References' },
      ];
      const details = [{ id: 'acme/paint/secret', type: 'image', fields }];
      const script = { key: canaryKey, balanceCents: 4321, models: JSON.stringify(listed), details };
      [workbench, service] = await Promise.all([
        openWorkbench({ version, size: { width: 1280, height: 1500 } }),
        startScriptedService(script),
      ]);
      await showModels();
    });
    after(async () => {
      await workbench.close();
      await service.stop();
    });

    async function showModels(): Promise<void> {
      await workbench.command('View: Show Model Catalog');
      await rows().first().waitFor();
    }

    function rows(name?: string | RegExp): Locator {
      return workbench.tree('Models').getByRole('treeitem', name === undefined ? undefined : { name });
    }

    async function image(name: string): Promise<void> {
      await workbench.screenshot(join(images, `models-${name}-${version}.png`));
    }

    /** The lines of a connection check's page, once one has the conclusion. */
    async function checked(conclusion: string): Promise<string> {
      const page = workbench.page.locator('.editor-instance .view-lines');
      await page.filter({ hasText: conclusion }).waitFor();
      return (await page.innerText()).replaceAll('\u00a0', ' ');
    }

    test('a starred model moves to the top, and stays there when the window is reloaded', async () => {
      const row = rows(/^Strata 2/).first();
      await row.hover();
      await row.getByRole('button', { name: 'Add to Favorites' }).click();
      await rows('Favorites').waitFor();
      await image('favourite');
      await workbench.reload();
      await rows('Favorites').waitFor();
      await rows(/^Strata 2.*favorite/)
        .nth(1)
        .waitFor();
    });

    test('a model that is seen shows its price, before anybody opens it', async () => {
      await rows(/^Metropolis 40, image model, (0\.\d\d euros?|\d+ cents?)/).waitFor();
      await rows(/^Strata 2.*, image model, (0\.\d\d euros?|\d+ cents?)/)
        .first()
        .waitFor();
      await image('priced');
    });

    test('a model’s tooltip says what it makes and costs, and has its ID last', async () => {
      await rows(/^Metropolis 40/).hover();
      const tooltip = workbench.page.locator('.monaco-hover').filter({ hasText: 'isoworks/blocks/metropolis-40' });
      await tooltip.getByText(/€0\.\d\d\swith\sdefault\sinputs/).waitFor();
      const lines = (await tooltip.innerText()).replaceAll(/[\u00a0\u200b]/g, ' ').split(/\n+/);
      assert.deepEqual(
        lines.map((line) => line.replace(/€0\.\d\d/, '€').trim()).filter((line) => line !== ''),
        [
          'Metropolis 40',
          'Worlds of blocks, with forty fields to set each thing in them.',
          'image model · € with default inputs',
          'Open Model Form · Quick Render',
          'isoworks/blocks/metropolis-40',
        ],
      );
      await image('tooltip');
    });

    test('a tooltip leads to a quick render with its model, whose price is then on its row', async () => {
      await workbench.page.locator('.monaco-hover').getByRole('link', { name: 'Quick Render' }).click();
      const box = workbench.page.locator('.quick-input-widget');
      await workbench.quickInput.fill('a harbor');
      await box.getByText('Metropolis 40').first().waitFor();
      await box
        .getByText(/€0\.\d\d/)
        .first()
        .waitFor();
      await workbench.page.keyboard.press('Escape');
      const row = rows(/^Metropolis 40, image model, 0\.\d\d euros?|^Metropolis 40, image model, \d+ cents?/);
      await row.locator('.label-description', { hasText: /^€0\.\d\d · Worlds of blocks/ }).waitFor();
      await row.hover();
      const tooltip = workbench.page.locator('.monaco-hover').filter({ hasText: 'isoworks/blocks/metropolis-40' });
      await tooltip.getByText(/with\sdefault\sinputs/).waitFor();
      await image('priced');
      await workbench.page.mouse.move(0, 0);
    });

    test('a model’s tooltip says how many images it needs', async () => {
      await rows(/^Double Exposure 1/).hover();
      const tooltip = workbench.page.locator('.monaco-hover').filter({ hasText: 'Double Exposure 1' });
      await tooltip.getByText(/needs\s2\simages/).waitFor();
      await image('tooltip-images');
      await workbench.page.mouse.move(0, 0);
    });

    test('opening a model with a click leaves every row in place', async () => {
      const row = rows(/^Haiku 1/).first();
      const before = await row.boundingBox();
      await row.click();
      await workbench.page.getByRole('tab', { name: 'Haiku 1' }).waitFor();
      assert.equal(await rows('Recently Used').count(), 0);
      assert.deepEqual(await row.boundingBox(), before);
      await image('opened');
    });

    test('the search shows favorites first, and matches the beginnings of words', async () => {
      await workbench.command('Model Catalog: Open Model Form…');
      const list = workbench.page.locator('.quick-input-list');
      await list.locator('.quick-input-list-separator:visible', { hasText: 'favorites' }).waitFor();
      await image('search');
      await workbench.page.getByPlaceholder('Search by name').fill('str');
      await list
        .locator('.monaco-list-row')
        .first()
        .filter({ hasText: /^Strata 2/ })
        .waitFor();
      await image('search-words');
      await workbench.page.getByPlaceholder('Search by name').fill('metropolis');
      await list
        .getByText(/^€0\.\d\d$/)
        .first()
        .waitFor();
      await workbench.page.getByPlaceholder('Search by name').fill('blocks/metr');
      await list.getByText(/^€0\.\d\d · isoworks\/blocks\/metropolis-40$/).waitFor();
      await workbench.page.keyboard.press('Escape');
    });

    test('the menu of a model leads to its form, a quick render, and prices of others', async () => {
      const row = rows(/^Metropolis 40/).first();
      const box = workbench.page.locator('.quick-input-widget');
      await row.click({ button: 'right' });
      await workbench.page.getByRole('menuitem', { name: 'Copy Model ID' }).waitFor();
      await image('menu');
      await workbench.page.keyboard.press('Escape');
      for (const [name, title] of [
        ['Quick Render…', 'Quick Render'],
        ['Compare Prices…', 'Compare Prices'],
      ] as const) {
        await chooseFromMenu(workbench, row, name);
        await box.locator('.quick-input-title', { hasText: title }).waitFor();
        await box.getByText('Metropolis 40').first().waitFor();
        await workbench.page.keyboard.press('Escape');
      }
      await chooseFromMenu(workbench, row, 'Open Model Form…');
      await workbench.page.getByRole('tab', { name: 'Metropolis 40' }).waitFor();
    });

    test('removing the last star removes the group', async () => {
      const row = rows(/^Strata 2/).first();
      await row.hover();
      await row.getByRole('button', { name: 'Remove from Favorites' }).click();
      await rows('Favorites').waitFor({ state: 'detached' });
    });

    test('the check of the sandbox passes at every step', async () => {
      await workbench.command('Model Catalog: Check Connection');
      const page = await checked('Everything works');
      assert.equal(page.match(/✓/g)?.length, 6, page);
      assert.match(page, /balance €\d/);
      await image('check-passed');
    });

    test('the account menu shows the state of the account', async () => {
      await workbench.statusBarItem('modelCatalog.balance').click();
      const list = workbench.page.locator('.quick-input-list');
      for (const words of [/^Balance: €\d/, /^Spent today: €0\.00/, /^Spent in this workspace: €0\.00/, /^No renders/])
        await list.getByText(words).first().waitFor();
      await list.getByText('Check Connection').waitFor();
      await image('account');
      await workbench.page.keyboard.press('Escape');
    });

    test('the first render of a model leaves every row in place until the view is shown again', async () => {
      const row = rows(/^Haiku 1/).first();
      await row.click();
      const before = await row.boundingBox();
      const form = await workbench.webviewFrame('haiku-1');
      await form.getByLabel('Subject').fill('the sea at night');
      await form.getByRole('button', { name: /^Render · / }).click();
      await workbench
        .tree('Generations')
        .getByRole('treeitem', { name: /^the sea at night, saved/i })
        .waitFor();
      assert.equal(await rows('Recently Used').count(), 0);
      assert.deepEqual(await row.boundingBox(), before);
      await workbench.command('View: Show Explorer');
      await showModels();
      await rows('Recently Used').waitFor();
    });

    test('the check of a service that isn’t understood shows its responses to its operator', async () => {
      await connectTo(workbench, { base: service.base, key: canaryKey });
      await rows(/^Harbour/).waitFor();
      service.script.models = JSON.stringify({ things: 7, quoted: `Bearer ${canaryKey}` });
      await workbench.command('Model Catalog: Check Connection');
      const page = await checked('Failed at');
      assert.match(page, /Request: GET \/api\/v1\/api\/catalog\/models/);
      assert.match(page, /Response: HTTP 200, content type application\/json/);
      assert.match(page, /Response body .*\{"things":7,"quoted":"Bearer ai_live_…/);
      assert.match(page, /Expected by the specification: GET \| \/models \|.*JSON list of models/);
      await image('check-report');
      await workbench.page.locator('.notification-toast').getByRole('button', { name: 'Copy Report' }).click();
      let copied = '';
      await until(async () => {
        copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
        return copied.includes('JSON list of models');
      });
      assert.ok(!copied.includes(canaryKey), copied);
      // Otherwise the next check would find this one's page.
      await workbench.command('View: Close Editor');
      service.script.models = JSON.stringify(listed);
      await workbench.command('Model Catalog: Refresh Models and Renders');
    });

    test('an unlisted model is opened by its identifier', async () => {
      await workbench.command('Model Catalog: Open Model Form…');
      await workbench.page.getByPlaceholder('Search by name').fill('acme/paint/secret');
      const row = workbench.page.locator('.quick-input-list .monaco-list-row').first();
      await row.filter({ hasText: /acme\/paint\/secret.*not in the list/ }).waitFor();
      await image('typed');
      await workbench.page.keyboard.press('Enter');
      const form = await workbench.webviewFrame('secret');
      await form.getByLabel('What to paint').waitFor();
      await workbench.command('View: Close Editor');
    });

    test('several images are given by their URLs, and a path among them is refused before a price is asked', async () => {
      const form = await openModelForm(workbench, 'acme/paint/secret');
      await form.getByLabel('What to paint').fill('a harbor');
      const references = form.getByRole('textbox', { name: 'References' });
      await references.fill('https://images.example/a.png photos/b.png');
      await references.blur();
      await form.getByText('Choose an image, or enter a URL that starts with https://.').waitFor();
      await form.getByText('Fix first: References').waitFor();
      await image('list-of-images');
      await form.getByRole('button', { name: 'Remove image 2' }).click();
      await references.fill('https://images.example/b.png');
      await form.getByText('Fix first: References').waitFor({ state: 'detached' });
      await workbench.command('View: Close Editor');
    });

    test('the earlier list of a service that names a limit is shown with its age, and nothing says that it’s offline', async () => {
      service.script.refuse = (_, path) =>
        path.endsWith('/models') ? { status: 409, json: { code: 'API_KEY_DAILY_CAP' } } : undefined;
      await workbench.command('Model Catalog: Refresh Models and Renders');
      const message = workbench.page.getByText(/^The service isn’t returning its list right now. This one is from \d/);
      await message.waitFor();
      await rows(/^Harbour/).waitFor();
      assert.equal(await workbench.page.getByText(/^Offline/).count(), 0);
      await image('limited');
      service.script.refuse = undefined;
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await message.waitFor({ state: 'detached' });
      await rows(/^Harbour/).waitFor();
    });

    test('the list of a service that is gone is read from disk and shown with its age', async () => {
      await rows(/^Harbour/).waitFor();
      await service.stop();
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await workbench.page.getByText(/^Offline. The list is from \d/).waitFor();
      await rows(/^Harbour/).waitFor();
      await image('offline');
    });

    test('a form that is opened offline says what is wrong', async () => {
      await rows(/^Harbour/).click();
      const form = await workbench.webviewFrame('harbour');
      await form.getByText('Nothing responds at this URL').first().waitFor();
      await image('offline-form');
    });

    test('the check stops where nothing responds, and says what to do', async () => {
      await workbench.command('Model Catalog: Check Connection');
      const page = await checked('Failed at “Connection”');
      assert.match(page, /✓ +URL/);
      assert.match(page, /✗ +Connection/);
      assert.match(page, /· +API key: not checked/);
      assert.match(page, /Check the port/);
      assert.match(page, /No proxy is used\. .*PAC files aren’t read\./s);
      assert.ok(!page.includes('ai_live_'), page);
      await image('check-stopped');
    });

    test('the account menu says that the service isn’t responding, with the next step', async () => {
      await workbench.statusBarItem('modelCatalog.balance').click();
      const list = workbench.page.locator('.quick-input-list');
      await list.getByText('Offline: Check Connection').waitFor();
      await list.getByText('Switch to Sandbox').waitFor();
      await image('account-offline');
      await workbench.page.keyboard.press('Escape');
    });
  });
}
