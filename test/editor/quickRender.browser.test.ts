import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import { releases } from './codeServer';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');

for (const version of ['min', 'latest'] as const) {
  suite(`Quick render, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(pictures, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-quick-'));
      await mkdir(join(project, 'docs', 'images'), { recursive: true });
      await writeFile(join(project, 'docs', 'story.md'), 'Once there was\n  an old heron at dawn  \nby the river.\n');
      workbench = await openWorkbench({ version, workspace: project });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await rm(project, { recursive: true, force: true });
    });

    const shoot = (name: string) => workbench.screenshot(join(pictures, `quick-render-${name}-${version}.png`));
    const balance = (text: string) => workbench.statusBarItem('modelCatalog.balance').filter({ hasText: text });
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const widget = () => workbench.page.locator('.quick-input-widget');

    async function open(): Promise<void> {
      await workbench.command('Model Catalog: Quick Render…');
      await widget().getByText('Quick Render', { exact: true }).waitFor();
    }

    /** Enter does what the first row says once the box is not busy any more. */
    async function priced(text: RegExp): Promise<void> {
      await rows().first().filter({ hasText: text }).waitFor();
      await widget().locator('.monaco-progress-container.done').waitFor({ state: 'attached' });
    }

    test('the prompt and Enter: the price and the balance after it stand on the first row', async () => {
      await open();
      await rows().first().filter({ hasText: 'Type above what to render' }).waitFor();
      await shoot('empty');
      await workbench.page.keyboard.type('a red lighthouse by the sea');
      await priced(/Render · €0\.04 · balance after €24\.96/);
      await shoot('priced');
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
      await balance('€24.96').waitFor();
    });
  });
}
