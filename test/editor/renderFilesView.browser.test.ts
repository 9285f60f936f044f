import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { patiently } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/** A render file with one image, and one with two, as if another program had written them. */
const files = {
  'renders.jsonc': `{
  "model": "paperlight/strata/strata-2",
  "inputs": { "size": "small" },
  "renders": [{ "file": "hero.png", "inputs": { "prompt": "a harbor at dusk" } }]
}
`,
  'site/icons.renders.jsonc': `{
  "model": "paperlight/strata/strata-2",
  "inputs": { "size": "small" },
  "renders": [
    { "file": "{season}.png", "for": { "season": ["spring", "autumn"] }, "inputs": { "prompt": "{season}" } },
    { "file": "../../outside.png", "inputs": { "prompt": "a fox" } }
  ]
}
`,
};

for (const version of versions) {
  suite(`The Render Files view, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-render-files-view-'));
      await mkdir(join(project, 'site'));
      for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
      workbench = await openWorkbench({ version, workspace: project });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `render-files-view-${name}-${version}.png`));
    const row = (words: string | RegExp) =>
      workbench.tree('Render Files').locator('.monaco-list-row').filter({ hasText: words });
    const badge = () => workbench.page.locator('.activitybar .badge-content').filter({ hasText: /^\d+$/ });
    const dialog = () => workbench.page.locator('.monaco-dialog-box');

    async function confirm(question: RegExp): Promise<void> {
      await dialog().getByText(question).waitFor();
      await workbench.confirm(/^Render for €0\.\d\d$/);
    }

    test('lists the files with their entries and the state of each', async () => {
      await workbench.command('Model Catalog: Focus on Render Files View');
      await row(/^renders\.jsonc1 of 1 missing or out of date$/).waitFor();
      await row(/^icons\.renders\.jsonc2 of 2 missing or out of date · site$/).waitFor();
      await row(/^hero\.pngMissing$/).waitFor();
      assert.equal(await badge().count(), 0, 'nothing is out of date yet');
      await row(/^\{season\}\.png2 of 2 missing or out of date$/).waitFor();
      await row(/^\.\.\/\.\.\/outside\.pngHas errors$/).waitFor();
      await shoot('missing');
    });

    test('opens an entry with a click, and renders what is missing from its row', async () => {
      const hero = row(/^hero\.png/);
      await hero.click();
      await workbench.page.locator('.editor-instance .monaco-editor[data-uri$="/renders.jsonc"]').waitFor();
      await workbench.statusBarItem('selection').filter({ hasText: 'Ln 4' }).waitFor();
      await hero.hover();
      await hero.getByRole('button', { name: /^Render Outdated Images…/ }).click();
      await confirm(/^Render this image for €0\.\d\d\?$/);
      await row(/^hero\.pngUp to date$/).waitFor();
      assert.ok(existsSync(join(project, 'hero.png')));
    });

    test('fits an image again from its row, also one that was saved as it came, without a question', async () => {
      const path = join(project, 'renders.jsonc');
      await writeFile(path, files['renders.jsonc'].replace('"file": "hero.png"', '"file": "hero.png", "width": 96'));
      const hero = row(/^hero\.pngOut of date: size$/);
      await badge().filter({ hasText: '1' }).waitFor();
      await hero.hover();
      await shoot('misfit');
      await hero.getByRole('button', { name: 'Refit Images' }).click();
      await row(/^hero\.pngUp to date$/).waitFor();
      assert.equal(decode(await readFile(join(project, 'hero.png'))).width, 96);
    });

    test('lists all problems of files that nobody has opened', async () => {
      await workbench.command('Model Catalog: Check Render Files');
      const problems = workbench.page.locator('.markers-panel');
      await problems.getByText('site/spring.png is missing.').waitFor();
      await problems.getByText(/outside the workspace folder/).waitFor();
      await shoot('problems');
    });

    test('renders the images of all files with one confirmation', async () => {
      await workbench.command('Model Catalog: Render Images in Render Files…');
      await confirm(/^Render 2 images for €0\.\d\d in total\?$/);
      await row(/^icons\.renders\.jsoncNothing missing or out of date · site/).waitFor();
      await workbench.page
        .locator('.markers-panel')
        .getByText('site/spring.png is missing.')
        .waitFor({ state: 'hidden' });
      await row(/^\{season\}\.png/).click();
      await workbench.page.keyboard.press('ArrowRight');
      await row(/^spring\.pngUp to date$/).waitFor();
      // Refreshing the view hides the hover.
      await patiently(
        async (timeout) => {
          await row(/^hero\.png/).hover({ timeout });
          await workbench.page.locator('.monaco-hover img').waitFor({ timeout });
        },
        () => workbench.page.mouse.move(0, 0),
        'The view shows no image on hover.',
        4000,
      );
      await shoot('current');
    });

    test('accepts all new images of stale ones on one page, and leaves one whose current image changed', async () => {
      const [path, text] = [join(project, 'site', 'icons.renders.jsonc'), files['site/icons.renders.jsonc']];
      await writeFile(path, text.replace('"prompt": "{season}"', '"prompt": "a forest in {season}"'));
      const icons = row(/^icons\.renders\.jsonc/);
      await row(/^spring\.pngOut of date: prompt$/).waitFor();
      await shoot('stale');
      await icons.hover();
      await icons.getByRole('button', { name: /^Render Outdated Images…/ }).click();
      await confirm(/^Render 2 images for €0\.\d\d in total\?$/);
      const ready = workbench.notification('2 new images are ready to review');
      await ready.getByRole('button', { name: 'Review Images' }).click();
      const page = await workbench.webviewFrame('Review 2 Images');
      await page.getByRole('img', { name: /^spring\.png \(new\)/ }).waitFor();
      await page.getByRole('img', { name: /^autumn\.png \(now\)/ }).waitFor();
      await shoot('review');
      await appendFile(join(project, 'site', 'spring.png'), 'changed');
      await page.getByRole('button', { name: 'Accept All' }).click();
      await workbench.notification('1 of 2 new images accepted').waitFor();
      await workbench.notification(/^Not accepted, .*: spring\.png/).waitFor();
      await row(/^autumn\.pngUp to date$/).waitFor();
      const left = await workbench.webviewFrame('spring.png (now ↔ new)');
      await left.getByRole('button', { name: 'Accept' }).click();
      await workbench.confirm('Replace');
      await row(/^icons\.renders\.jsoncNothing missing or out of date/).waitFor();
    });

    test('lists what a form would render as missing, in the render file that the user picks', async () => {
      const form = await openModelForm(workbench, 'paperlight/strata/strata-2');
      await form.getByRole('textbox', { name: 'Prompt', exact: true }).fill('an old bridge');
      await form.getByRole('button', { name: /^Render · €0\.\d\d$/ }).waitFor();
      await workbench.command('Model Catalog: Add to Render File…');
      await workbench.page.getByPlaceholder('Select the render file to add to').waitFor();
      await workbench.pick('renders.jsonc');
      await row(/^renders\/an-old-bridgeMissing$/).waitFor();
      await workbench.statusBarItem('selection').filter({ hasText: 'selected' }).waitFor();
      await shoot('added');
    });

    test('takes no form of a text model, and says why', async () => {
      const form = await openModelForm(workbench, 'quill-house/verse/haiku-1');
      await form.getByRole('textbox').first().fill('an old bridge');
      await form.getByRole('button', { name: /^Render · €0\.\d\d$/ }).waitFor();
      await workbench.command('Model Catalog: Add to Render File…');
      await workbench.notification('doesn’t generate images. Choose another model.').waitFor();
      assert.ok(!(await readFile(join(project, 'renders.jsonc'), 'utf8')).includes('haiku'));
    });
  });
}
