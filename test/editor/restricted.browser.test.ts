import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');
const sprite = 'eight-bit-yard/pixel/sprite-1';
const askForRender = { key: 'ctrl+f9', command: 'modelCatalog.render' };
const request = { modelId: sprite, inputs: { prompt: 'asked by a key' } };

/** The user's own settings: every render is asked about, and the daily limit has room for two. */
const own = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'modelCatalog.confirmAbove': 0,
  'modelCatalog.budget.perDay': 5,
};

const attack = {
  confirmAbove: 100_000,
  unattendedBudget: 100_000,
  'confirmAfter.renders': 0,
  'confirmAfter.cents': 0,
  'budget.perDay': 100_000,
  'budget.perProject': 100_000,
  'output.folder': '../outside',
  'output.fileName': '../outside/${slug}',
};

/** How a project's settings may write the same. */
const writings = {
  dotted: (baseUrl: string) =>
    Object.fromEntries(Object.entries({ ...attack, baseUrl }).map(([id, value]) => [`modelCatalog.${id}`, value])),
  nested: (baseUrl: string) => ({
    modelCatalog: {
      ...attack,
      baseUrl,
      confirmAfter: { renders: 0, cents: 0 },
      budget: { perDay: 100_000, perProject: 100_000 },
      output: { folder: '../outside', fileName: '../outside/${slug}' },
    },
  }),
};

for (const version of versions) {
  suite(`An untrusted project with hostile settings, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let parent: string;
    let attacker: Server;
    const asked: string[] = [];
    before(async () => {
      await mkdir(pictures, { recursive: true });
      parent = await mkdtemp(join(tmpdir(), 'model-catalog-restricted-'));
      for (const folder of ['project', 'project/.vscode', 'outside']) await mkdir(join(parent, folder));
      attacker = createServer((received, response) => {
        asked.push(`${received.method} ${received.url}`);
        response.end('{}');
      }).listen(0, '127.0.0.1');
      await once(attacker, 'listening');
      await writeSettings('dotted');
      const keybindings = [{ ...askForRender, args: request }];
      workbench = await openWorkbench({ version, workspace: join(parent, 'project'), settings: own, keybindings });
    });
    after(async () => {
      await workbench.close();
      attacker.close();
      await removeFolder(parent);
    });

    const address = () => `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
    const writeSettings = (writing: keyof typeof writings) =>
      writeFile(join(parent, 'project', '.vscode', 'settings.json'), JSON.stringify(writings[writing](address())));
    const shoot = (name: string) => workbench.screenshot(join(pictures, `restricted-${name}-${version}.png`));
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const balance = (text: string) => workbench.statusBarItem('modelCatalog.balance').filter({ hasText: text });
    const saved = () => readdir(join(parent, 'project', 'renders')).catch(() => [] as string[]); // The folder doesn't exist before the first one.

    for (const [index, writing] of (['dotted', 'nested'] as const).entries()) {
      const before = 25 - index * 0.02;
      test(`settings that are ${writing} change neither the URL nor the folder nor what is asked`, async () => {
        if (index > 0) {
          await writeSettings(writing);
          await workbench.open();
        }
        await workbench.page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor();
        if (index === 0) {
          const notice = workbench.notification(
            'It’s ignored, because only your user settings decide where your API key is sent.',
          );
          await notice.filter({ hasText: address() }).waitFor();
        }
        await workbench.command('View: Show Model Catalog');
        await balance(`Sandbox €${before.toFixed(2)}`).waitFor();

        // A render that the person didn't start in our UI is asked about, whatever the project allows, with the model's
        // name from the list.
        await workbench.tree('Models').getByRole('treeitem').first().waitFor();
        await workbench.page.keyboard.press('Control+F9');
        await dialog().filter({ hasText: 'Render with Sprite 1 for €0.02?' }).waitFor();
        await shoot(`unattended-${writing}`);
        await dialog().getByRole('button', { name: 'Cancel' }).click();
        await dialog().waitFor({ state: 'detached' });

        const form = await openModelForm(workbench, sprite);
        await form.getByRole('textbox').first().fill(`a boat, ${writing}`);
        await form.getByRole('button', { name: /^Render · €0\.02/, disabled: false }).click();
        await dialog().filter({ hasText: 'for €0.02?' }).waitFor();
        await dialog().getByRole('button', { name: 'Render for €0.02' }).click();
        await until(async () => (await saved()).filter((name) => name.endsWith('.png')).length === index + 1);
        assert.deepEqual(await readdir(join(parent, 'outside')), []);
        await balance(`Sandbox €${(before - 0.02).toFixed(2)}`).waitFor();
        await shoot(`saved-${writing}`);
      });
    }

    test('settings can’t raise the daily limit: the third render is rejected, and nothing is sent', async () => {
      const form = await workbench.webviewFrame('sprite-1');
      await form.getByRole('textbox').first().fill('a boat too many');
      await form.getByRole('button', { name: /^Render · €0\.02/, disabled: false }).click();
      await form.getByText('exceed the €0.05 limit').first().waitFor();
      assert.equal((await saved()).length, 2);
      await balance('Sandbox €24.96').waitFor();
      await shoot('limit');
    });

    test('no request went to the URL in the project’s settings', () => assert.deepEqual(asked, []));

    test('even in a trusted project, its file names lead nowhere else, and the person sees why', async () => {
      await writeSettings('dotted');
      await workbench.open();
      await workbench.page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor();
      await workbench.command('Workspaces: Manage Workspace Trust');
      await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
      await workbench.page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor({ state: 'detached' });
      await workbench.page.keyboard.press('Control+F9');
      await workbench.notification('The file name “../outside/${slug}” can’t contain “/”').waitFor();
      await shoot('trusted');
      assert.deepEqual(await readdir(join(parent, 'outside')), []);
      assert.equal((await saved()).length, 2);
      assert.deepEqual(asked, []);
    });
  });
}
