import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { root } from './root';
import { chat, chatSettings, openChat, say, writeScriptedModel, type ToolOutcome } from './scriptedChat';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const items = (prompt: string) => ({
  items: [{ modelId: 'paperlight/strata/strata-2', inputs: { prompt, size: 'small' }, file: `${prompt}.png` }],
});
const birds = ['heron', 'otter', 'owl', 'finch', 'crane'];

// Only the newest editor has a chat without an account.
suite('The editor’s own chat, with a model that calls our tool', () => {
  let workbench: Workbench;
  let parent: string;
  let model: string;
  let project: string;
  before(async () => {
    await mkdir(images, { recursive: true });
    parent = await mkdtemp(join(tmpdir(), 'model-catalog-chat-'));
    [model, project] = [join(parent, 'model'), join(parent, 'project')];
    await mkdir(project);
    await writeScriptedModel(model, Object.fromEntries(birds.map((bird) => [bird, items(bird)])));
    const settings = { 'modelCatalog.notifications': 'never', ...chatSettings };
    workbench = await openWorkbench({ version: 'latest', workspace: project, settings, beside: [model] });
    await openChat(workbench);
  });
  after(async () => {
    await workbench.close();
    await removeFolder(parent);
  });

  const modal = () => workbench.page.locator('.monaco-dialog-box');
  const balance = async () => (await workbench.statusBarItem('modelCatalog.balance').textContent()) ?? '';

  /** What the model got back, once it has. */
  async function outcome(bird: string): Promise<ToolOutcome> {
    const file = join(model, `${bird}.json`);
    await until(async () => readFile(file, 'utf8').then(Boolean, () => false));
    await chat(workbench).getByText(`Done with ${bird}.`).waitFor();
    return JSON.parse(await readFile(file, 'utf8')) as ToolOutcome;
  }

  /** Answers like somebody who reads first: an earlier answer doesn't count, and the question is asked again. */
  async function answer(button: string): Promise<void> {
    await modal().waitFor();
    await workbench.page.waitForTimeout(800);
    await modal().getByRole('button', { name: button, exact: true }).click();
    await modal().waitFor({ state: 'hidden' });
  }

  test('gets a no in our own question as a result in words, and nothing is charged', async () => {
    await say(workbench, 'heron');
    await modal().getByText('Render with').waitFor();
    await workbench.screenshot(join(images, 'chat-question.png'));
    await answer('Cancel');
    assert.match((await outcome('heron')).text, /^Not rendered, nothing charged: the user declined/);
    assert.match(await balance(), /€25\.00/);
  });

  test('gets the file and the image once a user has allowed an amount', async () => {
    await say(workbench, 'otter');
    await answer('Allow Up to €2.00');
    const { text, images } = await outcome('otter');
    assert.match(text, /saved · quoted €0\.02 · charged €0\.02 · file .*otter\.png/);
    assert.deepEqual(images, ['image/png']);
    assert.ok((await readFile(join(project, 'otter.png'))).length > 1_000);
    assert.match(await balance(), /€24\.98/);
  });

  test('within the allowance, asks inline with price, prompt, file, and what is left', async () => {
    await say(workbench, 'owl');
    const approval = chat(workbench).locator('.chat-tool-confirmation-carousel');
    await approval.getByText('Agents’ allowance after this').waitFor();
    await workbench.screenshot(join(images, 'chat-approval.png'));
    const words = (await approval.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(
      words,
      /€0\.02 · owl\.png · owl · Strata 2 Agents’ allowance after this: €1\.96 Balance after: €24\.96/,
    );
    await approval.getByRole('button', { name: /^Allow/ }).click();
    assert.match((await outcome('owl')).text, /saved/);
    assert.match(await balance(), /€24\.96/);
  });

  test('that approves everything by itself spends what was allowed, and without an allowance nothing', async () => {
    await workbench.profile.set({ 'chat.tools.global.autoApprove': true });
    await say(workbench, 'finch');
    assert.match((await outcome('finch')).text, /saved/);
    assert.match(await balance(), /€24\.94/);
    await workbench.statusBarItem('modelCatalog.agents').click();
    await workbench.notification(/Allowance revoked/).waitFor();
    await say(workbench, 'crane');
    await answer('Cancel');
    assert.match((await outcome('crane')).text, /^Not rendered, nothing charged/);
    assert.match(await balance(), /€24\.94/);
  });
});
