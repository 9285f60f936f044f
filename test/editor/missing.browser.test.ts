import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import { systemClock } from '../../src/base/clock';
import { embeddedMetadataIn } from '../../src/files/embeddedMetadata';
import { displayedSize } from '../../src/files/imageSize';
import { sniff } from '../../src/files/sniff';
import { removeFolder } from '../removeFolder';
import { chooseQuickFix, openFile, pick } from './choose';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { patiently, until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const readme = join(root, 'test', 'fixtures', 'documents', 'readme');

for (const version of ['latest'] as const) {
  suite(`Images that a document links to but that don’t exist, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-missing-'));
      await cp(readme, project, { recursive: true });
      await mkdir(join(project, '.vscode'));
      await writeFile(join(project, '.vscode', 'settings.json'), settings(true));
      workbench = await openWorkbench({ version, workspace: project });
      await openFile(workbench, 'README.md');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `missing-${name}-${version}.png`));
    const widget = () => workbench.page.locator('.quick-input-widget');
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const lenses = () =>
      workbench.page.locator('.codelens-decoration a').filter({ hasText: /Render( image from alt text)?…/ });
    const isThere = (name: string) => Promise.resolve(existsSync(join(project, name)));

    /** Puts the cursor after a text of the document. */
    async function goTo(text: string): Promise<void> {
      await workbench.page.keyboard.press('Control+F');
      await workbench.page.locator('.find-widget textarea').first().fill(text);
      await workbench.page.keyboard.press('Enter');
      await workbench.page.keyboard.press('Escape');
    }

    /** Renders what the box offers once its price is on the row, and confirms it, as nothing was typed. */
    async function render(): Promise<void> {
      const sign = workbench.page.locator('.codicon-zap');
      await rows()
        .first()
        .filter({ hasText: /Render · €0\.\d\d/ })
        .filter({ has: sign })
        .waitFor();
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
      await workbench.confirm(/^Render for €0\.\d\d$/);
    }

    test('each has a CodeLens that renders its alt text to exactly the file in the link', async () => {
      await goTo('images/day.png');
      await lenses().first().waitFor();
      await shoot('lenses');
      await lenses().first().click();
      await widget().getByText('Render day.png', { exact: true }).waitFor();
      const words = 'Twelve hours of tide above a sleeping fishing village, drawn in ink';
      assert.equal(await workbench.quickInput.inputValue(), words);
      await shoot('box');
      await render();
      await until(() => isThere('images/day.png'));
      decode(await readFile(join(project, 'images', 'day.png')), { checkCrc: true });
    });

    test('the others show what they would cost with the model used last', async () => {
      await workbench.page
        .locator('.codelens-decoration a')
        .filter({ hasText: /Render… · Strata 2.* · €0\.\d\d$/ })
        .first()
        .waitFor();
      await shoot('priced');
    });

    test('a Quick Fix renders the one at the cursor, whatever characters its name has', async () => {
      await goTo('month%20view.png');
      await chooseQuickFix(workbench, /Render( image from alt text|… · )/);
      await widget().getByText('Render month view.png', { exact: true }).waitFor();
      await render();
      await until(() => isThere('images/month view.png'));
    });

    test('one that appears while the box is open isn’t rendered, and the user is told', async () => {
      await goTo('images/warning-light.png');
      await chooseQuickFix(workbench, /Render( image from alt text|… · )/);
      await widget().getByText('Render warning-light.png · fits to 640 × 360', { exact: true }).waitFor();
      await rows()
        .first()
        .filter({ hasText: /Render · €0\.\d\d/ })
        .filter({ has: workbench.page.locator('.codicon-zap') })
        .waitFor();
      await writeFile(join(project, 'images', 'warning-light.png'), 'drawn by hand');
      await workbench.page.keyboard.press('Enter');
      await workbench.notification('Not sent, nothing charged: “warning-light.png” was saved or changed').waitFor();
      const names = await readdir(join(project, 'images'));
      assert.deepEqual(
        names.filter((name) => name.startsWith('warning-light')),
        ['warning-light.png'],
      );
    });

    test('one with a stated size becomes exactly that large, in the format of its name, and the offer says so', async () => {
      const image = '<img src="images/hero.webp" alt="a lighthouse at dusk" width="1200" height="630">';
      await writeFile(join(project, 'page.html'), `<p>${image}</p>\n`);
      await openFile(workbench, 'page.html');
      const lens = lenses().filter({ hasText: 'fits to 1200 × 630' });
      await lens.waitFor();
      await shoot('fitted');
      await lens.click();
      await widget().getByText('Render hero.webp · fits to 1200 × 630', { exact: true }).waitFor();
      await shoot('fitted-box');
      await render();
      await until(() => isThere('images/hero.webp'));
      const bytes = await readFile(join(project, 'images', 'hero.webp'));
      assert.equal(sniff(bytes).mediaType, 'image/webp');
      assert.deepEqual(displayedSize(bytes), { width: 1200, height: 630 });
      const told = await embeddedMetadataIn(bytes, systemClock);
      assert.ok(told?.isOfThis);
      assert.equal(told.provenance.inputs.prompt, 'a lighthouse at dusk');
      assert.deepEqual(told.provenance.fit, { width: 1200, height: 630, mode: 'cover' });
      await openFile(workbench, 'README.md');
    });

    test('a Markdown cell of a notebook has one too, and its image is saved where the notebook looks for it', async () => {
      const notebook = join('analysis', 'foxes.ipynb');
      await mkdir(join(project, 'analysis'));
      await writeFile(join(project, notebook), notebookText(['![A red fox in snow](figures/fox.png)\n', '\n']));
      const cell = workbench.page.locator('.notebookOverlay .markdown-cell-row').first();
      await patiently(
        async (timeout) => {
          await workbench.page.keyboard.press('Control+P');
          await workbench.quickInput.fill('foxes.ipynb', { timeout });
          await pick(workbench.page, 'foxes.ipynb', timeout);
          await cell.waitFor({ state: 'attached', timeout });
        },
        () => workbench.page.keyboard.press('Escape'),
        'The notebook does not open.',
      );
      await workbench.command('Notebook: Edit Cell');
      await lenses().first().waitFor();
      await shoot('cell');
      await lenses().first().click();
      await widget().getByText('Render fox.png', { exact: true }).waitFor();
      await render();
      await until(() => isThere('analysis/figures/fox.png'));
      await lenses().first().waitFor({ state: 'detached' });
      await shoot('cell-rendered');
    });

    test('once a form has rendered an image, links show its model and price', async () => {
      await writeFile(join(project, 'birds.md'), '![a crane at dawn](crane.png)\n');
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox', { name: /prompt/i }).fill('a heron');
      await form.getByRole('button', { name: /^Render · €/ }).click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      await openFile(workbench, 'birds.md');
      await lenses()
        .filter({ hasText: /^Render… · Sprite 1 · €0\.\d\d$/ })
        .waitFor();
      await shoot('form-model');
      await openFile(workbench, 'README.md');
    });

    test('with the setting off, the document is left alone', async () => {
      // Edited in another editor: older releases are slow to notice changes on disk.
      await workbench.page.keyboard.press('Control+P');
      await workbench.quickInput.fill('settings.json');
      await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'settings.json' }).waitFor();
      await workbench.page.keyboard.press('Control+Enter');
      await workbench.page.locator('.editor-instance .monaco-editor.focused').filter({ hasText: 'true' }).waitFor();
      await workbench.page.keyboard.press('Control+A');
      await workbench.page.keyboard.insertText(settings(false));
      await workbench.page.keyboard.press('Control+S');
      await lenses().first().waitFor({ state: 'detached' });
    });
  });
}

/** A notebook of one cell. */
function notebookText(source: readonly string[]): string {
  const cells = [{ cell_type: 'markdown', metadata: {}, source }];
  return JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 });
}

/** The project's setting for the CodeLenses. */
function settings(missingImages: boolean): string {
  return JSON.stringify({ 'modelCatalog.missingImages': missingImages });
}
