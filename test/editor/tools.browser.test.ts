import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { writeAgent } from './agentExtension';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const modelId = 'paperlight/strata/strata-2';
const item = (prompt: string) => ({ modelId, inputs: { prompt, size: 'small' }, file: `docs/${prompt}.png` });
const calls: Readonly<Record<string, readonly object[]>> = {
  one: [item('heron')],
  two: [item('otter')],
  three: [item('owl'), item('fox'), item('elk')],
};

for (const version of versions) {
  suite(`An agent that renders, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let parent: string;
    const agent = () => join(parent, 'agent');
    before(async () => {
      await mkdir(images, { recursive: true });
      parent = await mkdtemp(join(tmpdir(), 'model-catalog-agent-'));
      await mkdir(join(parent, 'project'));
      await writeAgent(agent(), calls);
      const settings = {
        'modelCatalog.notifications': 'never',
        'modelCatalog.allowance.others': '0.01',
        'chat.tools.global.autoApprove': true,
      };
      const workspace = join(parent, 'project');
      workbench = await openWorkbench({ version, workspace, settings, beside: [agent()] });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(parent);
    });

    const modal = () => workbench.page.locator('.monaco-dialog-box');

    /** Makes the agent render, and returns a function that awaits the tool's response. */
    async function asks(name: string): Promise<() => Promise<string>> {
      const file = join(agent(), `${name}.txt`);
      await rm(file, { force: true });
      await workbench.command(`Agent: Render ${name}`);
      return async () => {
        await until(async () => readFile(file, 'utf8').then(Boolean, () => false));
        return readFile(file, 'utf8');
      };
    }

    /** Answers like somebody who reads first: an earlier answer doesn't count, and the question is asked again. */
    async function says(button: RegExp): Promise<void> {
      await workbench.page.waitForTimeout(800);
      await modal().getByRole('button', { name: button }).click();
      await modal().waitFor({ state: 'hidden' });
    }

    test('asks a user in the editor’s own modal dialog, with the price, and declining costs nothing', async () => {
      const said = await asks('one');
      await modal().waitFor();
      const text = (await modal().textContent()) ?? '';
      assert.match(text, /Render with .* for €0\.\d\d\?/);
      assert.match(text, /Requested by VS Code Chat\./);
      assert.match(text, /Prompt: heron/);
      assert.match(text, /File: docs\/heron\.png/);
      await workbench.screenshot(join(images, `agent-modal-${version}.png`));
      await modal().getByRole('button', { name: 'Cancel' }).click();
      assert.match(await said(), /^Not rendered, nothing charged: the user declined/);
    });

    test('spends what a click allows, and the Status Bar shows what is left', async () => {
      const said = await asks('one');
      await modal().waitFor();
      await says(/^Allow Up to €2\.00$/);
      assert.match(await said(), /saved · quoted €0\.\d\d · charged €0\.\d\d · file .*heron.*\.png/);
      const left = workbench.statusBarItem('modelCatalog.agents');
      await left.waitFor();
      assert.match((await left.textContent()) ?? '', /Agents: €1\.\d\d left/);
      const two = await asks('two');
      // Outside a chat, the editor itself asks before a tool runs, with the message we gave it.
      await modal().getByText('Agents’ allowance after this: €1.').waitFor();
      await modal().getByRole('button', { name: 'Yes' }).click();
      assert.match(await two(), /saved · .*otter/);
      await workbench.screenshot(join(images, `agent-allowance-${version}.png`));
    });

    test('is asked about again once the user has revoked the allowance', async () => {
      await workbench.statusBarItem('modelCatalog.agents').click();
      // What commands may spend isn't taken back.
      const left =
        /You’ll be asked before every render by an agent\. Commands that agents run can still use the allowance/;
      await workbench.notification(left).waitFor();
      await workbench.statusBarItem('modelCatalog.agents').waitFor({ state: 'hidden' });
      assert.match(await (await asks('two'))(), /rendered before/);
    });

    test('with several renders has them listed, of which a user takes some and confirms the sum', async () => {
      const said = await asks('three');
      const box = workbench.page.locator('.quick-input-widget');
      await box.getByText(/Render for an Agent · 3 of 3 · €0\.\d\d$/).waitFor();
      await workbench.screenshot(join(images, `agent-bill-${version}.png`));
      await box.locator('.monaco-list-row', { hasText: 'docs/fox.png' }).getByRole('checkbox').click();
      await box.getByText(/Render for an Agent · 2 of 3 · €0\.\d\d$/).waitFor();
      // The list ignores an answer that comes immediately, and may close while it is clicked again.
      await until(async () => {
        await box
          .getByRole('button', { name: 'OK' })
          .click({ timeout: 1000 })
          .catch(() => {});
        return box.isHidden();
      });
      await modal().waitFor();
      const question = (await modal().textContent()) ?? '';
      assert.match(question, /Start 2 renders for €0\.\d\d in total\?/);
      assert.match(question, /Requested by VS Code Chat\./);
      assert.match(question, /€0\.\d\d · docs\/owl\.png · owl\s*€0\.\d\d · docs\/elk\.png · elk/);
      await workbench.screenshot(join(images, `agent-sum-${version}.png`));
      await says(/^Render for €0\.\d\d$/);
      const text = await said();
      assert.match(text, /^2 of 3 approved\./);
      assert.match(text, /owl.*\.png/);
      assert.match(text, /the user declined, nothing charged/);
    });
  });
}
