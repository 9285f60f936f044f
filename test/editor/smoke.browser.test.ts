import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { versions } from '../extent';
import { releases } from './codeServer';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

for (const version of versions) {
  suite(`VS Code ${releases[version].vscode}, with the extension just installed`, () => {
    let workbench: Workbench;
    before(async () => {
      await mkdir(images, { recursive: true });
      workbench = await openWorkbench({ version });
    });
    after(() => workbench.close());

    test(`shows the sandbox's models and balance with no account (${version})`, async () => {
      await workbench.command('View: Show Model Catalog');
      await workbench.tree('Models').getByRole('treeitem').first().waitFor();
      const balance = workbench.statusBarItem('modelCatalog.balance');
      await balance.filter({ hasText: /Sandbox.*€\d/ }).waitFor();
    });

    test(`looks right in each kind of theme (${version})`, async () => {
      for (const theme of ['light', 'hcDark', 'hcLight', 'dark'] as const) {
        await workbench.setTheme(theme);
        const file = join(images, `window-${version}-${theme}.png`);
        await workbench.screenshot(file);
        assert.ok((await stat(file)).size > 10_000, `${file} shows something`);
      }
    });
  });
}
