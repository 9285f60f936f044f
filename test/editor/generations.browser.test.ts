import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { chooseFromMenu } from './choose';
import { releases } from './codeServer';
import { seedLedger, type Seed } from './ledgerSeed';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
/** A name with characters special to Markdown and URLs. */
const folder = 'my (old) [fox] 100%25 #1';
const day = 24 * 3_600_000;

/** One render for each way the view can show one, besides those that the test renders. */
function seeds(now: number): Seed[] {
  const byAgent = { by: 'agent', agent: 'Codex' } as const;
  const noon = new Date(now).setHours(12, 0, 0, 0);
  return [
    { prompt: 'yesterday’s owl', plannedAt: noon - day },
    { prompt: 'an earlier fox', plannedAt: noon - 9 * day },
    { prompt: 'an earlier heron', plannedAt: noon - 30 * day, state: 'failed', status: 'failed', ...byAgent },
    {
      prompt: 'nobody knows',
      state: 'unknown',
      status: undefined,
      costCents: undefined,
      generationId: undefined,
      unanswered: 1,
      plannedAt: now - 3_600_000,
      problem: { code: 'tooOld' },
    },
    {
      prompt: 'not sent yet',
      state: 'planned',
      status: undefined,
      costCents: undefined,
      generationId: undefined,
      attempt: 0,
      plannedAt: now - 3_600_000,
      problem: { code: 'noAnswer' },
    },
    {
      prompt: 'paid and waiting',
      state: 'succeeded',
      target: { folder: '', fileName: 'x' },
      problem: { code: 'noFolder' },
    },
  ];
}

