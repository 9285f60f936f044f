import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { openFile } from './choose';
import { releases } from './codeServer';
import { root } from './root';
import { patiently, until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const passage = 'Once there was an old heron at dawn, who stood by the river.';
const story = `# A tale\n\n${passage}\n\nThe end.\n`;

for (const version of ['latest'] as const) {
  suite(`A selected text, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-selection-'));
      await writeFile(join(project, 'story.md'), story);
      // On by default in a browser.
      const autoSave = { 'files.autoSave': 'off' };
      // Polls so rarely that a busy editor shows that a response is awaited before it is there.
      const settings = { ...autoSave, 'modelCatalog.pollInterval': 6, 'modelCatalog.notifications': 'always' };
      workbench = await openWorkbench({ version, workspace: project, settings });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `selection-${name}-${version}.png`));
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const widget = () => workbench.page.locator('.quick-input-widget');
    const group = (number: number) => workbench.page.locator('.editor-group-container').nth(number);
    const text = () => readFile(join(project, 'story.md'), 'utf8');
    const changes = () => workbench.page.locator('.monaco-diff-editor');
    /** One of the choices above the passage. */
    const lens = (name: string) => workbench.page.locator('.codelens-decoration a').getByText(name, { exact: true });
    /** A button in the title bar of the diff. */
    const button = (name: string) =>
      workbench.page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name });

    /** The saved responses, latest last. */
    async function responses(): Promise<string[]> {
      const names = await readdir(join(project, 'renders')).catch(() => []);
      const files = names.filter((name) => name.endsWith('.md')).map((name) => join(project, 'renders', name));
      const texts = await Promise.all(
        files.map(async (file) => ({ at: (await stat(file)).mtimeMs, text: await readFile(file, 'utf8') })),
      );
      return texts.sort((one, other) => one.at - other.at).map((one) => one.text);
    }

    /**
     * Selects the paragraph with the keyboard, as a user does. Repeats if the editor drops the selection, as it does
     * when it reloads a file changed on disk.
     */
    async function selectPassage(): Promise<void> {
      const { keyboard } = workbench.page;
      await openFile(workbench, 'story.md');
      const above = (await text()).split('\n').indexOf(passage);
      const selected = workbench.statusBarItem('selection').filter({ hasText: `${passage.length} selected` });
      await patiently(
        async (timeout) => {
          await keyboard.press('Control+Home');
          for (let line = 0; line < above; line++) await keyboard.press('ArrowDown');
          // First to the end of the wrapped line, then to that of the entire line.
          for (let press = 0; press < 2; press++) await keyboard.press('Shift+End');
          await selected.waitFor({ timeout });
        },
        async () => {},
        'The passage is not selected.',
      );
    }

    /** Enter renders what the first row offers, once that is marked as ready. */
    async function order(offer: RegExp): Promise<void> {
      const sign = workbench.page.locator('.codicon-zap');
      await rows().first().filter({ hasText: offer }).filter({ has: sign }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
    }

    /** The document's text once it was changed, which is then saved. */
    async function saved(): Promise<string> {
      const unsaved = workbench.page.locator('.tab.dirty').filter({ hasText: 'story.md' });
      await unsaved.waitFor();
      await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await workbench.page.keyboard.press('Control+S');
      await unsaved.waitFor({ state: 'detached' });
      return text();
    }

    async function undone(): Promise<string> {
      await workbench.page.keyboard.press('Control+Z');
      return saved();
    }

    async function send(): Promise<void> {
      await selectPassage();
      await workbench.command('Model Catalog: Send Selection to Text Model…');
      await widget().getByText('Send Selection to Text Model', { exact: true }).waitFor();
    }

    test('is rendered from the editor’s menu, and its image opens next to the document, which keeps the focus', async () => {
      await selectPassage();
      await workbench.page.locator('.monaco-editor .view-line').filter({ hasText: 'heron' }).click({ button: 'right' });
      // With the keyboard, since a menu ignores clicks for its first moment.
      await workbench.page.getByRole('menuitem', { name: 'Render Image from Selection…' }).hover();
      await shoot('menu');
      await workbench.page.keyboard.press('Enter');
      await widget().getByText('Render Image from Selection', { exact: true }).waitFor();
      assert.equal(await workbench.quickInput.inputValue(), passage);
      await order(/Render · €0\.04 · balance after €24\.96/);
      await workbench.confirm('Render for €0.04');
      await group(1)
        .getByRole('tab', { name: /once-there-was.*\.png/ })
        .waitFor();
      await group(0).locator('.monaco-editor.focused').waitFor();
      await workbench.page.locator('.editor-group-container.active').getByRole('tab', { name: 'story.md' }).waitFor();
      // The image is drawn in its own webview, which shows when it's done.
      await workbench.statusBarItem('selection').filter({ hasText: '60 selected' }).waitFor();
      await shoot('beside');
    });

    test('goes to a text model with an instruction at the price on the row; progress and choices are at the passage, and the response is shown as a diff, accepted where the passage is by then, and undone in one step', async () => {
      await send();
      await rows().first().filter({ hasText: 'Type an instruction' }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await shoot('alone');
      assert.ok(await widget().isVisible());
      assert.doesNotMatch(await widget().innerText(), /€/);
      await workbench.quickInput.fill('make it shorter');
      await rows().filter({ hasText: 'Summary 2' }).waitFor();
      await shoot('priced');
      await order(/Send · €0\.01 · balance after €24\.95/);
      await lens('Stop Waiting').waitFor();
      await shoot('waiting');
      await changes().waitFor();
      await workbench.command('View: Close Editor');
      await lens('Discard Response').waitFor();
      for (const way of ['Accept', 'Insert Below', 'New File']) await lens(way).waitFor();
      await shoot('choices');
      await lens('Show Changes').click();
      await changes().waitFor();
      await button('Accept Response').waitFor();
      await shoot('changes');
      const [response = ''] = await responses();
      assert.notEqual(response, '');
      const moved = story.replace('# A tale', '# A tale\n\nOf a bird.');
      await writeFile(join(project, 'story.md'), moved);
      // Inline, a line that is temporarily removed may also contain it.
      await changes().locator('.modified .view-line').filter({ hasText: 'Of a bird.' }).first().waitFor();
      await button('Accept Response').click();
      await changes().waitFor({ state: 'detached' });
      await lens('Discard Response').waitFor({ state: 'detached' });
      assert.equal(await saved(), moved.replace(passage, response.trim()));
      assert.equal(await undone(), moved);
    });

    test('gets its response inserted below from the notification, and an earlier instruction is one row away', async () => {
      const before = await text();
      const earlier = (await responses()).length;
      await send();
      await workbench.pick('make it shorter');
      await until(async () => (await workbench.quickInput.inputValue()) === 'make it shorter');
      await workbench.quickInput.press('Home');
      await order(/Send · €0\.01/);
      await workbench.confirm('Render for €0.01');
      await changes().waitFor();
      const notice = workbench.notification('responded to your selection in “story.md” · €0.01').first();
      await notice.getByRole('button', { name: 'Insert Below' }).click();
      await changes().waitFor({ state: 'detached' });
      // It can be reviewed before its own file is on the disk.
      await until(async () => (await responses()).length > earlier);
      const [response = ''] = (await responses()).slice(-1);
      assert.equal(await saved(), before.replace(passage, `${passage}\n\n${response.trim()}`));
      assert.equal(await undone(), before);
    });

    test('if it’s gone when the response is accepted, that is reported, and the response goes into a new file', async () => {
      await send();
      await workbench.quickInput.fill('say it briefly');
      await order(/Send · €0\.01/);
      await changes().waitFor();
      await writeFile(join(project, 'story.md'), '# Another tale\n');
      await changes().locator('.original .view-line').filter({ hasText: 'Another tale' }).waitFor();
      await button('Accept Response').click();
      const notice = workbench.notification('“story.md” no longer contains the selected text');
      await notice.waitFor();
      await shoot('gone');
      await notice.getByRole('button', { name: 'New File' }).click();
      await changes().waitFor({ state: 'detached' });
      await workbench.page.getByRole('tab', { name: /Untitled-1/, selected: true }).waitFor();
      const [response = ''] = (await responses()).slice(-1);
      const [line = ''] = response.split('\n');
      await group(0).locator('.view-line').filter({ hasText: line }).first().waitFor();
      assert.equal(await text(), '# Another tale\n');
    });
  });
}
