import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');

const languages = {
  de: { models: 'Modelle', price: 'Rendern · 0,04 €', balance: '25,00 €' },
  ja: { models: 'モデル', price: 'レンダリング · €0.04', balance: '€25.00' },
};

for (const [language, words] of Object.entries(languages)) {
  suite(`In an editor set to ${language}`, () => {
    let workbench: Workbench;
    before(async () => {
      await mkdir(pictures, { recursive: true });
      workbench = await openWorkbench({ version: 'latest', language });
    });
    after(() => workbench.close());

    test('the views, the Status Bar, and the form use that language, also for money', async () => {
      await workbench.command('View: Show Model Catalog');
      await workbench.page.locator('.pane-header').filter({ hasText: words.models }).first().waitFor();
      await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: words.balance }).waitFor();
      await workbench.tree(words.models).getByRole('treeitem').filter({ hasText: 'Strata 2' }).first().click();
      const form = await workbench.webviewFrame('strata-2');
      await form.getByRole('textbox').first().fill('ein Hafen');
      await form.getByRole('button', { name: words.price }).waitFor();
      await workbench.screenshot(join(pictures, `language-${language}.png`));
    });
  });
}
