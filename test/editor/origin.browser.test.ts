import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { systemClock } from '../../src/base/clock';
import { embedded, embeddedMetadataIn } from '../../src/files/embeddedMetadata';
import { type Provenance, sidecarEnding, writeProvenance } from '../../src/files/provenance';
import { removeFolder } from '../removeFolder';
import { losslessWebp, photo, png, transparentWebp } from '../unit/files/pictures';
import { chooseFromMenu } from './choose';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { axeViolations } from './webviewPage';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

/** What a colleague's editor wrote into an image, some of it hostile. */
const theirs: Provenance = {
  modelId: 'eight-bit-yard/pixel/sprite-1',
  inputs: { prompt: 'their green frog [here](command:workbench.action.closeWindow)' },
  service: 'https://models.example',
  generationId: 'theirs-1',
  costCents: 4,
  orderedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  tool: 'Model Catalog 0.1.0',
};

function told(image: Buffer, mediaType = 'image/png'): Buffer {
  return Buffer.concat(embedded(image, mediaType, theirs)!.pieces);
}

/** The pixels that the browser decodes from an image. */
function pixels(page: Page, bytes: Buffer, type: string): Promise<number[]> {
  return page.evaluate(
    async ([base64, mediaType]) => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([data], { type: mediaType }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      context.drawImage(image, 0, 0);
      return [image.width, image.height, ...context.getImageData(0, 0, image.width, image.height).data];
    },
    [bytes.toString('base64'), type] as const,
  );
}

