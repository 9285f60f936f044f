import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { decode, encode } from 'fast-png';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { openFile } from './choose';
import { releases } from './codeServer';
import { root } from './root';
import { patiently, until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

const renderFile = `{
  // The images of the start page.
  "folder": "images",
  "model": "paperlight/strata/strata-2",
  "inputs": { "size": "small" },
  "renders": [
    { "file": "hero.png", "inputs": { "prompt": "a harbor at dusk" } },
    {
      "file": "season-{season}.png",
      "for": { "season": ["spring", "autumn"] },
      "inputs": { "prompt": "a forest in {season}" },
    },
  ],
}
`;

const printFile = `{
  "model": "second-hand/reprint/riso-1",
  "renders": [
    { "file": "print.png", "inputs": { "image": "photos/sea.png" } },
  ],
}
`;

const chainFile = `{
  "folder": "chain",
  "renders": [
    { "file": "den.png", "model": "second-hand/reprint/riso-1", "inputs": { "image": "[fox]" } },
    { "file": "fox.png", "model": "paperlight/strata/strata-2", "inputs": { "prompt": "a fox", "size": "small" } },
  ],
}
`;

const cardFile = `{
  "model": "paperlight/strata/strata-2",
  "renders": [
    { "file": "card.jpg", "inputs": { "prompt": "a ferry", "size": "small" } },
  ],
}
`;

/** A photo of one color. */
function photo(red: number): Buffer {
  const data = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (at % 3 === 0 ? red : 80));
  return Buffer.from(encode({ width: 64, height: 64, data, channels: 3 }));
}

