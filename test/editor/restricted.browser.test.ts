import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { encode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { canaryKey } from '../canary';
import { openAt, openFile } from './choose';
import { connectTo } from './connectTo';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
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
  'confirm.above': '1000',
  'confirm.afterTotal': '0',
  'allowance.agents': '1000',
  'allowance.others': '1000',
  'limit.perDay': '1000',
  'limit.perProject': '1000',
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
    Object.fromEntries(
      Object.entries({ ...attack, baseUrl, serviceUrl: baseUrl }).map(([id, value]) => [`modelCatalog.${id}`, value]),
    ),
  nested: (baseUrl: string) => ({
    modelCatalog: {
      ...attack,
      baseUrl,
      serviceUrl: baseUrl,
      confirm: { above: '1000', afterTotal: '0' },
      allowance: { agents: '1000', others: '1000' },
      limit: { perDay: '1000', perProject: '1000' },
      confirmAfter: { renders: 0, cents: 0 },
      budget: { perDay: 100_000, perProject: 100_000 },
      output: { folder: '../outside', fileName: '../outside/${slug}' },
    },
  }),
};

for (const version of ['latest'] as const) {
  for (const writing of ['dotted', 'nested'] as const)
    suite(
      `A connected machine whose settings are hostile and ${writing}, in VS Code ${releases[version].vscode}`,
      () => {
        let workbench: Workbench;
        let attacker: Server;
        const asked: string[] = [];
        before(async () => {
          attacker = createServer((received, response) => {
            asked.push(`${received.method} ${received.url}`);
            response.end('{}');
          }).listen(0, '127.0.0.1');
          await once(attacker, 'listening');
          const address = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
          const machineSettings = { ...writings[writing](address), http: { proxy: address }, 'http.proxy': address };
          const keybindings = [{ ...askForRender, args: request }];
          workbench = await openWorkbench({ version, settings: own, keybindings, machineSettings });
        });
        after(async () => {
          await workbench.close();
          attacker.close();
        });

        test('a command is asked about each time, costs nothing when declined, and nothing reaches their address', async () => {
          await workbench.command('View: Show Model Catalog');
          const balance = workbench.statusBarItem('modelCatalog.balance').filter({ hasText: 'Sandbox €25.00' });
          await balance.waitFor();
          await workbench.tree('Models').getByRole('treeitem').first().waitFor();
          const dialog = workbench.page.locator('.monaco-dialog-box');
          for (const decline of ['Escape', 'Escape']) {
            await workbench.page.keyboard.press('Control+F9');
            await dialog.filter({ hasText: 'Render with Sprite 1 for €0.02?' }).waitFor();
            await workbench.page.keyboard.press(decline);
            await dialog.waitFor({ state: 'detached' });
          }
          // After two noes in a row, it isn't even asked.
          await workbench.page.keyboard.press('Control+F9');
          await workbench.notification('Commands can’t ask you to render for a minute.').waitFor();
          await balance.waitFor();
          assert.deepEqual(asked, []);
        });
      },
    );

  suite(`An untrusted project with hostile settings, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let parent: string;
    let attacker: Server;
    const asked: string[] = [];
    before(async () => {
      await mkdir(images, { recursive: true });
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
    const shoot = (name: string) => workbench.screenshot(join(images, `restricted-${name}-${version}.png`));
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

        // A render that the user didn't start in our UI is asked about, whatever the project allows, with the model's
        // name from the list.
        await workbench.tree('Models').getByRole('treeitem').first().waitFor();
        await workbench.page.keyboard.press('Control+F9');
        await dialog().filter({ hasText: 'Render with Sprite 1 for €0.02?' }).waitFor();
        await shoot(`unattended-${writing}`);
        await dialog().getByRole('button', { name: 'Cancel' }).click();
        await dialog().waitFor({ state: 'detached' });

        const form = await openModelForm(workbench, sprite);
        await form
          .getByText('In Restricted Mode, this project’s settings for folders and names aren’t used.')
          .waitFor();
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

    test('even in a trusted project, its file names lead nowhere else, and the user sees why', async () => {
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

const secretImage = Buffer.from(
  encode({ width: 40, height: 40, data: new Uint8Array(6400).map((_, at) => (at * 7) % 251) }),
);
const modelId = 'acme/image/brush-1';
const knownModel = {
  ...{ id: modelId, name: 'Brush 1', type: 'image' },
  fields: [
    { name: 'prompt', type: 'text', required: true },
    { name: 'start', type: 'image' },
  ],
};

/** A stranger's folder: words, a secret image, and the URL of something that only this computer reaches. */
const strangersFolder: Readonly<Record<string, string | Buffer>> = {
  '.vscode/settings.json': JSON.stringify({ 'modelCatalog.defaultModel': 'stranger/words/in-settings' }),
  'notes.md': `${['fox', 'cat', 'owl'].map((name) => `![The stranger’s words about a ${name}](img/${name}.png)`).join('\n\n')}\n`,
  'secret.png': secretImage,
  'renders.jsonc': JSON.stringify(
    {
      model: modelId,
      renders: [
        { file: 'a.png', inputs: { prompt: 'The stranger’s words about a harbor' } },
        { file: 'b.png', inputs: { prompt: 'The stranger’s words about a secret', start: 'secret.png' } },
        {
          file: 'c.png',
          inputs: { prompt: 'The stranger’s words about a URL', start: 'http://169.254.169.254/stranger' },
        },
        { file: 'd.png', model: 'stranger/words/as-model', inputs: { prompt: 'The stranger’s words' } },
        ...Array.from({ length: 40 }, (_, at) => ({
          file: `below-${at}.png`,
          inputs: { prompt: `The stranger’s words, line ${at}` },
        })),
      ],
    },
    undefined,
    2,
  ),
};

for (const version of ['latest'] as const) {
  suite(`A stranger’s files, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let folder: string;
    let service: Server;
    /** Everything that reached the service: method, URL, headers, and body. */
    const heard: string[] = [];
    before(async () => {
      await mkdir(images, { recursive: true });
      folder = await mkdtemp(join(tmpdir(), 'model-catalog-stranger-'));
      await mkdir(join(folder, '.vscode'));
      for (const [name, content] of Object.entries(strangersFolder)) await writeFile(join(folder, name), content);
      service = createServer((request, response) => {
        void answer(request).then((body) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        );
      }).listen(0, '127.0.0.1');
      await once(service, 'listening');
      const settings = { ...own, 'modelCatalog.defaultModel': modelId };
      workbench = await openWorkbench({ version, workspace: folder, settings });
      await workbench.page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor();
      const { port } = service.address() as AddressInfo;
      await connectTo(workbench, { base: `http://127.0.0.1:${port}`, key: canaryKey });
      await workbench.command('View: Show Model Catalog');
      await workbench.tree('Models').getByRole('treeitem').first().waitFor();
    });
    after(async () => {
      await workbench.close();
      service.close();
      await removeFolder(folder);
    });

    async function answer(request: IncomingMessage): Promise<unknown> {
      const { method, url = '', rawHeaders } = request;
      heard.push([method, decodeURIComponent(url), ...rawHeaders, await text(request)].join(' '));
      if (url.endsWith('/me')) return { balanceCents: 4321 };
      if (url.endsWith('/models')) return { models: [knownModel] };
      if (url.includes('/models/detail')) return knownModel;
      return url.endsWith('/quote') ? { costCents: 4 } : { generations: [] };
    }
    const lens = (text: string | RegExp) =>
      workbench.page.locator('.codelens-decoration a:visible').filter({ hasText: text }).first();
    const requests = () =>
      heard.map((one) =>
        one
          .split(' ')
          .slice(0, 2)
          .join(' ')
          .replace(/ .*\/catalog/, ' '),
      );

    /** Looks at the files as a user does: lenses, hovers, Quick Fixes, completions, and the views. */
    async function lookAtAll(): Promise<void> {
      await openAt(workbench, 'notes.md', 1, 5);
      await lens('Render image from alt text…').waitFor();
      await workbench.page.keyboard.press('Control+.');
      await workbench.page.locator('.action-widget').getByText('Add to render file').waitFor();
      await workbench.page.keyboard.press('Escape');
      await openFile(workbench, 'renders.jsonc');
      await lens('Render…').waitFor();
      await workbench.page.locator('.view-line').getByText('b.png').first().hover();
      await workbench.page.locator('.monaco-hover:visible').getByText('b.png').first().waitFor();
      await workbench.page.keyboard.press('Control+End');
      await lens('Render…').waitFor();
      await workbench.command('Model Catalog: Focus on Render Files View');
      await workbench.tree('Render Files').getByRole('treeitem').first().waitFor();
    }

    test('in Restricted Mode, nothing reaches the service by looking at them, or by selecting what they offer', async () => {
      const before = heard.length;
      await lookAtAll();
      await openFile(workbench, 'notes.md');
      await lens('Render image from alt text…').click();
      const notice = workbench.notification('In Restricted Mode, nothing is sent from the workspace.');
      await notice.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
      await workbench.screenshot(join(images, `restricted-stranger-${version}.png`));
      assert.deepEqual(heard.slice(before), []);
      assert.doesNotMatch(heard.join('\n'), /stranger/i);
    });

    test('once they’re trusted, their prompts are priced, and still no image and no URL of one is sent', async () => {
      await workbench
        .notification('In Restricted Mode')
        .getByRole('button', { name: 'Manage Workspace Trust' })
        .click();
      await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
      await workbench.page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor({ state: 'detached' });
      await openFile(workbench, 'renders.jsonc');
      await workbench.page.keyboard.press('Control+Home');
      await lens('Render… · €0.04').waitFor();
      await until(() => Promise.resolve(requests().includes('POST /quote')));
      await workbench.page.locator('.view-line').getByText('b.png').first().hover();
      await workbench.page.locator('.monaco-hover:visible').getByText('b.png').first().waitFor();
      const all = heard.join('\n');
      assert.match(all, /about a harbor/);
      assert.doesNotMatch(all, /about a (secret|URL)|169\.254|data:image/);
      assert.ok(!all.includes(secretImage.toString('base64').slice(20, 80)));
    });
  });
}
