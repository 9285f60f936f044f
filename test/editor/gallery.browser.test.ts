import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { themes, type Theme } from './profile';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const title = 'Gallery';
const prompts = ['a red lighthouse by the sea', 'a blue fish in a bowl'];

for (const version of versions) {
  suite(`The gallery of a project, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-gallery-'));
      const settings = { 'modelCatalog.notifications': 'never' };
      workbench = await openWorkbench({ version, workspace: project, settings });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const openGallery = async () => {
      await workbench.command('Model Catalog: Open Gallery');
      return workbench.webviewFrame(title);
    };
    const tile = (gallery: Frame, prompt: string) =>
      gallery.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: prompt });
    /** Resolves with the width in pixels once the tile's image was loaded from disk. */
    const widthOf = async (gallery: Frame, prompt: string) => {
      const image = tile(gallery, prompt).locator('img');
      await image.waitFor();
      return image.evaluate(async (element: HTMLImageElement) => {
        await element.decode();
        return element.naturalWidth;
      });
    };

    test('before the first render, it shows how to begin', async () => {
      const gallery = await openGallery();
      await gallery.getByRole('heading', { name: 'No results in this project yet' }).waitFor();
      await gallery.getByRole('button', { name: 'Open Model Form…' }).click();
      await workbench.page.getByPlaceholder('Search by name').waitFor();
      await workbench.page.keyboard.press('Escape');
    });

    test('renders appear in it as images', async () => {
      const form = await openModelForm(workbench, 'paperlight/strata/strata-2');
      for (const [index, prompt] of prompts.entries()) {
        await form.getByRole('textbox', { name: /prompt/i }).fill(prompt);
        await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
        if (index > 0) await form.locator('.strip').waitFor();
        await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      }
      const gallery = await openGallery();
      for (const prompt of prompts) assert.ok((await widthOf(gallery, prompt)) > 0);
      await gallery.locator('.count').getByText('2 of 2', { exact: true }).waitFor();
      const heard = await tile(gallery, prompts[1]!).locator('.only-heard').innerText();
      assert.match(heard, /^a blue fish in a bowl, Strata 2, 0\.04 euros, .+, saved$/);
    });

    test('Enter opens an image in the editor’s own preview', async () => {
      const gallery = await workbench.webviewFrame(title);
      await tile(gallery, prompts[0]!).press('Enter');
      const [name] = (await readdir(join(project, 'renders'))).filter((file) => file.includes('lighthouse'));
      await workbench.page.getByRole('tab', { name }).waitFor();
    });

    test('a tile’s context menu is the editor’s own, with the actions for it', async () => {
      const gallery = await openGallery();
      await tile(gallery, prompts[1]!).click({ button: 'right' });
      const menu = workbench.page.getByRole('menu');
      await menu.getByRole('menuitem', { name: 'Reveal in Explorer View' }).waitFor();
      await workbench.screenshot(join(images, `gallery-menu-${version}.png`));
      const more = menu.getByRole('menuitem', { name: 'More', exact: true });
      await more.hover();
      const copy = workbench.page.getByRole('menuitem', { name: 'Copy Prompt' });
      await copy.waitFor();
      assert.equal(await workbench.page.getByRole('menuitem', { name: 'Delete from Service' }).count(), 1);
      await workbench.screenshot(join(images, `gallery-more-${version}.png`));
      await copy.click();
      await workbench.page.waitForFunction(
        async (prompt) => (await navigator.clipboard.readText()) === prompt,
        prompts[1],
      );
    });

    test('the last of a tile’s buttons opens the same menu', async () => {
      const gallery = await openGallery();
      await tile(gallery, prompts[1]!).hover();
      await gallery.getByRole('button', { name: 'More Actions…' }).first().click();
      await workbench.page.getByRole('menuitem', { name: 'Reveal in Explorer View' }).waitFor();
      await workbench.page.keyboard.press('Escape');
    });

    test('two images are compared, even if the gallery was hidden in between', async () => {
      const first = await openGallery();
      await tile(first, prompts[0]!).press('Space');
      await first.getByText('1 image selected').waitFor();
      await workbench.command('File: New Untitled Text File');
      const gallery = await openGallery();
      await gallery.getByText('1 image selected').waitFor();
      await tile(gallery, prompts[1]!).press('Space');
      await gallery.getByRole('button', { name: 'Compare' }).click();
      const names = (await readdir(join(project, 'renders'))).sort();
      const pair = ['lighthouse', 'fish'].map((word) => names.find((name) => name.includes(word)) ?? '');
      const shown = pair.map((name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name));
      const comparison = await workbench.openWebview(shown.join(' ↔ '));
      for (const name of pair) await comparison.getByRole('img', { name }).first().waitFor();
      await workbench.screenshot(join(images, `gallery-comparison-${version}.png`));
    });

    test('it’s restored when the window is reloaded, with small copies of large images', async () => {
      const folder = join(workbench.profile.userData, 'User/globalStorage/model-catalog.model-catalog/thumbnails');
      await until(async () => (await readdir(folder)).filter((name) => name.endsWith('.webp')).length === 2);
      await workbench.reload();
      const gallery = await workbench.webviewFrame(title);
      for (const prompt of prompts) assert.equal(await widthOf(gallery, prompt), 400);
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench.setTheme(theme);
        await workbench.screenshot(join(images, `gallery-project-${theme}-${version}.png`));
      }
    });

    test('a deleted file leaves a placeholder that says so', async () => {
      const renders = join(project, 'renders');
      const [name = ''] = (await readdir(renders)).filter((file) => file.includes('fish'));
      const open = await openGallery();
      await tile(open, prompts[1]!).locator('img').waitFor();
      await rm(join(renders, name));
      await tile(open, prompts[1]!).locator('.card').getByText('The file no longer exists').waitFor();
      await workbench.command('View: Close All Editors');
      const gallery = await openGallery();
      await tile(gallery, prompts[1]!).locator('.card').getByText('The file no longer exists').waitFor();
      await tile(gallery, prompts[1]!).press('Enter');
      assert.ok((await widthOf(gallery, prompts[1]!)) > 0);
      assert.equal((await readdir(renders)).filter((file) => file.includes('fish')).length, 1);
    });
  });
}