for (const version of versions) {
  suite(`A render file, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-render-files-'));
      await writeFile(join(project, 'renders.jsonc'), renderFile);
      await mkdir(join(project, 'photos'));
      await writeFile(join(project, 'photos', 'sea.png'), photo(10));
      await writeFile(join(project, 'prints.renders.jsonc'), printFile);
      workbench = await openWorkbench({ version, workspace: project });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `render-file-${name}-${version}.png`));
    const lens = (words: string | RegExp) => workbench.page.locator('.codelens-decoration').filter({ hasText: words });
    const title = (words: RegExp) => workbench.page.locator('.quick-input-titlebar').filter({ hasText: words });
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const question = (images: number) =>
      dialog().getByText(images === 1 ? /^Render this image for €0/ : new RegExp(`^Render ${images} images for €0`));
    const image = (name: string) => join(project, 'images', name);

    /** Replaces a text in the file, as another program does. */
    async function change(from: string, to: string): Promise<void> {
      const path = join(project, 'renders.jsonc');
      const text = await readFile(path, 'utf8');
      assert.ok(text.includes(from));
      await writeFile(path, text.replace(from, to));
    }

    /**
     * Opens a question or a list by a lens. The editor may forget what a lens does if it requests all lenses again
     * while it looks up their words; it requests them again when somebody returns to the text.
     */
    const open = (words: RegExp, opened: Locator, file = 'renders.jsonc') =>
      patiently(
        async (timeout) => {
          await lens(words).getByRole('button').click({ timeout });
          await opened.waitFor({ timeout });
        },
        () => openFile(workbench, file),
        `The lens “${words.source}” opens nothing.`,
        4000,
      );

    const confirm = async (button = /^Render for €0\.\d\d$/) => {
      await shoot('question');
      await workbench.confirm(button);
    };

    test('shows above each entry what is missing', async () => {
      await openFile(workbench, 'renders.jsonc');
      await lens(/^3 of 3 missing or out of date · Render…$/).waitFor();
      await lens(/^Missing · Render…$/).waitFor();
      await lens(/^2 of 2 missing or out of date · Render…$/).waitFor();
      await shoot('missing');
    });

    test('renders all of them with one confirmation, exactly where the file says', async () => {
      await open(/^3 of 3 missing or out of date/, question(3));
      await confirm();
      await lens('Nothing missing or out of date').first().waitFor();
      await lens(/^Up to date$/).waitFor();
      for (const name of ['hero.png', 'season-spring.png', 'season-autumn.png'])
        assert.ok(existsSync(image(name)), name);
      await shoot('current');
    });

    test('shows what is stale after a change and what it costs, and keeps the image until the new one is accepted', async () => {
      await change('"prompt": "a harbor at dusk" }', '"prompt": "a harbor at noon" }, "width": 640, "height": 320');
      await lens(/^Out of date: size, prompt · fits to 640 × 320 · Render… · €0\.\d\d$/).waitFor();
      await shoot('stale');
      const before = await stat(image('hero.png'));
      await open(/^Out of date: size, prompt/, question(1));
      await confirm();
      await lens(/^1 of 3 missing or out of date · Needs review: 1$/).waitFor();
      await shoot('to-review');
      const review = workbench
        .notification('“hero.png” is ready to review')
        .getByRole('button', { name: 'Review New Image' });
      await patiently(
        async (timeout) => {
          await lens(/^Out of date: size, prompt · Ready to review$/)
            .getByRole('button')
            .click({ timeout });
          await review.click({ timeout });
        },
        () => openFile(workbench, 'renders.jsonc'),
        'The lens offers no review.',
        4000,
      );
      assert.equal((await stat(image('hero.png'))).mtimeMs, before.mtimeMs);
      const page = await workbench.openWebview('hero.png (now ↔ new)');
      await page.getByRole('button', { name: 'Accept' }).click();
      await openFile(workbench, 'renders.jsonc');
      await lens(/^Up to date$/).waitFor();
      const { width, height } = decode(await readFile(image('hero.png')));
      assert.deepEqual([width, height], [640, 320]);
    });

    test('fits an image again at no charge when only its size changes, from its entry or from the list', async () => {
      const balance = () => workbench.statusBarItem('modelCatalog.balance').innerText();
      const size = async () => {
        const { width, height } = decode(await readFile(image('hero.png')));
        return [width, height];
      };
      const fitted = workbench.notification('Fitted “hero.png” again, at no charge.');
      const before = await balance();
      await change('"width": 640, "height": 320', '"width": 320, "height": 160');
      await lens(/^Out of date: size · fits to 320 × 160 · Refit$/).waitFor();
      await shoot('misfit');
      await patiently(
        async (timeout) => {
          await lens(/^Out of date: size · .* · Refit$/)
            .getByRole('button')
            .click({ timeout });
          await fitted.waitFor({ timeout });
        },
        () => openFile(workbench, 'renders.jsonc'),
        'The lens fits nothing.',
        4000,
      );
      await shoot('fitted');
      assert.deepEqual(await size(), [320, 160]);
      await lens(/^Up to date$/).waitFor();
      await change('"width": 320, "height": 160', '"width": 200, "height": 200');
      await change('a forest in {season}', 'a wood in {season}');
      await open(/^3 of 3 missing or out of date · Render/, title(/^Render Images · 3 of 3 · €0\.\d\d$/));
      const row = (words: string) =>
        workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words });
      await row('hero.png').filter({ hasText: '€0.00 · Refit · fits to 200 × 200' }).waitFor();
      await shoot('misfit-list');
      for (const name of ['season-spring.png', 'season-autumn.png']) await row(name).getByRole('checkbox').click();
      await title(/^Render Images · 1 of 3 · €0\.00$/).waitFor();
      // The list ignores an answer that comes immediately, since it was meant for what was there before.
      await until(async () => {
        await workbench.quickInput.press('Enter', { timeout: 1000 }).catch(() => {});
        return title(/^Render Images/).isHidden();
      });
      await until(async () => (await size()).join() === '200,200');
      assert.equal(await balance(), before);
    });

    test('gives an image from the project, and names its input as stale once the image is another', async () => {
      await openFile(workbench, 'prints.renders.jsonc');
      // No image leaves for a price that nobody asked for: the list and the confirmation state it.
      await lens(/^Missing · Render…$/).waitFor();
      await open(/^Missing · Render…/, question(1), 'prints.renders.jsonc');
      await confirm(/^Render for €0\.03$/);
      await lens(/^Up to date$/).waitFor();
      const made = await readFile(join(project, 'print.png'));
      for (const told of ['photos/sea.png', createHash('sha256').update(photo(10)).digest('hex')])
        assert.ok(made.includes(told), told);
      await writeFile(join(project, 'photos', 'sea.png'), photo(200));
      await lens(/^Out of date: image · Render…$/).waitFor();
      await workbench.page.locator('.view-line').getByText('sea.png').hover();
      await workbench.page.locator('.monaco-hover:visible').getByText('photos/sea.png · PNG').waitFor();
      await shoot('given');
    });

    test('gives an image the format that its entry names, where another image has that name already', async () => {
      const drawn = photo(40);
      await writeFile(join(project, 'card.png'), drawn);
      await writeFile(join(project, 'cards.renders.jsonc'), cardFile);
      await openFile(workbench, 'cards.renders.jsonc');
      await open(/^Missing · Render/, question(1), 'cards.renders.jsonc');
      await confirm();
      await lens(/^Up to date$/).waitFor();
      assert.deepEqual([...(await readFile(join(project, 'card.jpg'))).subarray(0, 3)], [0xff, 0xd8, 0xff]);
      assert.deepEqual(await readFile(join(project, 'card.png')), drawn);
      await openFile(workbench, 'renders.jsonc');
    });

    test('offers none again that is in progress or waits for its turn, only what comes to it', async () => {
      // The first takes so long that even a busy editor learns of one more meanwhile.
      const slow = '"model": "wet-brush/aquarelle/mist-3-slow", ';
      const entry = (name: string, index: number) =>
        `{ ${index === 0 ? slow : ''}"file": "${name}.png", "inputs": { "prompt": "a kite, ${name}" } }`;
      const file = (...names: string[]) =>
        writeFile(
          join(project, 'many.renders.jsonc'),
          `{ "folder": "many", "model": "paperlight/strata/strata-2", "renders": [\n${names.map(entry).join(',\n')}\n] }\n`,
        );
      const names = Array.from({ length: 7 }, (_, index) => `kite-${index + 1}`);
      await file(...names);
      await openFile(workbench, 'many.renders.jsonc');
      await open(/^7 of 7 missing or out of date · Render/, question(7), 'many.renders.jsonc');
      await confirm();
      await lens(/^\d+ of 7 missing or out of date · In progress: \d+$/).waitFor();
      await file(...names, 'late');
      await lens(/^\d+ of 8 missing or out of date · In progress: \d+ · Render/).waitFor();
      await shoot('in-progress');
      await workbench.command('Model Catalog: Render Images in Render Files…');
      // Those of other files come after what this one lacks, and aren't selected.
      await title(/^Render Images · 1 of 4 · €0\.\d\d$/).waitFor();
      const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
      const files = (await rows.allInnerTexts()).map((row) => /^\S+?\.png/.exec(row)?.[0]);
      const others = ['print.png', 'images/season-spring.png', 'images/season-autumn.png'];
      assert.deepEqual(files, ['many/late.png', ...others]);
      await workbench.page.keyboard.press('Escape');
      await lens(/^1 of 8 missing or out of date · Render/).waitFor();
      assert.deepEqual((await readdir(join(project, 'many'))).sort(), names.map((name) => `${name}.png`).sort());
      await openFile(workbench, 'renders.jsonc');
    });

    test('renders none again that appeared while the list was open, and says so', async () => {
      const late = join(project, 'many', 'late.png');
      await openFile(workbench, 'many.renders.jsonc');
      await open(/^1 of 8 missing or out of date · Render/, question(1), 'many.renders.jsonc');
      await writeFile(late, photo(40));
      await confirm();
      const words = 'Not sent, nothing charged: “late.png” was saved or changed in the meantime.';
      await workbench.notification(words).waitFor();
      assert.deepEqual(await readFile(late), photo(40));
      assert.equal((await readdir(join(project, 'many'))).length, 8);
      await openFile(workbench, 'renders.jsonc');
    });

    test('renders an image before the one that is made from it, gives its bytes, and has both out of date together', async () => {
      const file = 'chain.renders.jsonc';
      await writeFile(join(project, file), chainFile);
      await openFile(workbench, file);
      await lens(/^2 of 2 missing or out of date · Waiting for others: 1 · Render… · €0\.\d\d$/).waitFor();
      await open(/^Missing · Needs fox first$/, question(1), file);
      await confirm();
      await lens(/^1 of 2 missing or out of date · Render…$/).waitFor();
      await shoot('after');
      await open(/^Missing · Render…/, question(1), file);
      await confirm(/^Render for €0\.03$/);
      await lens('Nothing missing or out of date').first().waitFor();
      const [fox, den] = await Promise.all(
        ['fox', 'den'].map((name) => readFile(join(project, 'chain', `${name}.png`))),
      );
      for (const told of ['chain/fox.png', createHash('sha256').update(fox!).digest('hex')])
        assert.ok(den!.includes(told), told);
      await writeFile(join(project, file), chainFile.replace('a fox', 'a red fox'));
      await lens(/^Out of date: prompt · Render… · €0\.\d\d$/).waitFor();
      await lens(/^Out of date · Needs fox first$/).waitFor();
      await shoot('after-stale');
      await writeFile(join(project, file), chainFile);
      await writeFile(join(project, 'chain', 'fox.png'), photo(90));
      await lens(/^Out of date: image · Render…$/).waitFor();
    });

    test('marks errors at their place', async () => {
      await change('"size": "small"', '"size": "gigantic", "colour": "blue"');
      await workbench.page.keyboard.press('Control+Shift+M');
      const problems = workbench.page.locator('.markers-panel');
      await problems
        .getByText(/gigantic|size/i)
        .first()
        .waitFor();
      await problems
        .getByText(/colour/)
        .first()
        .waitFor();
      await shoot('problems');
    });
  });
}
