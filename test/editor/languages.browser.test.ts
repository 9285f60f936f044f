import assert from 'node:assert/strict';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { writeAgent } from './agentExtension';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/**
 * The one with the longest words, and one in other letters; in the editor, the others differ only in their texts. Each
 * sees the balance that the renders of the earlier ones left.
 */
const languages = {
  de: {
    models: 'Modelle',
    price: 'Rendern · 0,04 €',
    balance: '25,00 €',
    detail: '0,5',
    field: 'Seitenverhältnis',
    help: 'Kleinere Bilder kosten weniger.',
    layers: 'Details',
  },
  ja: {
    models: 'モデル',
    price: 'レンダリング · €0.04',
    balance: '€24.96',
    detail: '0.5',
    field: '縦横比',
    help: '小さい画像ほど安くなります。',
    layers: '細かさ',
  },
};

const item = (prompt: string) => ({ modelId: 'paperlight/strata/strata-2', inputs: { prompt, size: 'small' } });

suite('In other languages', () => {
  let workbench: Workbench;
  let form: Frame;
  let agent: string;
  before(async () => {
    await mkdir(images, { recursive: true });
    agent = await mkdtemp(join(tmpdir(), 'model-catalog-agent-'));
    await writeAgent(agent, { one: [item('Reiher')], two: [item('Otter')] });
    const settings = { 'chat.tools.global.autoApprove': true };
    workbench = await openWorkbench({
      version: 'latest',
      settings,
      size: { width: 1280, height: 1000 },
      beside: [agent],
    });
  });
  after(async () => {
    await workbench.close();
    await removeFolder(agent);
  });

  for (const [language, words] of Object.entries(languages)) {
    const shoot = (name: string) => workbench.screenshot(join(images, `language-${name}-${language}.png`));

    test(`the views, the Status Bar, and the form use it, even for money (${language})`, async () => {
      await workbench.speak(language);
      await workbench.open();
      await workbench.command('View: Show Model Catalog');
      await workbench.page.locator('.pane-header').filter({ hasText: words.models }).first().waitFor();
      await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: words.balance }).waitFor();
      await workbench.tree(words.models).getByRole('treeitem').filter({ hasText: 'Strata 2' }).first().click();
      form = await workbench.webviewFrame('strata-2');
      await form.getByRole('textbox').first().fill('ein Hafen');
      await form.getByRole('button', { name: words.price, exact: true, disabled: false }).click();
      await form.locator('img.picture').waitFor();
      // The sandbox's own words.
      await form.getByText(words.field, { exact: true }).waitFor();
      await form.getByText(words.help, { exact: true }).waitFor();
      await shoot('form');
    });

    test(`no word in the form is cut off (${language})`, async () => {
      const cut = await form.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, label, p, h1, h2, .vscode-badge')]
          // Texts only for screen readers are one pixel large.
          .filter((element) => element.getClientRects().length > 0 && element.clientWidth > 1)
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => element.textContent),
      );
      assert.deepEqual(cut, []);
    });

    test(`Quick Render does too (${language})`, async () => {
      await workbench.command('Model Catalog: Quick Render…');
      await workbench.quickInput.fill('ein Hafen');
      const first = workbench.page.locator('.quick-input-list .monaco-list-row').first();
      await first.filter({ hasText: words.price.replace(/ ·.*/, ' · ') }).waitFor();
      await first.locator('.codicon-zap').waitFor();
      const detail = workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words.layers });
      await detail.filter({ hasText: words.detail }).waitFor();
      await shoot('quick-render');
      await workbench.page.keyboard.press('Escape');
      await workbench.command('View: Close All Editors');
    });
  }

  test('an agent’s questions use it, even for money', async () => {
    await workbench.speak('de');
    await workbench.open();
    const modal = workbench.page.locator('.monaco-dialog-box');
    await workbench.command('Agent: Render one');
    await modal.getByText(/für 0,02\s€ rendern\?/).waitFor();
    // An answer before anyone could have read the question doesn't count.
    await workbench.page.waitForTimeout(800);
    await modal.getByRole('button', { name: /2,00\s€/ }).click();
    await modal.waitFor({ state: 'hidden' });
    await workbench.command('Agent: Render two');
    await modal.getByText('Freibetrag der Agenten danach: 1,96').waitFor();
    const question = (await modal.textContent()) ?? '';
    assert.match(question, /Für 0,02\s€ rendern.*0,02\s€ · .*Otter/s);
    assert.doesNotMatch(question, /€\d/);
    await workbench.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'hidden' });
  });
});