for (const version of versions) {
  suite(`The Generations view, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-generations-'));
      const settings = { 'modelCatalog.notifications': 'never', 'modelCatalog.output.folder': folder };
      workbench = await openWorkbench({ version, workspace: project, settings, size: { width: 1280, height: 1000 } });
      await workbench.command('View: Show Model Catalog');
      await workbench.page.getByRole('button', { name: 'Models Section' }).click();
      for (const prompt of ['a red fox in the snow', 'a blue fox at sea']) await render(prompt);
      await workbench.command('View: Close All Editors');
      await seedLedger(workbench.profile, seeds(Date.now()));
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `generations-${name}-${version}.png`));
    const items = () => workbench.tree('Generations').getByRole('treeitem');
    const item = (text: string) => items().filter({ hasText: text });
    const groups = () => workbench.tree('Generations').locator('[role="treeitem"][aria-level="1"] .label-name');
    const dialog = () => workbench.page.locator('.monaco-dialog-box');

    const selected = () => workbench.tree('Generations').locator('.monaco-list-row.selected');
    const focused = () => workbench.tree('Generations').locator('.monaco-list-row.focused');

    /** Moves the focus of the view to the row of this text, with keys. */
    async function goTo(text: string): Promise<void> {
      await workbench.page.keyboard.press('Home');
      const row = item(text).and(focused());
      for (let down = 0; down < 20 && !(await row.isVisible()); down++)
        await workbench.page.keyboard.press('ArrowDown');
      await row.waitFor();
    }

    /** Presses Delete, and cancels the question. */
    async function asksAbout(question: RegExp): Promise<void> {
      await workbench.page.keyboard.press('Delete');
      await dialog().getByText(question).waitFor();
      await workbench.page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    }

    async function render(prompt: string): Promise<void> {
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox').first().fill(prompt);
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await workbench
        .tree('Generations')
        .getByRole('treeitem', { name: `${prompt}, saved` })
        .waitFor();
    }

    test('shows renders that need a decision first, then the days', async () => {
      await groups().filter({ hasText: 'Earlier' }).waitFor();
      await item('not sent yet').first().waitFor();
      const wanted = 'Paid, not saved|Unconfirmed|Not sent|Today|Yesterday|Earlier';
      await until(async () => (await groups().allInnerTexts()).join('|') === wanted);
      await item('yesterday’s owl').waitFor();
      assert.equal(await item('an earlier fox').count(), 0, 'what is long past stays closed');
      for (const theme of ['light', 'hcDark', 'hcLight', 'dark'] as const) {
        await workbench.setTheme(theme);
        await shoot(`groups-${theme}`);
      }
    });

    test('shows the saved image on hover', async () => {
      await item('a red fox').hover();
      const picture = workbench.page.locator('.monaco-hover img');
      await picture.waitFor();
      await workbench.page.waitForFunction(
        (image) => image instanceof HTMLImageElement && image.complete,
        await picture.elementHandle(),
      );
      assert.ok((await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)) > 0, 'it is a picture');
      assert.equal(await picture.evaluate((image: HTMLImageElement) => image.width), 200);
      await shoot('hover');
      await workbench.page.mouse.move(0, 0);
    });

    test('a search narrows the view while typing, expands older groups, and can be cleared', async () => {
      await workbench.command('Model Catalog: Search Generations…');
      await workbench.quickInput.fill('FOX');
      await item('an earlier fox').waitFor();
      await item('yesterday’s owl').waitFor({ state: 'detached' });
      await workbench.page.locator('.pane-header .description', { hasText: '“FOX”: 3 of 8' }).waitFor();
      await shoot('search');
      await workbench.quickInput.fill('fox nowhere');
      await workbench.page.getByText('No matching renders').waitFor();
      await item('fox').first().waitFor({ state: 'detached' });
      await shoot('search-nothing');
      await workbench.page.keyboard.press('Enter');
      const header = workbench.page.locator('.pane-header', { hasText: 'Generations' });
      await header.hover();
      await header.getByRole('button', { name: 'Clear Generations Search' }).click();
      await item('yesterday’s owl').waitFor();
      assert.equal(await workbench.page.locator('.pane-header .description', { hasText: 'FOX' }).count(), 0);
    });

    test('a search finds what an agent asked for, by the name it gave itself', async () => {
      await workbench.command('Model Catalog: Search Generations…');
      await workbench.quickInput.fill('codex');
      await workbench.page.locator('.pane-header .description', { hasText: '“codex”: 1 of 8' }).waitFor();
      await item('an earlier heron').waitFor();
      await workbench.page.keyboard.press('Escape');
      await item('yesterday’s owl').waitFor();
    });

    test('Escape cancels a search', async () => {
      await workbench.command('Model Catalog: Search Generations…');
      await workbench.quickInput.fill('owl');
      await item('a red fox').waitFor({ state: 'detached' });
      await workbench.page.keyboard.press('Escape');
      await item('a red fox').waitFor();
    });

    test('the page of a render has its picture and every fact', async () => {
      await chooseFromMenu(workbench, item('a red fox'), 'Show How It Was Made');
      const made = await workbench.openWebview(/^a-red-fox[^ ]*\.png$/);
      await made.getByText('Rendered on this computer. The file hasn’t changed since it was saved.').waitFor();
      for (const summary of await made.locator('summary').all()) await summary.click();
      const text = await made.locator('main').innerText();
      for (const fact of [
        /a red fox in the snow/,
        /Charged\s+€\d/,
        /image\/png/,
        /SHA-256 [0-9a-f]{64}/,
        /Service\s+sandbox/,
      ])
        assert.match(text, fact);
      assert.doesNotMatch(text, /ai_live/);
      await shoot('page');
    });

    test('Delete asks about the row that the arrow keys lead to, and selects nothing', async () => {
      await workbench.command('View: Close All Editors');
      await workbench.command('Model Catalog: Focus on Generations View');
      await goTo('a blue fox');
      assert.equal(await selected().count(), 0);
      await asksAbout(/^Move “a-blue-fox.*\.png” to the trash\?$/);
      await item('a blue fox').and(focused()).waitFor();
      await until(async () => (await selected().count()) === 0);
    });

    test('a click shows the image and leaves the focus in the view: Delete asks about that row, and then the next', async () => {
      await item('a red fox').click();
      // By then, the image would have taken the focus.
      await workbench.openWebview('Image Preview');
      await workbench.page.getByRole('tab', { name: /^a-red-fox.*\.png/, selected: true }).waitFor();
      await asksAbout(/^Move “a-red-fox.*\.png” to the trash\?$/);
      await goTo('a blue fox');
      await item('a red fox').and(selected()).waitFor();
      await asksAbout(/^Move “a-blue-fox.*\.png” to the trash\?$/);
      await item('a red fox').and(selected()).waitFor();
      await item('a red fox').click({ modifiers: ['ControlOrMeta'] });
      await until(async () => (await selected().count()) === 0);
    });

    test('several selected renders are moved to the trash after one question, with their files, and from the service', async () => {
      const files = () => readdir(join(project, folder));
      assert.deepEqual((await files()).filter((name) => /fox/.test(name)).length, 2);
      await item('a red fox').click({ modifiers: ['ControlOrMeta'] });
      await item('a blue fox').click({ modifiers: ['ControlOrMeta'] });
      await workbench.page.keyboard.press('Delete');
      await dialog().getByText('Move 2 renders and their files to the trash?').waitFor();
      await shoot('delete');
      await workbench.confirm('Also Delete from Service');
      // The remote files of this window have no trash.
      await dialog().getByText('There’s no trash here. Delete 2 files permanently?').waitFor();
      await workbench.confirm('Delete');
      await item('a red fox').waitFor({ state: 'detached' });
      await item('a blue fox').waitFor({ state: 'detached' });
      assert.deepEqual(
        (await files()).filter((name) => /fox/.test(name)),
        [],
      );
    });

    test('no file of the extension contains a word of a forgotten render, nor does a form that is open', async () => {
      const prompt = (await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1')).getByRole('textbox').first();
      await until(async () => (await prompt.inputValue()) === 'a blue fox at sea');
      const kept = () =>
        filesWith(['an earlier fox', 'a red fox in the snow', 'a blue fox at sea'], workbench.profile.userData);
      assert.notDeepEqual(await kept(), []);
      await chooseFromMenu(workbench, item('yesterday’s owl'), 'More > Delete from History');
      await dialog().getByText('Delete “yesterday’s owl” from your render history?').waitFor();
      await shoot('forget');
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await item('yesterday’s owl').waitFor({ state: 'detached' });

      await workbench.command('Model Catalog: Delete Project’s Render History');
      await dialog().getByText('Delete all 4 renders of this project from your history?').waitFor();
      await shoot('forget-project');
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await item('Earlier').waitFor({ state: 'detached' });
      await item('nobody knows').waitFor();
      await until(async () => (await prompt.inputValue()) === '');
      await until(async () => (await kept()).length === 0);
      await workbench.command('View: Close All Editors');
      // Nothing is kept again when the form closes.
      await workbench.page.getByRole('tab', { name: 'Sprite 1' }).waitFor({ state: 'detached' });
      assert.deepEqual(await kept(), []);
    });

    test('a render in progress says how long such renders usually take, and a long prompt leaves room for that', async () => {
      await render('a green fox');
      const now = Date.now();
      const seen = Array.from({ length: 5 }, () => ({ prompt: 'seen', acceptedAt: now - 4000, endedAt: now }));
      await seedLedger(workbench.profile, seen);
      await until(async () => (await item('seen').count()) === 5);
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox').first().fill('a purple fox that looks at the sea for hours and hours');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await item('a purple fox that looks at the…')
        .filter({ hasText: /\d s, usually \d s/ })
        .waitFor();
      await shoot('usually');
      await workbench
        .tree('Generations')
        .getByRole('treeitem', { name: /for hours and hours, saved/ })
        .waitFor();
    });
  });
}

/** The files below a folder that contain any of these words. */
async function filesWith(words: readonly string[], below: string): Promise<string[]> {
  const entries = await readdir(below, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    // The sandbox is the service, which keeps its data.
    if (file.includes('/sandbox/')) continue;
    // A temporary file may be gone.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    if (words.some((word) => bytes.includes(word))) found.push(file);
  }
  return found;
}
