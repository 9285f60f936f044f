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
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const strata = 'paperlight/strata/strata-2';

for (const version of versions) {
  suite(`From a model to a file in the project, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-project-'));
      workbench = await openWorkbench({ version, workspace: project });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const generations = () => workbench.tree('Generations').getByRole('treeitem');
    const shoot = (name: string) => workbench.screenshot(join(images, `renders-${name}-${version}.png`));
    const balance = () => workbench.statusBarItem('modelCatalog.balance');

    test('the price is on the button, and the image is saved in the project', async () => {
      const form = await openModelForm(workbench, strata);
      await form.getByRole('textbox', { name: /prompt/i }).fill('a red lighthouse by the sea at sunset');
      const button = form.getByRole('button', { name: /^Render · €/ });
      await button.click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      const [name = ''] = await readdir(join(project, 'renders'));
      assert.match(name, /^a-red-lighthouse\.png$/);
      const image = decode(await readFile(join(project, 'renders', name)), { checkCrc: true });
      assert.equal(image.width, image.height);
      await shoot('form');
    });

    test('the Generations view shows the prompt, the price, and the model', async () => {
      const item = generations().filter({ hasText: 'a red lighthouse by the sea' });
      await item.filter({ hasText: '€0.04' }).filter({ hasText: 'Strata 2' }).waitFor();
      await balance().filter({ hasText: 'Sandbox €24.96' }).waitFor();
      await shoot('views');
    });

    test('Ctrl+Enter renders, and an existing file isn’t replaced', async () => {
      const form = await workbench.webviewFrame('strata-2');
      await form.getByRole('textbox', { name: /prompt/i }).press('Control+Enter');
      const saved = async () => (await readdir(join(project, 'renders'))).filter((name) => name.endsWith('.png'));
      await until(async () => (await saved()).length === 2);
      assert.ok((await saved()).some((name) => name.endsWith('-2.png')));
      // The form knows, without a change in it.
      await form.getByText(/renders\/a-red-lighthouse-3$/).waitFor();
    });

    test('a text model’s response becomes a file and is shown in the form, and the window stays as it was', async () => {
      const form = await openModelForm(workbench, 'quill-house/verse/haiku-1');
      await form.getByRole('textbox').first().fill('rain on the harbour');
      await form.getByRole('button', { name: /^Render · €/ }).click();
      await form.getByRole('group', { name: 'Response' }).waitFor();
      await shoot('text');
      assert.equal(await workbench.page.locator('.tab[data-resource-name$=".md"]').count(), 0);
      assert.equal(await workbench.notification(/^Saved renders/).count(), 0);
    });

    test('a failed render is refunded by the service, and the view says exactly that', async () => {
      const before = await balance().innerText();
      const form = await openModelForm(workbench, 'rehearsal/fire-drill/always-fails');
      await form.getByRole('textbox').first().fill('anything');
      await form.getByRole('button', { name: /^Render · €/ }).click();
      await generations()
        .filter({ hasText: /failed · .*€0\.\d\d refunded/ })
        .waitFor();
      await until(async () => (await balance().innerText()) === before);
      await shoot('refunded');
    });

    test('an existing image is paid for again only if the user confirms, or gets a new seed', async () => {
      const saved = async () =>
        (await readdir(join(project, 'renders'))).filter((name) => /two-herons.*png$/.test(name));
      const dialog = workbench.page.locator('.monaco-dialog-box');
      const question = dialog.getByText('Same inputs, same image. Use a new seed?');
      const form = await openModelForm(workbench, strata);
      await form.getByRole('textbox', { name: /prompt/i }).fill('two herons');
      await form.getByRole('textbox', { name: 'Seed' }).fill('7');
      const render = form.getByRole('button', { name: /^Render · €/ });
      await render.click();
      await until(async () => (await saved()).length === 1);
      const before = await balance().innerText();
      await render.click();
      await question.waitFor();
      await dialog.getByText('Either way, it costs €0.04.').waitFor();
      await shoot('same-image');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      assert.equal(await balance().innerText(), before);
      await chooseFromMenu(workbench, generations().filter({ hasText: 'two herons' }).first(), 'Render Again');
      await dialog.getByText('Render “two herons” again?').waitFor();
      await shoot('again');
      await workbench.confirm('Render Again');
      await until(async () => (await saved()).length === 2);
      const [one, other] = await Promise.all((await saved()).map((name) => readFile(join(project, 'renders', name))));
      assert.notDeepEqual(decode(one!).data, decode(other!).data);
    });

    test('a press on Render Again, with its price, makes another image at once', async () => {
      const herons = async () => (await readdir(join(project, 'renders'))).filter((name) => /heron.*png$/.test(name));
      const before = (await herons()).length;
      const form = await openModelForm(workbench, strata);
      await form.getByRole('button', { name: 'Render Again · €0.04' }).click();
      await until(async () => (await herons()).length === before + 1);
      const contents = await Promise.all((await herons()).map((name) => readFile(join(project, 'renders', name))));
      const images = new Set(contents.map((content) => String(decode(content).data)));
      assert.equal(images.size, contents.length);
    });

    test('a press on 4 More makes four other images for the sum on it, to choose from', async () => {
      const herons = async () => (await readdir(join(project, 'renders'))).filter((name) => /heron.*png$/.test(name));
      const cents = async () => Math.round(100 * Number(/€([\d.]+)/.exec(await balance().innerText())?.[1]));
      const [before, balanceBefore] = [(await herons()).length, await cents()];
      const form = await openModelForm(workbench, strata);
      await form.getByRole('button', { name: '4 More · €0.16' }).dblclick();
      await until(async () => (await herons()).length === before + 4);
      await until(async () => (await cents()) === balanceBefore - 16);
      const contents = await Promise.all((await herons()).map((name) => readFile(join(project, 'renders', name))));
      assert.equal(new Set(contents.map((content) => String(decode(content).data))).size, contents.length);
      await until(async () => (await form.locator('.variants .picture').count()) === 4);
      await shoot('four-more');
    });

    test('a result that is dragged from the form into a document becomes a link to it', async () => {
      const guide = join(project, 'guide.md');
      await writeFile(guide, '# Guide\n\n');
      await openFile(workbench, 'guide.md');
      await workbench.command('View: Move Editor into Right Group');
      const form = await workbench.webviewFrame('strata-2');
      const [from, to] = [
        form.locator('.variants .open').first(),
        workbench.page.locator('.editor-instance .view-lines'),
      ];
      const [start, end] = [await from.boundingBox(), await to.boundingBox()];
      assert.ok(start && end);
      const { mouse } = workbench.page;
      await mouse.move(start.x + 40, start.y + 40);
      await mouse.down();
      for (let step = 0; step <= 10; step += 1)
        await mouse.move(start.x + 40 + ((end.x - start.x) * step) / 10, end.y + 60, { steps: 2 });
      await shoot('dragged');
      await mouse.up();
      await workbench.page.locator('.view-line').filter({ hasText: 'renders/' }).first().waitFor();
      await shoot('dropped');
      await workbench.command('File: Save');
      await until(async () => /!\[.+\]\(renders\/.+\.png\)/.test(await readFile(guide, 'utf8')));
    });

    test('typed text survives a reload of the window', async () => {
      const form = await openModelForm(workbench, strata);
      await form.getByRole('textbox', { name: /prompt/i }).fill('typed before the reload');
      await form.getByRole('button', { name: /^Render · €/ }).waitFor();
      await workbench.reload();
      const again = await workbench.webviewFrame('strata-2');
      const prompt = again.getByRole('textbox', { name: /prompt/i });
      await until(async () => (await prompt.inputValue()) === 'typed before the reload');
    });
  });
}
