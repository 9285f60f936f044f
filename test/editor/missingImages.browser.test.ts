import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { decode } from 'fast-png';
import { imageLinks } from '../../src/documents/imageLinks';
import { located } from '../../src/documents/linkPath';
import { syntaxOf } from '../../src/documents/syntax';
import { removeFolder } from '../removeFolder';
import { SeenFolder } from '../unit/documents/seenFolder';
import { startService, type Service } from '../faults/kill/programs';
import { chooseFromMenu, openFile, openPath } from './choose';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { Gate } from './gate';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const documents = join(root, 'test', 'fixtures', 'documents');

for (const version of ['latest'] as const) {
  suite(`All missing images, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: Service;
    let gate: Gate;
    let folder: string;
    let project: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'model-catalog-missing-'));
      project = join(folder, 'project');
      for (const path of [images, join(folder, 'account'), join(project, '.vscode')])
        await mkdir(path, { recursive: true });
      const notes = join(documents, 'notes');
      await cp(documents, project, { recursive: true, filter: (file) => !file.startsWith(notes) });
      await writeFile(settingsFile(), limited(10));
      service = await startService({ folder: join(folder, 'account'), latencyMs: 500 });
      gate = await Gate.open(service.base);
      const settings = {
        'files.autoSave': 'afterDelay',
        'files.autoSaveDelay': 50,
        'editor.autoClosingBrackets': 'never',
        'modelCatalog.notifications': 'always',
      };
      workbench = await openWorkbench({ version, workspace: project, settings });
      await connectTo(workbench, { base: gate.base, key: service.key });
      await workbench.command('View: Show Explorer');
    });
    after(async () => {
      await workbench.close();
      await gate.close();
      await service.stop();
      await removeFolder(folder);
    });

    const settingsFile = () => join(project, '.vscode', 'settings.json');
    const shoot = (name: string) => workbench.screenshot(join(images, `missing-${name}-${version}.png`));
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const row = (name: string) => rows().filter({ hasText: name });
    const title = () => workbench.page.locator('.quick-input-titlebar');
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const original = (name: string) => readFile(join(documents, name), 'utf8');
    const text = (name: string) => readFile(join(project, name), 'utf8');

    /** The missing targets of image links in documents below a folder. */
    async function missing(below = ''): Promise<string[]> {
      const seen = SeenFolder.at(project);
      const found = new Set<string>();
      for (const path of seen.files.filter((one) => one.startsWith(below))) {
        const syntax = syntaxOf('', path);
        const links = syntax ? imageLinks(await text(path), syntax) : [];
        for (const place of await located(links, path, seen.around(path)))
          if (place && !place.isThere) found.add(place.path);
      }
      return [...found].sort();
    }

    /** Waits until each selected row of the list has its price. */
    async function priced(words: RegExp): Promise<void> {
      await title().filter({ hasText: words }).waitFor();
    }

    /** Accepts the selection and confirms the total. */
    async function render(words: RegExp): Promise<void> {
      await workbench.acceptList();
      await confirm(words);
    }

    async function confirm(words: RegExp): Promise<void> {
      await dialog().filter({ hasText: words }).waitFor();
      await shoot('sum');
      await workbench.confirm(/^Render for €/);
    }

    /** From the question about all of them to the list. */
    async function choose(): Promise<void> {
      await dialog().getByRole('button', { name: 'Choose Images…' }).click();
      await dialog().waitFor({ state: 'detached' });
    }

    /** The number of requests of each kind since `from`. */
    function asked(from: number): Record<string, number> {
      const counts: Record<string, number> = {};
      for (const one of gate.asked.slice(from)) {
        const what = one.replace(/(\/generations\/)[^/]+/, '$1…');
        counts[what] = (counts[what] ?? 0) + 1;
      }
      return counts;
    }

    const tell = (t: TestContext, what: string, since: number, from: number) =>
      t.diagnostic(`${what}: ${((Date.now() - since) / 1000).toFixed(1)} s, ${JSON.stringify(asked(from))}`);

    test('no more is offered than a limit covers, and canceling leads back to the list and sends nothing', async () => {
      await openFile(workbench, 'readme/README.md');
      await workbench.page.locator('.codelens-decoration a').filter({ hasText: 'Render 5 missing images…' }).click();
      await dialog()
        .getByText(/limit covers only the first 2 of 5 images, with €/)
        .waitFor();
      await shoot('question');
      await choose();
      await priced(/· 5 of 5 · €0\.\d\d$/);
      await shoot('list');
      await row('readme/images/').last().getByRole('checkbox').click();
      await priced(/· 4 of 5 · €0\.\d\d$/);
      await workbench.acceptList();
      await dialog()
        .getByText(/limit covers only the first 2 of 4 images, with €/)
        .waitFor();
      await shoot('limit');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      await priced(/· 4 of 5 · €0\.\d\d$/);
      await shoot('canceled');
      await workbench.page.keyboard.press('Escape');
      await title().waitFor({ state: 'hidden' });
      assert.equal(asked(0)['POST /generations'], undefined);
      assert.equal((await missing('readme')).length, 9);
    });

    test(
      'those of a document are found, priced, and rendered with one confirmation',
      { timeout: 300_000 },
      async (t) => {
        await openFile(workbench, '.vscode/settings.json');
        await workbench.page.keyboard.press('Control+A');
        await workbench.page.keyboard.insertText(limited(1000));
        await until(async () => (await readFile(settingsFile(), 'utf8')).includes('1000'));
        await openFile(workbench, 'readme/README.md');
        const [since, from] = [Date.now(), gate.asked.length];
        await workbench.page.locator('.codelens-decoration a').filter({ hasText: 'Render 5 missing images…' }).click();
        await confirm(/Render 5 images with Strata 2 for €0\.\d\d in total\?/);
        await workbench.page.getByRole('button', { name: /^Rendering missing images/ }).waitFor();
        await shoot('progress');
        await workbench.notification(/Saved 5 of 5 renders · €0\.\d\d/).waitFor();
        tell(t, 'README, 5 images', since, from);
        assert.equal(asked(from)['POST /generations'], 5);
        // Before the confirmation, and once per render.
        assert.ok((asked(from)['GET /me'] ?? 0) <= 6);
        decode(await readFile(join(project, 'readme', 'images', 'month view.png')), { checkCrc: true });
        assert.equal(await text('readme/README.md'), await original('readme/README.md'));
        // The manual next to it names three more, one of them without alt text.
        assert.deepEqual(await missing('readme'), [
          'elsewhere/picture.png',
          'readme/docs/images/cover.png',
          'readme/docs/keeper.jpg',
          'readme/images/unnamed.png',
        ]);
      },
    );

    test('those of a folder are too, and links follow results of another format', { timeout: 300_000 }, async (t) => {
      const all = await missing('docs');
      const [since, from] = [Date.now(), gate.asked.length];
      const docs = workbench.page.locator('[role=treeitem][aria-level="1"][aria-label="docs"]');
      await chooseFromMenu(workbench, docs, 'Model Catalog > Render Missing Images in Documents…');
      await priced(new RegExp(`· ${all.length - 2} of ${all.length} · €0\\.\\d\\d$`));
      await row('docs/images/crest.svg').filter({ hasText: 'The crest of the harbour office' }).waitFor();
      // What is seldom worth rendering is a user's own choice.
      for (const [index, name] of ['crest.svg', 'wiring diagram.png'].entries()) {
        await row(name).getByRole('checkbox').click();
        await priced(new RegExp(`· ${all.length - 1 + index} of ${all.length} · €0\\.\\d\\d$`));
      }
      await render(new RegExp(`Render ${all.length} images with`));
      await workbench.notification(`Saved ${all.length} of ${all.length} renders`).waitFor();
      tell(t, `documentation, ${all.length} images`, since, from);
      assert.equal(asked(from)['POST /generations'], all.length);
      await workbench.notification('crest.png').getByRole('button', { name: 'Update Link' }).click();
      const renamed = (await original('docs/index.md')).replace('crest.svg', 'crest.png');
      // While the editor saves a file, it may be empty.
      await until(async () => (await text('docs/index.md')) === renamed);
      assert.deepEqual(await missing('docs'), []);
    });

    test(
      'those of the workspace are too, with prompts typed where a link has no alt text',
      { timeout: 300_000 },
      async (t) => {
        const all = await missing();
        await openFile(workbench, 'docs/index.md');
        await workbench.command('Model Catalog: Render Missing Images in Documents…');
        await workbench.notification('No missing images in docs/index.md.').waitFor();
        const [since, from] = [Date.now(), gate.asked.length];
        await workbench.notification('No missing image').getByRole('button', { name: 'Search Workspace' }).click();
        const wordless = () => rows().filter({ hasText: 'Enter a prompt.' });
        await priced(new RegExp(`· 11 of ${all.length} · €0\\.\\d\\d$`));
        for (const [index, name] of ['night-shift.png', 'keeper.jpg'].entries()) {
          await workbench.quickInput.fill(name);
          await row(name).getByRole('checkbox').click();
          await priced(new RegExp(`· ${12 + index} of ${all.length} · €0\\.\\d\\d$`));
        }
        await workbench.quickInput.fill('mill.png');
        // A page's own path: nothing tells where the page is.
        await row('mill.png').filter({ hasText: 'folder unknown' }).getByRole('checkbox').click();
        await workbench.page.locator('.quick-input-widget').getByText('Folder for mill.png').waitFor();
        await openPath(workbench, join(project, 'site', 'public', 'img'), 'Choose Folder');
        await priced(new RegExp(`· 14 of ${all.length} · €0\\.\\d\\d$`));
        for (const [index, words] of [
          'a bell buoy',
          'grains of wheat',
          'flour dust',
          'a sea wall',
          'a brass gauge',
        ].entries()) {
          await workbench.quickInput.fill('Enter a prompt');
          await wordless().first().hover();
          await wordless().first().getByRole('button', { name: 'Edit Prompt' }).click();
          await workbench.page.locator('.quick-input-widget').getByText('Prompt for').waitFor();
          await workbench.quickInput.fill(words);
          await workbench.page.keyboard.press('Enter');
          await priced(new RegExp(`· ${15 + index} of ${all.length} · €0\\.\\d\\d$`));
        }
        await rows().filter({ hasText: 'keeper.jpg' }).filter({ hasText: 'fits to 800 × 450' }).waitFor();
        await shoot('workspace');
        await render(new RegExp(`Render ${all.length} images with`));
        await workbench.notification(`Saved ${all.length} of ${all.length} renders`).waitFor();
        tell(t, `site and article, ${all.length} images`, since, from);
        assert.ok(
          existsSync(join(project, 'readme', 'docs', 'keeper.jpg')),
          'fitted to the size and format stated for it',
        );
        assert.ok(existsSync(join(project, 'article', 'figures', 'jars.jpg')), 'in the format that the link names');
        await until(async () => (await missing()).length === 0);
        for (const path of [
          'docs/index.md',
          'readme/docs/manual.md',
          'article/main.tex',
          'article/chapters/method.tex',
        ]) {
          const before = await original(path);
          await openFile(workbench, path);
          await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
          // While the editor saves a file, it may be empty.
          await until(async () => (await text(path)) !== '');
          // Edits made together may have been undone together.
          if ((await text(path)) !== before) await workbench.page.keyboard.press('Control+Z');
          await until(async () => (await text(path)) === before);
        }
      },
    );

    test('one that appears while the list is open is left out, costs nothing, and is named', async () => {
      const late = join(project, 'late');
      await mkdir(late);
      await writeFile(join(late, 'page.md'), '![A stone harbor](harbor.png)\n\n![An old owl](owl.png)\n');
      const from = gate.asked.length;
      await openFile(workbench, 'late/page.md');
      await workbench.page.locator('.codelens-decoration a').filter({ hasText: 'Render 2 missing images…' }).click();
      await dialog().waitFor();
      await choose();
      await priced(/· 2 of 2 · €0\.\d\d$/);
      await writeFile(join(late, 'harbor.png'), 'drawn by hand');
      await render(/Render 2 images with/);
      await workbench
        .notification('Not sent, nothing charged: “harbor.png” was saved or changed in the meantime.')
        .waitFor();
      // Its temporary file is removed shortly after the image has its name.
      await until(async () => (await readdir(late)).sort().join() === 'harbor.png,owl.png,page.md');
      assert.equal(asked(from)['POST /generations'], 1);
    });
  });
}

/** The project's spending limit, cents. */
function limited(perProject: number): string {
  return JSON.stringify({ 'modelCatalog.budget.perProject': perProject });
}
