import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { versions } from '../extent';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

for (const version of versions) {
  suite(`The first steps, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    before(async () => {
      await mkdir(images, { recursive: true });
      workbench = await openWorkbench({ version, size: { width: 1600, height: 900 } });
    });
    after(() => workbench.close());

    const step = (title: string) => workbench.page.locator('.getting-started-step').filter({ hasText: title });
    const start = () => workbench.command('Model Catalog: Get Started');
    const showSteps = () =>
      workbench.page
        .locator('.tab')
        .filter({ hasText: /Walkthrough|Get Started/ })
        .click();
    const done = (title: string) => step(title).locator('[role="checkbox"][aria-checked="true"]');
    const shoot = (name: string) => workbench.screenshot(join(images, `walkthrough-${name}-${version}.png`));

    test('“Get Started” opens a form one key away from the first image, in front of our four steps', async () => {
      await start();
      const form = await workbench.webviewFrame('strata-2');
      assert.notEqual(await form.getByRole('textbox', { name: /prompt/i }).inputValue(), '');
      await form.getByRole('button', { name: /^Render · €/ }).waitFor();
      await shoot('form');
      await showSteps();
      for (const title of [
        'Try it with play money',
        'Render your first image',
        'Connect your account',
        'Find your results',
      ])
        await step(title).waitFor();
      await shoot('start');
    });

    test('seeing the models and rendering complete their steps', async () => {
      await workbench.command('View: Show Model Catalog');
      const form = await openModelForm(workbench, 'paperlight/strata/strata-2');
      await form.getByRole('textbox', { name: /prompt/i }).fill('a quiet harbour');
      await form.getByRole('button', { name: /^Render · €/ }).click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      await start();
      await workbench.webviewFrame('strata-2');
      await showSteps();
      await done('Try it with play money').waitFor();
      await done('Render your first image').waitFor();
      await shoot('rendered');
    });
  });
}
