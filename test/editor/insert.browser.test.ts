import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { startService, type Service } from '../faults/kill/programs';
import { chooseQuickFix, goToLine, openAt } from './choose';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

for (const version of ['latest'] as const) {
  suite(`An image rendered for a line of a document, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    let account: string;
    let service: Service;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-insert-'));
      await mkdir(join(project, 'docs'));
      await writeFile(join(project, 'docs', 'guide.md'), '# Harbour\n\nBelow is the lighthouse.\n\n');
      await writeFile(join(project, 'page.vue'), '<template>\n  <main>\n    \n  </main>\n</template>\n');
      const settings = {
        'files.autoSave': 'afterDelay',
        'files.autoSaveDelay': 50,
        'editor.autoClosingBrackets': 'never',
      };
      account = await mkdtemp(join(tmpdir(), 'model-catalog-account-'));
      service = await startService({ folder: account, latencyMs: 600 });
      workbench = await openWorkbench({ version, workspace: project, settings });
      await connectTo(workbench, service);
    });
    after(async () => {
      await workbench.close();
      await service.stop();
      await removeFolder(account);
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `insert-${name}-${version}.png`));
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const widget = () => workbench.page.locator('.quick-input-widget');
    const text = (name: string) => readFile(join(project, name), 'utf8');
    const addressIn = async (name: string) =>
      /\]\((.+)\)|src="(.+?)"/
        .exec(await text(name))
        ?.slice(1)
        .find(Boolean);

    /** Decorations next to links. */
    const beside = () =>
      workbench.page
        .locator('.view-line span')
        .evaluateAll((spans) =>
          spans.map((span) => getComputedStyle(span, '::after').content).filter((content) => content.includes('◌')),
        );

    /** Opens the box that inserts, and orders the typed text with Enter once its price is on the row. */
    async function insert(prompt: string, model?: string): Promise<void> {
      await workbench.command('Model Catalog: Render Image and Insert Link…');
      const box = widget().getByText('Render Image and Insert Link', { exact: true });
      await box.waitFor();
      if (model !== undefined) {
        await rows().filter({ hasText: 'Insert a link' }).waitFor();
        await workbench.pick(/^Model/);
        await workbench.page.getByPlaceholder('Search by name').fill(model);
        await workbench.pick(model);
        await box.waitFor();
      }
      await workbench.quickInput.fill(prompt);
      const sign = workbench.page.locator('.codicon-zap');
      await rows()
        .first()
        .filter({ hasText: /Render and insert · €0\.\d\d/ })
        .filter({ has: sign })
        .waitFor();
      await shoot('box');
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
    }

    test('the link is inserted right away, shows that its image is in progress, and the image is saved to exactly that path', async () => {
      await openAt(workbench, 'docs/guide.md', 4);
      await insert('a red lighthouse [at] dawn', 'mist-3-slow');
      await until(async () => (await addressIn('docs/guide.md')) !== undefined);
      await until(async () => (await beside()).some((words) => /◌ .* s · €0\.\d\d/.test(words)));
      await shoot('pending');
      const address = (await addressIn('docs/guide.md')) ?? '';
      assert.match(await text('docs/guide.md'), /^!\[a red lighthouse \\\[at\\?\] dawn\]\(\.\.\/renders\/.+\.png\)/m);
      const file = join(project, 'docs', decodeURIComponent(address));
      await until(() => Promise.resolve(existsSync(file)));
      decode(await readFile(file), { checkCrc: true });
      await until(async () => (await beside()).length === 0);
    });

    test('undo removes the link, and the image is kept', async () => {
      const address = (await addressIn('docs/guide.md')) ?? '';
      await openAt(workbench, 'docs/guide.md', 1);
      await workbench.page.keyboard.press('Control+Z');
      await until(async () => (await text('docs/guide.md')) === '# Harbour\n\nBelow is the lighthouse.\n\n');
      assert.ok(existsSync(join(project, 'docs', decodeURIComponent(address))));
    });

    test('a file that takes the name first is kept, and the link is updated on request', async () => {
      await openAt(workbench, 'page.vue', 3);
      await insert('a heron in the reeds', 'mist-3-slow');
      await until(async () => (await addressIn('page.vue')) !== undefined);
      const file = join(project, decodeURIComponent((await addressIn('page.vue')) ?? ''));
      await mkdir(join(project, 'renders'), { recursive: true });
      await writeFile(file, 'somebody else’s');
      await workbench.notification('couldn’t be saved under the name').waitFor();
      await workbench
        .notification('couldn’t be saved under the name')
        .getByRole('button', { name: 'Update Link' })
        .click();
      await until(async () => /renders\/.+-2\.png/.test(await text('page.vue')));
      decode(await readFile(join(project, decodeURIComponent((await addressIn('page.vue')) ?? ''))), {
        checkCrc: true,
      });
    });

    test('with two editors on one document, the active one decides the place, and the image’s size is added once it’s known', async () => {
      await openAt(workbench, 'page.vue', 1);
      // Not from the palette, which returns the focus to the previous editor.
      await workbench.page.keyboard.press('Control+Backslash');
      await workbench.page.locator('.editor-group-container').nth(1).locator('.monaco-editor.focused').waitFor();
      await goToLine(workbench, 2);
      await insert('a kingfisher on a branch', 'wet-brush/aquarelle/mist-3');
      const link = /<main><img .*alt="a kingfisher on a branch" width="\d+" height="\d+">/;
      await until(async () => link.test(await text('page.vue')));
      await workbench.command('View: Join All Editor Groups');
    });

    test('a failed render is reported at its link, which a Quick Fix removes', async () => {
      await openAt(workbench, 'docs/guide.md', 4);
      await insert('a storm', 'always-fails');
      await until(async () => (await addressIn('docs/guide.md')) !== undefined);
      const squiggle = workbench.page.locator('.squiggly-warning');
      await squiggle.first().waitFor();
      await shoot('failed');
      await openAt(workbench, 'docs/guide.md', 4);
      await chooseQuickFix(workbench, 'Remove link', async () => {
        await workbench.page
          .locator('.action-widget')
          .getByText(/Render( image from alt text|… · )/)
          .waitFor();
        await shoot('fixes');
        const offered = await workbench.page.locator('.action-widget .monaco-list-row').allInnerTexts();
        const placeOf = (words: RegExp) => offered.findIndex((row) => words.test(row));
        assert.ok(placeOf(/Render( image from alt text|… · )/) < placeOf(/Remove link/), 'what takes away stands last');
      });
      await until(async () => (await addressIn('docs/guide.md')) === undefined);
      await squiggle.first().waitFor({ state: 'detached' });
    });
  });
}
