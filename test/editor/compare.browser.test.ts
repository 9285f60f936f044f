import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { embedded } from '../../src/files/embeddedMetadata';
import { removeFolder } from '../removeFolder';
import { png } from '../unit/files/pictures';
import { chooseFromMenu } from './choose';
import { releases } from './codeServer';
import { themes, type Theme } from './profile';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/** An image whose metadata says how the sandbox can make it again. */
function hero(): Buffer {
  const inputs = { prompt: 'a heron in the reeds' };
  return Buffer.concat(
    embedded(png(), 'image/png', { modelId: 'eight-bit-yard/pixel/sprite-1', inputs, service: 'sandbox' })!.pieces,
  );
}

for (const version of ['latest'] as const) {
  suite(`An image rendered again and compared, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-compare-'));
      await writeFile(join(project, 'hero.png'), hero());
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: project });
      git('init', '--quiet');
      await writeFile(
        join(project, 'large.png'),
        'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
      );
      git('add', 'hero.png', 'large.png');
      git('commit', '--quiet', '--message=Add the hero');
      const settings = { 'modelCatalog.notifications': 'always', 'explorer.autoReveal': false };
      workbench = await openWorkbench({ version, workspace: project, settings });
      // The menus now have its entries.
      await workbench.command('View: Show Model Catalog');
      await workbench.command('View: Show Explorer');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `compare-${name}-${version}.png`));
    const item = (name: string) => workbench.page.getByRole('treeitem', { name, exact: true });
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const bytes = (name: string) => readFile(join(project, name));
    const names = async () => (await readdir(project)).filter((name) => /^hero.*\.png$/.test(name)).sort();
    const inWords = 'hero.png (now ↔ new)';
    const tab = (title: string) => workbench.page.getByRole('tab', { name: title });

    const choose = (file: string, entry: string) => chooseFromMenu(workbench, item(file), entry);

    /** Renders the hero again at the shown price, and waits for the comparison to open. */
    async function renderAgain(): Promise<Frame> {
      await item('hero.png').click();
      await workbench.command('Model Catalog: Show How It Was Made');
      await tab('hero.png').nth(1).waitFor();
      await workbench.command('View: Close All Editors');
      await choose('hero.png', 'Model Catalog > Render Again…');
      // No ledger here has the image: its metadata is shown before any request.
      await dialog().getByRole('button', { name: 'Show Price' }).click();
      await dialog().getByText('“hero.png” stays unchanged').waitFor();
      // Anybody could have run the command: sooner than one can read it, its question takes no answer.
      await workbench.page.waitForTimeout(800);
      await dialog()
        .getByRole('button', { name: /^Render for €0\.\d\d$/ })
        .click();
      return loaded(await workbench.openWebview(inWords));
    }

    /** The comparison once all of its images are visible. */
    async function loaded(comparison: Frame, count = 2): Promise<Frame> {
      await comparison.waitForFunction((wanted) => {
        const images = [...document.querySelectorAll<HTMLImageElement>('.pane img')];
        return images.filter(({ naturalWidth }) => naturalWidth > 0).length === wanted;
      }, count);
      return comparison;
    }

    test('the new image opens next to the old one, which stays unchanged', async () => {
      const comparison = await renderAgain();
      await comparison.getByText(/Sprite 1 · €0\.\d\d · a heron in the reeds/).waitFor();
      await comparison.locator('.stage').press('4');
      const pressed = comparison.getByRole('button', { name: 'Difference', pressed: true });
      await pressed.waitFor();
      await comparison.locator('.stage').press('1');
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench.setTheme(theme);
        await shoot(theme);
      }
      assert.deepEqual(await names(), ['hero.png']);
      assert.deepEqual(await bytes('hero.png'), hero());
    });

    test('it still waits after a reload, and leaves nothing here when discarded', async () => {
      await workbench.reload();
      await loaded(await workbench.openWebview(inWords));
      await workbench.command('View: Close All Editors');
      await workbench.command('View: Show Model Catalog');
      await workbench.tree('Generations').getByText('ready to review').click();
      const comparison = await loaded(await workbench.openWebview(inWords));
      await shoot('waiting');
      await workbench.command('View: Show Explorer');
      await comparison.getByRole('button', { name: 'Discard Image' }).click();
      await dialog().getByText('with “Download Again” in the Generations view').waitFor();
      await dialog()
        .getByText(/Rendering cost: €0\.\d\d/)
        .waitFor();
      await dialog().getByRole('button', { name: 'Discard Image', exact: true }).click();
      await tab(inWords).waitFor({ state: 'detached' });
      assert.deepEqual(await names(), ['hero.png']);
      assert.deepEqual(await bytes('hero.png'), hero());
    });

    test('keeping both saves the new image next to the old one', async () => {
      const comparison = await renderAgain();
      await comparison.getByRole('button', { name: 'Keep Both' }).click();
      await tab(inWords).waitFor({ state: 'detached' });
      assert.deepEqual(await names(), ['hero-2.png', 'hero.png']);
      assert.deepEqual(await bytes('hero.png'), hero());
      assert.ok((await bytes('hero-2.png')).includes('modelCatalog:Render'));
    });

    test('an image renamed in the Explorer in the meantime is compared under its new name', async () => {
      await renderAgain();
      await item('hero.png').click();
      await workbench.page.keyboard.press('F2');
      const box = workbench.page.locator('.explorer-folders-view .monaco-inputbox input');
      await box.fill('heron.png');
      await box.press('Enter');
      const renamed = 'heron.png (now ↔ new)';
      const comparison = await loaded(await workbench.openWebview(renamed));
      await comparison.getByRole('button', { name: 'Discard Image' }).click();
      await dialog().getByRole('button', { name: 'Discard Image', exact: true }).click();
      await tab(renamed).waitFor({ state: 'detached' });
      assert.deepEqual(await bytes('heron.png'), hero());
      await rename(join(project, 'heron.png'), join(project, 'hero.png'));
      await item('hero.png').waitFor();
    });

    test('accepting replaces the old image, after a confirmation if the file has changed', async () => {
      const comparison = await renderAgain();
      await writeFile(join(project, 'hero.png'), png(5));
      await comparison.getByRole('button', { name: 'Accept' }).click();
      await dialog().getByText('was changed or removed after you started this render').waitFor();
      assert.deepEqual(await bytes('hero.png'), png(5));
      await dialog().getByRole('button', { name: 'Replace', exact: true }).click();
      await tab(inWords).waitFor({ state: 'detached' });
      assert.ok((await bytes('hero.png')).includes('modelCatalog:Render'));
      // The test server has no trash: the earlier file is then kept next to it, as the message says.
      await workbench.notification('previous image is kept as “hero.earlier.png”').waitFor();
      assert.deepEqual(await bytes('hero.earlier.png'), png(5));
      assert.deepEqual(await names(), ['hero-2.png', 'hero.earlier.png', 'hero.png']);
    });

    test('an image is compared with the one in Git’s HEAD, and with the previous render', async () => {
      await choose('hero.png', 'Compare with HEAD');
      const head = await loaded(await workbench.openWebview('hero.png (HEAD ↔ now)'));
      const [first, second] = await head
        .locator('.pane img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
      assert.notEqual(first, second);
      await shoot('head');
      await copyFile(join(project, 'hero.png'), join(project, 'copy.png'));
      await choose('copy.png', 'Compare with HEAD');
      await workbench.notification('“copy.png” isn’t in the last commit').waitFor();
      await choose('large.png', 'Compare with HEAD');
      await workbench.notification('only a Git LFS pointer for “large.png”').waitFor();
      await choose('hero.png', 'Model Catalog > Compare with Earlier Image');
      await loaded(await workbench.openWebview('hero-2.png ↔ hero.png'));
      // The service still has the results of deleted or replaced files.
      await rm(join(project, 'hero-2.png'));
      await workbench.command('View: Close All Editors');
      await choose('hero.png', 'Model Catalog > Compare with Earlier Image');
      await loaded(await workbench.openWebview('hero-2.png (before) ↔ hero.png'));
    });

    test('files selected in the Explorer are shown in a grid', async () => {
      await item('copy.png').click();
      await workbench.page.getByRole('tab', { name: 'copy.png', selected: true }).waitFor();
      for (const [index, name] of ['hero.earlier.png', 'hero.png'].entries()) {
        await item(name).click({ modifiers: ['ControlOrMeta'] });
        await workbench.page
          .locator('.explorer-folders-view .monaco-list-row.selected')
          .nth(index + 1)
          .waitFor();
      }
      await choose('hero.png', 'Compare Images');
      const grid = await loaded(await workbench.openWebview('Compare 3 Images'), 3);
      assert.equal(await grid.getByRole('button', { name: 'Accept' }).count(), 0);
      await shoot('grid');
    });
  });
}
