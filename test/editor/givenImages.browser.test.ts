import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode, encode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { chooseFromMenu, openPath } from './choose';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { patiently, until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const version = 'latest';
const screenshots = join(root, 'out', 'screenshots');

suite(`An image as an input, in VS Code ${releases[version].vscode}`, () => {
  let workbench: Workbench;
  let project: string;
  before(async () => {
    await mkdir(screenshots, { recursive: true });
    project = await mkdtemp(join(tmpdir(), 'model-catalog-project-'));
    await mkdir(join(project, 'photos'));
    await writeFile(join(project, 'photos', 'halves.png'), halves());
    workbench = await openWorkbench({ version, workspace: project });
    await workbench.command('View: Show Model Catalog');
  });
  after(async () => {
    await workbench.close();
    await removeFolder(project);
  });

  const results = async () =>
    (await readdir(join(project, 'renders')).catch(() => [])).filter((name) => /png$/.test(name));

  const pickFile = (name: string) => openPath(workbench, join(project, 'photos', name));

  test('a picked image is priced and rendered, the result is made of its pixels, and no record has its bytes', async () => {
    const form = await openModelForm(workbench, 'second-hand/reprint/riso-1');
    await form.getByRole('button', { name: 'Choose Image… for Image' }).click();
    await pickFile('halves.png');
    await form.getByText('photos/halves.png').waitFor();
    await form.locator('.image img').evaluate((image: HTMLImageElement) => image.decode());
    await workbench.screenshot(join(screenshots, `given-image-${version}.png`));
    await form.getByRole('button', { name: 'Render · €0.03' }).click();
    await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
    const [name = ''] = await results();
    const bytes = await readFile(join(project, 'renders', name));
    const { width, height, data, channels } = decode(bytes);
    assert.deepEqual([width, height], [64, 64]);
    const light = (x: number) => [...Array(64).keys()].reduce((sum, y) => sum + data[(y * 64 + x) * channels + 1]!, 0);
    assert.ok(light(10) < light(50), 'dark on the left, light on the right, as the given one');
    const base64 = halves().toString('base64').slice(60, 120);
    assert.ok(!bytes.includes(base64), 'not in the metadata of the result');
    assert.ok(bytes.includes('halves.png'), 'but its name is');
    const { userData } = workbench.profile;
    const stored = await readdir(userData, { recursive: true });
    const ledger = stored.filter((path) => /renders\.db(-wal)?$/.test(path)).map((path) => join(userData, path));
    assert.ok(ledger.length > 0);
    for (const path of ledger) assert.ok(!(await readFile(path)).includes(base64), path);
  });

  test('Use as Input… on a result opens a model that takes one, with the result in place', async () => {
    const render = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'Riso 1' });
    await chooseFromMenu(workbench, render.first(), 'Use as Input…');
    const box = workbench.page.getByPlaceholder('Choose a model for');
    await box.fill('drill');
    await workbench.page.getByText('No matching models').waitFor();
    await box.fill('double');
    await workbench.pick('Double Exposure 1');
    const form = await workbench.webviewFrame('double-exposure-1');
    await form.getByText(/^renders\/.*\.png$/).waitFor();
    await form.getByText('Required: Second image').waitFor();
    await until(async () => (await results()).length === 1);
  });

  test('Use as Input… sends nothing for a price until the user asks for it in the form', async () => {
    const render = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'Riso 1' });
    await chooseFromMenu(workbench, render.first(), 'Use as Input…');
    await workbench.page.getByPlaceholder('Choose a model for').fill('riso');
    await workbench.pick('Riso 1');
    const form = await workbench.webviewFrame('riso-1');
    await form.locator('#order-note').getByText('because that sends the images').waitFor();
    await workbench.screenshot(join(screenshots, `given-image-held-${version}.png`));
    await form.getByRole('button', { name: 'Get price' }).click();
    await form.getByRole('button', { name: 'Render · €0.03' }).waitFor();
    await workbench.command('View: Close Editor');
  });

  /** How light the collage is where its image in this column is, from 0 to 255. */
  async function lightAt(name: string, column: 0 | 1): Promise<number> {
    const { width, height, data, channels } = decode(await readFile(join(project, 'renders', name)));
    const [x, y] = [Math.round(width * (column === 0 ? 0.25 : 0.75)), Math.round(height / 2)];
    return data[(y * width + x) * channels + 1]!;
  }

  test('a list of images is priced by their number, and the result shows each at its place', async () => {
    for (const [name, light] of [
      ['dark.png', 10],
      ['light.png', 245],
    ] as const)
      await writeFile(join(project, 'photos', name), plain(light));
    const form = await openModelForm(workbench, 'second-hand/reprint/collage-1');
    await form.getByRole('textbox', { name: 'Prompt' }).fill('a lake');
    for (const name of ['light.png', 'dark.png']) {
      await form.getByRole('button', { name: 'Add Images… for Images' }).click();
      await pickFile(name);
      await form.getByRole('listitem').filter({ hasText: name }).waitFor();
    }
    await form.getByText('2 of 6').waitFor();
    await form.getByRole('button', { name: /^Image 2: photos\/dark/ }).press('Alt+ArrowLeft');
    await form.getByRole('button', { name: /^Image 1: photos\/dark/ }).waitFor();
    await workbench.screenshot(join(screenshots, `given-images-${version}.png`));
    const before = await results();
    await form.getByRole('button', { name: 'Render · €0.05' }).click();
    await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
    const [made = ''] = (await results()).filter((name) => !before.includes(name));
    assert.ok((await lightAt(made, 0)) < 60 && (await lightAt(made, 1)) > 200, 'the dark one on the left');
    await workbench.screenshot(join(screenshots, `given-images-rendered-${version}.png`));
    await workbench.command('View: Close Editor');
  });

  test('Quick Render asks for images in a step of its own, where files are added and removed', async () => {
    await workbench.command('Model Catalog: Quick Render…');
    const box = workbench.page.locator('.quick-input-widget');
    await workbench.quickInput.fill('a lake');
    const row = (text: string | RegExp) => box.locator('.monaco-list-row').filter({ hasText: text });
    await row('Collage 1').waitFor();
    await row(/^Images/).click();
    const before = await results();
    // It starts with the images of the last render.
    const first = row(/^1\s+photos\/dark\.png/);
    await first.hover();
    await first.getByRole('button', { name: 'Remove' }).click();
    await row(/^1\s+photos\/light\.png/).waitFor();
    await row('Add Files…').click();
    await pickFile('dark.png');
    await row(/^2\s+photos\/dark\.png/).waitFor();
    await workbench.screenshot(join(screenshots, `given-images-quick-${version}.png`));
    await row('Use These 2 Images').click();
    await row(/photos\/light\.png, photos\/dark\.png/).waitFor();
    await row(/^Details.*frames, shadows, tilt/).waitFor();
    // Its price has been there long enough to be read.
    await row('€0.05').first().locator('.codicon-zap').waitFor();
    await workbench.page.keyboard.press('Enter');
    await until(async () => (await results()).length > before.length);
    const [made = ''] = (await results()).filter((name) => !before.includes(name));
    assert.ok((await lightAt(made, 0)) > 200 && (await lightAt(made, 1)) < 60, 'the light one on the left');
  });

  /** Types what should change, and orders it once its price has been there long enough to be read. */
  async function edit(words: string): Promise<void> {
    const box = workbench.page.locator('.quick-input-widget:visible');
    await box.getByText('Type what should change').waitFor();
    await workbench.quickInput.fill(words);
    await box.locator('.monaco-list-row').filter({ hasText: '€0.0' }).first().locator('.codicon-zap').waitFor();
    await workbench.screenshot(join(screenshots, `edit-image-${version}.png`));
    await workbench.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  test('Edit This Image… changes an image of the project, whose new version is compared, changed again, and accepted', async () => {
    const file = join(project, 'photos', 'halves.png');
    const before = await readFile(file);
    await workbench.command('View: Show Explorer');
    await workbench.command('File: Focus on Files Explorer');
    const inExplorer = (name: string) =>
      workbench.page.locator(`.explorer-folders-view [aria-label^="${name}"]`).first();
    await patiently(
      (timeout) => inExplorer('halves.png').waitFor({ timeout }),
      () => inExplorer('photos').click(),
      'The Explorer doesn’t list the photos.',
    );
    await chooseFromMenu(workbench, inExplorer('halves.png'), 'Model Catalog > Edit This Image…');
    await workbench.page
      .locator('.quick-input-titlebar')
      .filter({ hasText: 'Edit halves.png · fits to 64 × 64' })
      .waitFor();
    await edit('as a woodcut');
    const first = await workbench.webviewFrame('halves.png (now ↔ new)');
    await first.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await workbench.screenshot(join(screenshots, `edit-image-compared-${version}.png`));
    assert.deepEqual(await readFile(file), before, 'nothing is replaced yet');
    await first.getByRole('button', { name: 'Edit halves.png (new)…' }).click();
    await edit('darker');
    // The new version stays, for a review of its own.
    await workbench.command('View: Close Editor');
    const second = await workbench.webviewFrame('halves.png (now ↔ new)');
    await second.getByRole('button', { name: 'Accept', exact: true }).click();
    await until(async () => !(await readFile(file)).equals(before));
    const { width, height } = decode(await readFile(file));
    assert.deepEqual([width, height], [64, 64], 'of the same size');
  });

  test('how it was made shows the images that it came from and led to, which open, and the comparison offers them', async () => {
    const fromExplorer = (name: string, command: string) =>
      chooseFromMenu(
        workbench,
        workbench.page.locator(`.explorer-folders-view [aria-label^="${name}"]`).first(),
        `Model Catalog > ${command}`,
      );
    await workbench.command('View: Show Explorer');
    await fromExplorer('halves.png', 'Show How It Was Made');
    const made = await workbench.webviewFrame('halves.png');
    await made.getByText('as a woodcut').waitFor({ state: 'detached' });
    const from = made.locator('section').filter({ hasText: 'Made from' }).getByRole('button');
    await from.first().waitFor();
    assert.equal(await from.count(), 1);
    await until(() => from.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await workbench.screenshot(join(screenshots, `lineage-${version}.png`));
    await from.click();
    // The first new version, which waits for its review.
    const version1 = await workbench.openWebview('as a woodcut');
    await version1
      .locator('section')
      .filter({ hasText: 'Made from' })
      .getByRole('button', { name: 'halves.png' })
      .waitFor();
    await version1
      .locator('section')
      .filter({ hasText: 'Used for' })
      .getByRole('button', { name: 'halves.png' })
      .waitFor();
    await workbench.screenshot(join(screenshots, `lineage-parent-${version}.png`));
    await fromExplorer('halves.png', 'Compare with Earlier Image');
    await workbench.page.locator('.quick-input-titlebar').filter({ hasText: 'Compare “halves.png” With' }).waitFor();
    await workbench.screenshot(join(screenshots, `lineage-earlier-${version}.png`));
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    assert.equal(await rows.filter({ hasText: 'made from this' }).count(), 2);
    await rows.filter({ hasText: 'made from this' }).last().click();
    const compared = await workbench.openWebview(/^halves\.png ↔ halves\.png$/);
    await until(() =>
      compared
        .locator('.pane img')
        .evaluateAll(
          (images) => images.length === 2 && images.every((one) => (one as HTMLImageElement).naturalWidth === 64),
        ),
    );
  });

  test('a new version that was kept next to the current image is edited as an image of its own', async () => {
    await workbench.command('View: Show Model Catalog');
    const render = workbench.tree('Generations').getByRole('treeitem').filter({ hasText: 'as a woodcut' }).first();
    await chooseFromMenu(workbench, render, 'Review New Image');
    const review = await workbench.openWebview('halves.png (now ↔ new)');
    await review.getByRole('button', { name: 'Keep Both' }).click();
    await workbench.notification(/Saved .*\.png/).waitFor();
    await chooseFromMenu(workbench, render, 'Edit This Image…');
    const title = workbench.page
      .locator('.quick-input-titlebar')
      .filter({ hasText: /^Edit .+\.png · fits to 64 × 64$/ });
    await title.waitFor();
    assert.doesNotMatch(await title.innerText(), /halves\.png/);
    await workbench.page.keyboard.press('Escape');
  });

  test('what a colleague made from an image is found by the metadata of the files next to it', async () => {
    const photos = join(project, 'photos');
    // The version that was kept next to the one that was made from it.
    const kept = (await readdir(photos)).find((name) => /^halves.+png$/.test(name)) ?? '';
    await copyFile(join(photos, 'halves.png'), join(photos, 'of-a-colleague.png'));
    await workbench.command('View: Show Explorer');
    const row = workbench.page.locator(`.explorer-folders-view [aria-label^="${kept}"]`).first();
    await chooseFromMenu(workbench, row, 'Model Catalog > Show How It Was Made');
    const made = await workbench.webviewFrame(kept);
    const led = made.locator('section').filter({ hasText: 'Used for' }).getByRole('button');
    await led.filter({ hasText: 'of-a-colleague.png' }).waitFor();
    assert.deepEqual(await led.allInnerTexts(), ['halves.png', 'of-a-colleague.png']);
    await led.filter({ hasText: 'of-a-colleague.png' }).click();
    await (await workbench.webviewFrame('of-a-colleague.png')).getByText('Made from').waitFor();
  });

  test('the gallery shows on a result the images that it was made from, and opens how', async () => {
    await workbench.command('Model Catalog: Open Gallery');
    const gallery = await workbench.openWebview('Gallery');
    const tile = gallery.getByRole('option', { name: /^a lake, .*Made from dark\.png, light\.png$/ });
    await tile.first().waitFor();
    const from = tile.first().locator('.relatives');
    await until(() =>
      from
        .locator('img')
        .evaluateAll(
          (images) => images.length === 2 && images.every((one) => (one as HTMLImageElement).naturalWidth > 0),
        ),
    );
    await workbench.screenshot(join(screenshots, `lineage-gallery-${version}.png`));
    // The first new version of the edited image, which led to the second one.
    await gallery.getByRole('option', { name: /^as a woodcut, .*Used for halves\.png$/ }).waitFor();
    await from.click();
    const made = await workbench.openWebview(/^a-lake(-2)?\.png$/);
    await made.locator('section').filter({ hasText: 'Made from' }).getByRole('button', { name: 'dark.png' }).waitFor();
  });
});

/** A PNG of one gray. */
function plain(light: number): Buffer {
  const data = new Uint8Array(64 * 64 * 3).fill(light);
  return Buffer.from(encode({ width: 64, height: 64, data, channels: 3, depth: 8 }));
}

/** A PNG whose left half is dark and whose right half is light. */
function halves(): Buffer {
  const data = Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => (Math.floor(i / 3) % 64 < 32 ? 10 : 245));
  return Buffer.from(encode({ width: 64, height: 64, data, channels: 3, depth: 8 }));
}
