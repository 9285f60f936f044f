import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { canaryKey } from '../canary';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { startScriptedService, type ScriptedService } from './host/scriptedService';
import { openModelForm } from './modelForm';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');
const listed = [
  { id: 'acme/paint/harbour', name: 'Harbour', description: 'Ships and piers', type: 'image' },
  { id: 'acme/paint/meadow', name: 'Meadow', description: 'Grass and sky', type: 'image' },
];

for (const version of ['min', 'latest'] as const) {
  suite(`Models and account in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: ScriptedService;
    before(async () => {
      await mkdir(pictures, { recursive: true });
      const script = { key: canaryKey, balanceCents: 4321, models: JSON.stringify(listed) };
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

    async function picture(name: string): Promise<void> {
      await workbench.screenshot(join(pictures, `models-${name}-${version}.png`));
    }

    /** The lines of the page a connection check came to, once one says so. */
    async function checked(conclusion: string): Promise<string> {
      const page = workbench.page.locator('.editor-instance .view-lines');
      await page.filter({ hasText: conclusion }).waitFor();
      return (await page.innerText()).replaceAll('\u00a0', ' ');
    }

    test('a star puts a model on top, where it stays when the window is loaded again', async () => {
      const row = rows(/^Strata 2/).first();
      await row.hover();
      await row.getByRole('button', { name: 'Add to Favorites' }).click();
      await rows('Favorites').waitFor();
      await picture('favourite');
      await workbench.reload();
      await rows('Favorites').waitFor();
      await rows(/^Strata 2.*favorite/)
        .nth(1)
        .waitFor();
    });

    test('the tooltip of a model tells what its fields take', async () => {
      await rows(/^Metropolis 40/).hover();
      const tooltip = workbench.page.locator('.monaco-hover').filter({ hasText: 'isoworks/blocks/metropolis-40' });
      await tooltip.getByText(/required\s·\stext/).waitFor();
      await tooltip
        .getByText(/default\s/)
        .first()
        .waitFor();
      await picture('tooltip');
    });

    test('a model that was opened stands among those used last', async () => {
      await openModelForm(workbench, 'paperlight/strata/strata-2');
      await rows('Recently Used').waitFor();
      await rows(/^Strata 2/)
        .nth(2)
        .waitFor();
      await picture('recent');
    });

    test('the search shows favourites first, and finds by the beginnings of words', async () => {
      await workbench.command('Model Catalog: Open Model…');
      const list = workbench.page.locator('.quick-input-list');
      await list.locator('.quick-input-list-separator:visible', { hasText: 'favorites' }).waitFor();
      await picture('search');
      await workbench.page.getByPlaceholder('Search by title').fill('str');
      await list
        .locator('.monaco-list-row')
        .first()
        .filter({ hasText: /strata-2/ })
        .waitFor();
      await picture('search-words');
      await workbench.page.keyboard.press('Escape');
    });

    test('a star that is taken away takes the group with it', async () => {
      const row = rows(/^Strata 2/).first();
      await row.hover();
      await row.getByRole('button', { name: 'Remove from Favorites' }).click();
      await rows('Favorites').waitFor({ state: 'detached' });
    });

    test('the check of the sandbox passes at every step', async () => {
      await workbench.command('Model Catalog: Check Connection');
      const page = await checked('Everything answers as it should');
      assert.equal(page.match(/✓/g)?.length, 6, page);
      assert.match(page, /balance €\d/);
      await picture('check-passed');
    });

    test('the account menu tells how the account stands', async () => {
      await workbench.statusBarItem('modelCatalog.balance').click();
      const list = workbench.page.locator('.quick-input-list');
      for (const words of [/^Balance: €\d/, /^Spent today: €0\.00/, /^Spent on this project: €0\.00/, /^No renders/])
        await list.getByText(words).first().waitFor();
      await list.getByText('Check Connection').waitFor();
      await picture('account');
      await workbench.page.keyboard.press('Escape');
    });

    test('the list of a service that is gone is read from the disk and shown with its age', async () => {
      await connectTo(workbench, { base: service.base, key: canaryKey });
      await rows(/^Harbour/).waitFor();
      await service.stop();
      await workbench.command('Model Catalog: Refresh Models');
      await workbench.page.getByText(/^Offline: the list is from \d/).waitFor();
      await rows(/^Harbour/).waitFor();
      await picture('offline');
    });

    test('a form that is opened offline says what is wrong', async () => {
      await rows(/^Harbour/).click();
      const form = await workbench.webviewFrame('harbour');
      await form.getByText('Nothing answers at this address').first().waitFor();
      await picture('offline-form');
    });

    test('the check stops where nothing answers, and says what to do', async () => {
      await workbench.command('Model Catalog: Check Connection');
      const page = await checked('Stopped at');
      assert.match(page, /✓ +Address/);
      assert.match(page, /✗ +Connection/);
      assert.match(page, /· +API key: not reached/);
      assert.match(page, /Check the port/);
      assert.ok(!page.includes('ai_live_'), page);
      await picture('check-stopped');
    });

    test('the account menu says that the service does not answer, with the next step', async () => {
      await workbench.statusBarItem('modelCatalog.balance').click();
      const list = workbench.page.locator('.quick-input-list');
      await list.getByText('Offline: check the connection…').waitFor();
      await list.getByText('Use the Sandbox').waitFor();
      await picture('account-offline');
      await workbench.page.keyboard.press('Escape');
    });
  });
}
