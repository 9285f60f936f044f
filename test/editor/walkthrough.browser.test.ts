import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { versions } from '../extent';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { patiently } from './until';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');

for (const version of versions) {
  suite(`The first steps, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    before(async () => {
      await mkdir(pictures, { recursive: true });
      workbench = await openWorkbench({ version, size: { width: 1600, height: 900 } });
    });
    after(() => workbench.close());

    const step = (title: string) => workbench.page.locator('.getting-started-step').filter({ hasText: title });
    /** In a window's first seconds, the editor doesn't know an extension's walkthrough and shows its own. */
    const start = () =>
      patiently(
        async (timeout) => {
          await workbench.command('Model Catalog: Get Started');
          await step('Render your first image').waitFor({ timeout });
        },
        () => workbench.command('View: Close All Editors'),
        'The walkthrough does not open.',
        3000,
      );
    const done = (title: string) => step(title).locator('[role="checkbox"][aria-checked="true"]');
    const shoot = (name: string) => workbench.screenshot(join(pictures, `walkthrough-${name}-${version}.png`));

    test('“Get Started” shows four steps, each with an image', async () => {
      await start();
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
      await done('Try it with play money').waitFor();
      await done('Render your first image').waitFor();
      await shoot('rendered');
    });
  });
}
