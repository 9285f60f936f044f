import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Frame } from 'playwright-core';
import { versions } from '../extent';
import { removeFolder } from '../removeFolder';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/** The extension as installed from a package: with the README that is packaged. */
async function installedWith(readme: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-page-'));
  const names = ['package.json', 'package.nls.json', 'CHANGELOG.md', 'media', 'dist', 'l10n'];
  for (const name of names.slice(0, 3)) await cp(join(root, name), join(folder, name));
  for (const name of names.slice(3)) await symlink(join(root, name), join(folder, name), 'junction');
  await writeFile(join(folder, 'README.md'), readme);
  return folder;
}

async function packagedReadme(manifest?: object): Promise<string> {
  const module = pathToFileURL(join(root, 'esbuild.mjs')).href;
  const built = (await import(module)) as { packagedReadme: (manifest?: object) => string };
  return built.packagedReadme(manifest);
}

/** The frame with this heading: the page shows no title of its own. */
async function frameWith({ page }: Workbench, heading: string): Promise<Frame> {
  let found: Frame | undefined;
  await until(async () => {
    for (const frame of page.frames()) {
      const count = await frame
        .getByRole('heading', { name: heading, exact: true })
        .count()
        .catch(() => 0);
      if (count > 0 && frame !== page.mainFrame()) found = frame;
    }
    return found !== undefined;
  });
  return found!;
}

async function openExtensionPage(workbench: Workbench): Promise<Frame> {
  await workbench.command('Extensions: Show Installed Extensions');
  await workbench.page.locator('.extension-list-item').filter({ hasText: 'Model Catalog' }).first().click();
  return frameWith(workbench, 'Model Catalog');
}

/** The widths of the images in a page, 0 for one that isn't shown. */
function widths(frame: Frame): Promise<number[]> {
  return frame.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth));
}

for (const version of versions) {
  suite(`Help, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let folder: string;

    const start = async (readme: string) => {
      folder = await installedWith(readme);
      workbench = await openWorkbench({ version, extension: folder, size: { width: 1600, height: 1000 } });
    };
    const stop = async () => {
      await workbench.close();
      await removeFolder(folder);
    };
    const shoot = (name: string) => workbench.screenshot(join(images, `help-${name}-${version}.png`));

    suite('as packaged', () => {
      before(async () => {
        await mkdir(images, { recursive: true });
        await start(await packagedReadme());
      });
      after(() => stop());

      test('the extension’s page shows the drawing of a form, and no broken image', async () => {
        const page = await openExtensionPage(workbench);
        await page.locator('pre').filter({ hasText: 'Render · €0.04' }).first().waitFor();
        assert.deepEqual(await widths(page), []);
        await shoot('page');
      });

      test('Open Help… shows an overview with all its images', async () => {
        await workbench.command('View: Close All Editors');
        await workbench.command('Model Catalog: Manage Account…');
        await workbench.pick('Open Help…');
        await workbench.pick('Overview');
        const page = await frameWith(workbench, 'What you can do');
        const count = [...(await readFile(join(root, 'README.md'), 'utf8')).matchAll(/!\[/g)].length;
        await until(async () => {
          const shown = await widths(page);
          return shown.length === count && shown.every((width) => width > 0);
        });
        await shoot('overview');
      });
    });

    suite('with a repository, whose URL the packager puts before each image', () => {
      before(async () => {
        const readme = await packagedReadme({ repository: 'https://github.com/owner/name' });
        await start(readme.replaceAll('](media/', '](https://images.example/media/'));
        await workbench.page.context().route('https://images.example/**', async (route) => {
          const path = join(root, new URL(route.request().url()).pathname);
          await route.fulfill({ path, contentType: 'image/webp' });
        });
      });
      after(() => stop());

      test('the extension’s page shows every image', async () => {
        const page = await openExtensionPage(workbench);
        await until(async () => {
          const shown = await widths(page);
          return shown.length > 10 && shown.every((width) => width > 0);
        });
        await shoot('page-with-repository');
      });
    });
  });
}
