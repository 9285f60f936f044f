import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { chooseFromMenu, openAt } from './choose';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const guide = '# Harbour\n\nThe fox: \n\nThe owl: ![an owl](), here.\n';
const notes = '# Notes\n\n\n\n```sh\ncp \n```\n';
const page = '<main>\n  <p>It is here:</p>\n  \n</main>\n';

for (const version of ['latest'] as const) {
  suite(`Results as links, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    let form: Frame;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-links-'));
      await mkdir(join(project, 'docs'));
      await writeFile(join(project, 'docs', 'guide.md'), guide);
      await writeFile(join(project, 'page.html'), page);
      await writeFile(join(project, 'notes.md'), notes);
      const settings = {
        'modelCatalog.notifications': 'never',
        'modelCatalog.missingImages': 'off',
        'files.autoSave': 'afterDelay',
        'files.autoSaveDelay': 50,
        // Cursor keys move by document line, however long.
        'editor.wordWrap': 'off',
        '[markdown]': { 'editor.wordWrap': 'off' },
      };
      workbench = await openWorkbench({ version, workspace: project, settings });
      await workbench.command('View: Show Model Catalog');
      await workbench.page.getByRole('button', { name: 'Models Section' }).click();
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `links-${name}-${version}.png`));
    const text = (name: string) => readFile(join(project, name), 'utf8');
    const row = (prompt: string) => workbench.tree('Generations').getByRole('treeitem', { name: `${prompt}, saved` });

    /** Drags with the key that makes the editor insert what is dropped instead of opening it. */
    async function drag(from: Locator, to: Locator): Promise<void> {
      const { mouse, keyboard } = workbench.page;
      const { x, y, height } = (await to.boundingBox())!;
      await from.hover();
      await mouse.down();
      await keyboard.down('Shift');
      await mouse.move(x + 20, y + height / 2, { steps: 5 });
      await shoot('drag');
      await mouse.up();
      await keyboard.up('Shift');
    }

    const choose = (prompt: string, action: string) => chooseFromMenu(workbench, row(prompt), action);

    test('a form inserts a link where the user was last writing, if they choose to', async () => {
      await openAt(workbench, 'docs/guide.md', 3);
      form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox').first().fill('a red fox');
      await form.getByText('Insert a link in guide.md, line 3').click();
      const button = form.getByRole('button', { name: /^Render · €/, disabled: false });
      await button.waitFor();
      for (const theme of ['light', 'hcDark', 'hcLight', 'dark'] as const) {
        await workbench.setTheme(theme);
        await shoot(`form-${theme}`);
      }
      await button.click();
      await until(async () => /^The fox: !\[a red fox\]\(\.\.\/renders\/.+\.png\)$/m.test(await text('docs/guide.md')));
      const [, address = ''] = /a red fox\]\((.+?)\)/.exec(await text('docs/guide.md')) ?? [];
      await until(() => Promise.resolve(existsSync(join(project, 'docs', decodeURIComponent(address)))));
      await row('a red fox').waitFor();
    });

    test('otherwise, nothing is inserted', async () => {
      const before = await text('docs/guide.md');
      await form.getByText('Insert a link in guide.md').click();
      await form.getByRole('textbox').first().fill('a tawny owl');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await row('a tawny owl').waitFor();
      assert.equal(await text('docs/guide.md'), before);
    });

    test('a result dragged from the view into a page becomes a link, with alt text and size', async () => {
      await openAt(workbench, 'page.html', 3);
      await drag(row('a red fox'), workbench.page.locator('.editor-instance .view-line').nth(2));
      await until(async () =>
        /<img src="renders\/.+\.png" alt="a red fox" width="\d+" height="\d+">/.test(await text('page.html')),
      );
      await shoot('dropped');
    });

    test('a result copied as a link is pasted as the document writes it', async () => {
      await openAt(workbench, 'docs/guide.md', 6);
      await choose('a tawny owl', 'More > Copy as Link');
      await workbench.page.getByText('Copied as a link for guide.md').first().waitFor();
      await openAt(workbench, 'docs/guide.md', 6);
      await workbench.page.keyboard.press('Control+V');
      await until(async () => /^!\[a tawny owl\]\(\.\.\/renders\/.+\.png\)$/m.test(await text('docs/guide.md')));
    });

    test('a copied path becomes a link in text, and stays a path where one is expected', async () => {
      await choose('a tawny owl', 'More > Copy Path');
      await openAt(workbench, 'docs/guide.md', 5, ', here.'.length + 1);
      await workbench.page.keyboard.press('Control+V');
      await until(async () =>
        /^The owl: !\[an owl\]\(\.\.\/renders\/.+\.png\), here\.$/m.test(await text('docs/guide.md')),
      );
      await openAt(workbench, 'page.html', 2, '</p>'.length);
      await workbench.page.keyboard.press('Control+V');
      await until(async () => /It is here:<img src="renders\/.+\.png" alt="a tawny owl"/.test(await text('page.html')));
      await shoot('pasted');
    });

    test('several results are dropped as several links, ahead of the editor’s own', async () => {
      await openAt(workbench, 'notes.md', 3);
      await row('a red fox').click({ modifiers: ['Control'] });
      await row('a tawny owl').click({ modifiers: ['Control'] });
      await drag(row('a tawny owl'), workbench.page.locator('.editor-instance .view-line').nth(2));
      await until(async () =>
        /^!\[a [^\]]+\]\(renders\/[^)]+\.png\) !\[a [^\]]+\]\(renders\/[^)]+\.png\)$/m.test(await text('notes.md')),
      );
    });

    test('a file copied in the Explorer is pasted as a link too, and as its path into code', async () => {
      const { page } = workbench;
      await workbench.command('View: Show Explorer');
      const file = page.getByRole('treeitem', { name: /^a-tawny-owl[^ ]*\.png/ });
      await page.getByRole('treeitem', { name: 'renders' }).first().click();
      await file.click();
      await file.press('Control+C');
      await openAt(workbench, 'notes.md', 4);
      await page.keyboard.press('Control+V');
      await until(async () => /^!\[a tawny owl\]\(renders\/.+\.png\)$/m.test(await text('notes.md')));
      await openAt(workbench, 'notes.md', 6);
      await page.keyboard.press('Control+V');
      await until(async () => /^cp [^[\]]*a-tawny-owl[^[\]]*\.png$/m.test(await text('notes.md')));
    });
  });
}
