import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { chooseFromMenu, openFile } from './choose';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { commands } from '../../src/editor/ids';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/** The palette would close the box. */
const keybindings = [{ key: 'f7', command: commands.quickRender }];

for (const version of versions) {
  suite(`Quick render, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-quick-'));
      await mkdir(join(project, 'art'));
      await writeFile(join(project, 'story.md'), 'Once there was\n  an old heron at dawn  \nby the river.\n');
      workbench = await openWorkbench({ version, workspace: project, keybindings });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `quick-render-${name}-${version}.png`));
    const balance = (text: string) => workbench.statusBarItem('modelCatalog.balance').filter({ hasText: text });
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const widget = () => workbench.page.locator('.quick-input-widget');

    /** Resolves once the box is open at its first step, for the first time or again. */
    const box = () => widget().getByText('Quick Render', { exact: true }).waitFor();

    async function open(): Promise<void> {
      await workbench.command('Model Catalog: Quick Render…');
      await box();
    }

    /** Enter renders what the first row offers, once that is marked as ready. */
    async function priced(text: RegExp): Promise<void> {
      const sign = workbench.page.locator('.codicon-zap');
      await rows().first().filter({ hasText: text }).filter({ has: sign }).waitFor();
    }

    async function render(): Promise<void> {
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
    }

    async function filesOf(folder: string): Promise<string[]> {
      const names = await readdir(join(project, folder)).catch(() => []);
      return names.filter((name) => /\.(png|md)$/.test(name));
    }

    /** The files in one of the project's folders, once there are this many. */
    async function files(folder: string, count: number): Promise<string[]> {
      await until(async () => (await filesOf(folder)).length >= count);
      return filesOf(folder);
    }

    test('a prompt and Enter: the image is saved in the project at the price on the row', async () => {
      await open();
      await rows().first().filter({ hasText: 'Type a prompt' }).waitFor();
      await shoot('empty');
      await workbench.page.keyboard.type('a red lighthouse by the sea');
      await priced(/Render · €0\.04 · balance after €24\.96/);
      await shoot('priced');
      await render();
      const [name = ''] = await files('renders', 1);
      assert.match(name, /^a-red-lighthouse\.png$/);
      decode(await readFile(join(project, 'renders', name)), { checkCrc: true });
      await balance('€24.96').waitFor();
      await workbench.page.locator(`.tab[data-resource-name="${name}"]`).waitFor();
      await shoot('opened');
      await workbench
        .tree('Generations')
        .getByRole('treeitem', { name: /a red lighthouse by the sea/ })
        .waitFor();
    });

    test('Enter before the price spends nothing, and Escape keeps the typed text', async () => {
      await open();
      await workbench.quickInput.fill('a lantern on a hill');
      await workbench.quickInput.press('Enter');
      await priced(/Render · €0\.04 · balance after €24\.92/);
      await workbench.page.keyboard.press('Escape');
      await widget().waitFor({ state: 'hidden' });
      await workbench.page.keyboard.press('F7');
      await box();
      assert.equal(await workbench.quickInput.inputValue(), 'a lantern on a hill');
      await priced(/balance after €24\.92/);
      assert.equal((await files('renders', 1)).length, 1);
      await balance('€24.96').waitFor();
      await workbench.page.keyboard.press('Escape');
    });

    test('opened again while one of its steps is open, it still gets its price', async () => {
      await open();
      await workbench.pick(/^Model/);
      await workbench.page.getByPlaceholder('Search by name').waitFor();
      await workbench.page.keyboard.press('F7');
      await box();
      await priced(/balance after €24\.92/);
      await workbench.quickInput.fill('a lantern by the sea');
      await priced(/balance after €24\.92/);
      await workbench.page.keyboard.press('Escape');
      await widget().waitFor({ state: 'hidden' });
    });

    test('pressing Down right after the price arrives reaches every row', async () => {
      await open();
      await workbench.quickInput.fill('a windmill');
      await rows().first().filter({ hasText: '€' }).waitFor();
      await workbench.page.keyboard.press('ArrowDown');
      await workbench.pick(/^Saves to/);
      await workbench.page.keyboard.press('Escape');
    });

    test('a selection in the editor is the prompt', async () => {
      await openFile(workbench, 'story.md');
      await workbench.page.keyboard.press('Control+A');
      await open();
      assert.equal(await workbench.quickInput.inputValue(), 'Once there was an old heron at dawn by the river.');
      await priced(/Render · €0\.04/);
      await render();
      // A command could have done all of that.
      await workbench.confirm('Render for €0.04');
      const names = await files('renders', 2);
      assert.ok(
        names.some((name) => name.includes('once-there-was-an-old')),
        names.join(),
      );
    });

    test('a field and the model can be changed, and the price follows', async () => {
      await open();
      await workbench.quickInput.fill('frost on the window');
      await workbench.pick(/^Size/);
      await workbench.pick('small');
      await box();
      await rows().filter({ hasText: 'Size' }).filter({ hasText: 'small' }).waitFor();
      await priced(/Render · €0\.02/);
      await shoot('field');
      await workbench.pick(/^Model/);
      await workbench.page.getByPlaceholder('Search by name').fill('haiku-1');
      await workbench.pick('haiku-1');
      await box();
      await rows().filter({ hasText: 'Haiku 1' }).waitFor();
      assert.equal(await workbench.quickInput.inputValue(), 'frost on the window');
      await priced(/Render · €0\.01/);
      await render();
      const names = await files('renders', 3);
      assert.ok(
        names.some((name) => name.endsWith('.md')),
        names.join(),
      );
    });

    test('a folder in the Explorer gets the result', async () => {
      await workbench.command('View: Show Explorer');
      const entry = (name: string) => workbench.page.getByRole('treeitem', { name, exact: true });
      // The rows still move until all of them are there.
      for (const name of ['renders', 'story.md']) await entry(name).waitFor();
      await chooseFromMenu(workbench, entry('art'), 'Model Catalog > Quick Render Here…');
      await widget().getByText('Quick Render to art').waitFor();
      await workbench.quickInput.fill('rain');
      // The row for the earlier prompt had the same price.
      await widget().getByText('art/rain').waitFor();
      await priced(/Render · €0\.01/);
      await shoot('here');
      await render();
      assert.equal((await files('art', 1)).length, 1);
    });

    test('the form opens with the typed text', async () => {
      await open();
      await workbench.quickInput.fill('snow at night');
      await workbench.pick('Open in Form');
      const form = await workbench.webviewFrame('haiku-1');
      const prompt = form.getByRole('textbox').first();
      await until(async () => (await prompt.inputValue()) === 'snow at night');
    });

    test('several images cost the sum on the row, open side by side, and earlier prompts are offered', async () => {
      await open();
      await workbench.pick(/^Model/);
      await workbench.page.getByPlaceholder('Search by name').fill('strata-2');
      await workbench.pick('paperlight/strata/strata-2');
      await box();
      await workbench.quickInput.fill('');
      await rows().filter({ hasText: 'a red lighthouse by the sea' }).waitFor();
      await rows().filter({ hasText: 'Number of images' }).click();
      await shoot('counts');
      await workbench.pick('× 2');
      await box();
      await workbench.quickInput.fill('a lone pine');
      await priced(/Render 2 · €0\.0\d · balance after/);
      await shoot('several');
      await render();
      // In the order of the renders; the two numbers and seeds are all that differs.
      await workbench.openWebview(/^1 · seed \d+ ↔ 2 · seed \d+$/);
      const pines = (await filesOf('renders')).filter((name) => name.startsWith('a-lone-pine'));
      assert.equal(pines.length, 2);
    });

    test('a style of a render file adds its words, shows what it sends, and goes along to the form', async () => {
      const styles = { docs: { before: 'Muted blues.', after: 'No text.', inputs: { size: 'small', guidance: 4 } } };
      await writeFile(join(project, 'renders.jsonc'), JSON.stringify({ styles, renders: [] }));
      await open();
      await workbench.quickInput.fill('a heron');
      await rows().filter({ hasText: 'Project style' }).filter({ hasText: 'None' }).click();
      await rows().filter({ hasText: 'Muted blues. … No text.' }).waitFor();
      await shoot('styles');
      await workbench.pick('docs');
      await box();
      await rows().filter({ hasText: 'docs · Not supported by this model: guidance' }).waitFor();
      await rows().filter({ hasText: 'small · set by the style' }).waitFor();
      await priced(/Render · €0\.02.*Prompt with style: Muted blues\. a heron No text\./);
      await shoot('style');
      await render();
      await until(async () => (await filesOf('renders')).includes('a-heron.png'));
      await open();
      await workbench.quickInput.fill('a hare');
      await workbench.pick('Open in Form');
      const form = await workbench.openWebview('strata-2');
      await form.getByText('Adds to the prompt: Muted blues. … No text.').waitFor();
      assert.equal(await form.getByRole('textbox').first().inputValue(), 'a hare');
      await workbench.screenshot(join(images, `form-style-${version}.png`));
    });

    test('the price next to a link is that of the style which its render starts with', async () => {
      await writeFile(join(project, 'birds.md'), '![a crane at dawn](crane.png)\n');
      await openFile(workbench, 'birds.md');
      const offer = (price: RegExp) =>
        workbench.page.locator('.codelens-decoration a').filter({ hasText: price }).filter({ hasText: 'Render… · ' });
      await offer(/Strata 2 · €0\.02/).waitFor();
      await shoot('styled-link');
      await open();
      await rows().filter({ hasText: 'Project style' }).filter({ hasText: 'docs' }).click();
      await workbench.pick('None');
      await box();
      await workbench.page.keyboard.press('Escape');
      await offer(/Strata 2 · €0\.0[3-9]/).waitFor();
    });
  });
}