for (const version of ['latest'] as const) {
  suite(`How a file was made, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-origin-'));
      await writeFile(join(project, 'theirs.png'), told(png()));
      await writeFile(join(project, 'mute.png'), png(5));
      const settings = { 'modelCatalog.notifications': 'never', 'modelCatalog.metadata': 'embed' };
      workbench = await openWorkbench({ version, workspace: project, settings });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `origin-${name}-${version}.png`));
    const item = (name: string | RegExp) => workbench.page.getByRole('treeitem', { name }).first();
    const renders = () => readdir(join(project, 'renders')).catch(() => []);

    const choose = (file: string | RegExp, entry: string) => chooseFromMenu(workbench, item(file), entry);

    /** The page about this file, once it contains this sentence. */
    async function page(file: string, sentence: string): Promise<Frame> {
      const made = await workbench.openWebview(file);
      await made.getByText(sentence).waitFor();
      return made;
    }

    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());

    test('our own render is recognized, with its model, inputs, and cost', async () => {
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox').first().fill('a red fox');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      await workbench.command('View: Close All Editors');
      await workbench.command('View: Show Explorer');
      await item('renders').click();
      await choose(/^a-red-fox[^ ]*\.png/, 'Model Catalog > Show How It Was Made');
      const [name = ''] = await renders();
      const made = await page(name, 'Rendered on this computer. The file hasn’t changed since it was saved.');
      assert.equal(await made.locator('blockquote').innerText(), 'a red fox');
      const facts = (await made.locator('.known > dl').innerText()).replaceAll(/\s+/g, ' ');
      assert.match(facts, /Sprite 1 eight-bit-yard\/pixel\/sprite-1 .*Charged €0\.\d\d/);
      await made.waitForFunction(() => document.querySelector<HTMLImageElement>('.picture img')!.naturalWidth > 0);
      assert.equal(await made.getByText('embedded in the file').isVisible(), false, 'it is folded');
      assert.deepEqual(await axeViolations(made), []);
      for (const theme of ['light', 'hcDark', 'dark'] as const) {
        await workbench.setTheme(theme);
        await shoot(`ours-${theme}`);
      }
    });

    test('its page gives away all of it as text, renders again at the price on its button, and opens the form', async () => {
      const [name = ''] = await renders();
      const made = await page(name, 'Rendered on this computer.');
      await made.getByRole('button', { name: 'Copy as Text' }).click();
      await until(async () => (await copied()).includes('embedded in the file'));
      for (const fact of [/^File: .*renders/, /Model: eight-bit-yard\/pixel\/sprite-1/, /Idempotency key: /])
        assert.match(await copied(), fact);
      await made.getByRole('button', { name: /^Render Again · €0\.\d\d$/ }).click();
      const comparison = await workbench.openWebview(`${name} (now ↔ new)`);
      await comparison.getByRole('button', { name: 'Discard Image' }).click();
      const dialog = workbench.page.locator('.monaco-dialog-box');
      await dialog.getByRole('button', { name: 'Discard Image', exact: true }).click();
      const shown = await page(name, 'Rendered on this computer.');
      await shown.getByRole('button', { name: 'Open Inputs in Form' }).click();
      const form = await workbench.openWebview('sprite-1');
      await until(async () => (await form.getByRole('textbox').first().inputValue()) === 'a red fox');
      assert.equal((await renders()).length, 1);
    });

    test('an image that is dropped on a form opens what it was made from; what anyone could have written is only shown', async () => {
      const [name = ''] = await renders();
      const dropOnForm = async (path: string) => {
        const form = await openModelForm(workbench, 'paperlight/strata/strata-2');
        await form.locator('h1').evaluate((title, uri) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData('text/uri-list', uri);
          title.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
        }, pathToFileURL(path).href);
      };
      await workbench.command('View: Close All Editors');
      await dropOnForm(join(project, 'renders', name));
      const form = await workbench.openWebview('sprite-1');
      await until(async () => (await form.getByRole('textbox').first().inputValue()) === 'a red fox');
      await dropOnForm(join(project, 'theirs.png'));
      await page('theirs.png', 'This file isn’t in your render history.');
      await workbench.command('View: Close All Editors');
    });

    test('the page is there again after the window reloads', async () => {
      const [name = ''] = await renders();
      await workbench.command('View: Close All Editors');
      await choose(/^a-red-fox[^ ]*\.png/, 'Model Catalog > Show How It Was Made');
      await page(name, 'Rendered on this computer.');
      await workbench.reload();
      await page(name, 'Rendered on this computer.');
    });

    test('a colleague’s image shows its own record, as text, and whether it still matches', async () => {
      // It isn't known yet that this folder contains results, so only the Command Palette offers the command, not the
      // Explorer.
      await item('theirs.png').click();
      await workbench.command('Model Catalog: Show How It Was Made');
      const made = await page('theirs.png', 'This file isn’t in your render history.');
      assert.equal(await made.locator('blockquote').innerText(), theirs.inputs.prompt);
      await made.getByText('The image matches this record.').waitFor();
      await made.getByRole('button', { name: 'Render Again…' }).waitFor();
      await made.getByText('Request').click();
      await made.getByText('https://models.example').waitFor();
      assert.equal(await made.locator('a').count(), 0);
      await shoot('theirs');
      const painted = told(png());
      painted[painted.indexOf('IEND') - 12] = painted[painted.indexOf('IEND') - 12]! ^ 1;
      await writeFile(join(project, 'theirs.png'), painted);
      await made.getByText('The file has changed since this was recorded.').waitFor();
      await shoot('changed');
      await writeFile(join(project, 'theirs.png'), told(png()));
    });

    test('an image that claims to be our render isn’t mistaken for one', async () => {
      const [ours = ''] = await renders();
      const { provenance } = (await embeddedMetadataIn(await readFile(join(project, 'renders', ours)), systemClock))!;
      const forged = embedded(png(7), 'image/png', { ...provenance, inputs: { prompt: 'a red fox, they say' } })!;
      await writeFile(join(project, 'forged.png'), Buffer.concat(forged.pieces));
      await choose('forged.png', 'Model Catalog > Show How It Was Made');
      const made = await page('forged.png', 'a red fox, they say');
      await made.getByText('This file isn’t in your render history.').waitFor();
      assert.equal(await made.getByText('Rendered on this computer').count(), 0);
      await shoot('forged');
    });

    test('a file without a record is reported as such', async () => {
      await choose('mute.png', 'Model Catalog > Show How It Was Made');
      const made = await page('mute.png', 'There’s no record of how this file was made');
      assert.deepEqual(await made.locator('.actions').allInnerTexts(), ['Open\nCopy as Text']);
      await shoot('mute');
    });

    test('an image that is deleted while its page is open is reported there, and isn’t opened any more', async () => {
      await writeFile(join(project, 'brief.png'), told(png()));
      await choose('brief.png', 'Model Catalog > Show How It Was Made');
      const made = await page('brief.png', 'The image matches this record.');
      await made.getByRole('button', { name: 'brief.png' }).waitFor();
      await rm(join(project, 'brief.png'));
      await made.getByText('The file no longer exists, or can’t be shown here.').waitFor();
      await shoot('deleted');
      assert.equal(await made.getByRole('button', { name: /^(Open|brief\.png)$/ }).count(), 0);
    });

    test('the prompt of a colleague’s image can be copied', async () => {
      await choose('theirs.png', 'Model Catalog > Copy Prompt');
      await until(async () => (await copied()) === theirs.inputs.prompt);
    });

    test('a colleague’s image is rendered again next to it, at a price that is shown first', async () => {
      await workbench.command('View: Close All Editors');
      await choose('theirs.png', 'Model Catalog > Render Again…');
      const dialog = workbench.page.locator('.monaco-dialog-box');
      await dialog.getByText('Render again with the inputs stored in “theirs.png”?').waitFor();
      await dialog.getByText(theirs.modelId).waitFor();
      await shoot('stranger');
      await dialog.getByRole('button', { name: 'Show Price' }).click();
      await dialog.getByText('It was made on “https://models.example”').waitFor();
      await shoot('again');
      const before = await renders();
      // Anybody could have run the command: sooner than one can read it, its question takes no answer.
      await workbench.page.waitForTimeout(800);
      await dialog.getByRole('button', { name: /^Render for €0\.\d\d$/ }).click();
      const comparison = await workbench.openWebview('theirs.png (now ↔ new)');
      await comparison.getByRole('button', { name: 'Keep Both' }).click();
      const made = join(project, 'theirs-2.png');
      await until(() => Promise.resolve(existsSync(made)));
      assert.deepEqual(await renders(), before);
      assert.deepEqual(await readFile(join(project, 'theirs.png')), told(png()));
      assert.ok((await readFile(made)).includes('modelCatalog:Render'));
    });

    test('a sidecar file moves with its result in one step, and one undo moves both back', async () => {
      const { keyboard } = workbench.page;
      const poem = (name: string) => [name, `${name}${sidecarEnding}`];
      const there = async (wanted: readonly string[]) =>
        (await readdir(project))
          .filter((name) => /^(poem|ode)/.test(name))
          .sort()
          .join() === wanted.join();
      const [file, beside] = poem('poem.md');
      const text = 'A fox, a fence.';
      const itsFacts = writeProvenance({ ...theirs, sha256: createHash('sha256').update(text).digest('hex') });
      await writeFile(join(project, file!), text);
      await writeFile(join(project, beside!), itsFacts);
      await workbench.command('View: Close All Editors');
      await workbench.command('File: Focus on Files Explorer');
      // While the rows move, the input for a name closes.
      await item(/^poem\.md\.render/).waitFor();
      await item(/^poem\.md$/).click();
      await keyboard.press('F2');
      await workbench.page.locator('.explorer-item-edited input').fill('ode.md');
      await keyboard.press('Enter');
      await until(() => there(poem('ode.md')));
      await item(/^ode\.md$/).waitFor();
      await keyboard.press('Control+Z');
      await until(() => there(poem('poem.md')));
      // While the rows move, the click could hit another one.
      await item(/^ode\.md/).waitFor({ state: 'detached' });
      await item(/^poem\.md$/).click();
      await workbench.page.getByRole('treeitem', { name: /^poem\.md$/, selected: true }).waitFor();
      await keyboard.press('Delete');
      const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'poem.md' });
      await dialog.getByRole('button', { name: /^Delete|^Move/ }).click();
      // Without a trash, its sidecar stays.
      await until(async () => (await there([])) || (await there([beside!])));
      await keyboard.press('Control+Z');
      await until(() => there(poem('poem.md')));
      assert.equal(await readFile(join(project, beside!), 'utf8'), itsFacts);
      assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
    });

    test('a browser sees the same pixels in an image with embedded metadata', async () => {
      for (const [bytes, type] of [
        [png(), 'image/png'],
        [photo(), 'image/jpeg'],
        [losslessWebp(), 'image/webp'],
        [transparentWebp(), 'image/webp'],
      ] as const) {
        const before = await pixels(workbench.page, bytes, type);
        assert.ok(before.length > 4);
        assert.deepEqual(await pixels(workbench.page, told(bytes, type), type), before);
      }
    });
  });
}
