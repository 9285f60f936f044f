import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

let workbench: Workbench;
before(async () => {
  workbench = await openWorkbench({ version: 'latest' });
});
after(() => workbench.close());

test('A person finds the commands of the extension in the palette', async () => {
  await workbench.command('Model Catalog: Show Log');
  await workbench.page.locator('.part.panel').getByText('Output', { exact: true }).first().waitFor();
});

test('The window is seen in a picture, in each kind of theme', async () => {
  const folder = join(root, 'out', 'screenshots');
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'hcDark', 'hcLight', 'dark'] as const) {
    await workbench.setTheme(theme);
    await workbench.screenshot(join(folder, `window-${theme}.png`));
    assert.ok((await stat(join(folder, `window-${theme}.png`))).size > 10_000);
  }
});
