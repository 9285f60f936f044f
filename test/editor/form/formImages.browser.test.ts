import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { ImageSource } from '../../../src/features/form/model/formImages';
import type { Model } from '../../../src/catalog/fields';
import { launchChromium } from '../chromium';
import { root } from '../root';
import { until } from '../until';
import { cutTexts, themes } from '../webviewPage';
import { FormPage } from './harness';

const screenshots = join(root, 'out', 'screenshots');
const image = readFileSync(join(root, 'media', 'icon.png'));

let browser: Browser;
before(async () => {
  await mkdir(screenshots, { recursive: true });
  browser = await launchChromium();
});
after(() => browser.close());

const reprint: Model = {
  id: 'second-hand/reprint/riso-1',
  provider: 'second-hand',
  family: 'reprint',
  name: 'riso-1',
  title: 'Riso 1',
  kind: 'image',
  fields: ['image', 'overlay'].map((name, index) => ({
    name,
    label: index === 0 ? 'First image' : 'Second image',
    help: 'The image to print.',
    kind: 'image' as const,
    statedType: 'image',
    required: index === 0,
    image: { types: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 8_000_000, minWidth: 64, minHeight: 64 },
  })),
};

const picked: ImageSource = {
  file: 'photos/lighthouse.png',
  bytes: image.length,
  read: () => Promise.resolve(image),
};

test('an image is picked, shown with its name and size, refused with a reason, and removed', async () => {
  const form = await FormPage.open(browser, { model: reprint, picked: [picked] });
  const { page } = form;
  const choose = page.getByRole('button', { name: 'Choose Image… for First image' });
  await choose.click();
  await page.getByText('photos/lighthouse.png').waitFor();
  await form.button.getByText('Render · €0.04').waitFor();
  await page.locator('.image img').evaluate((image: HTMLImageElement) => image.decode());
  // Another one is pasted, and the file of a text dropped.
  await page
    .locator('.image')
    .nth(1)
    .evaluate(give, { type: 'paste', files: [{ name: 'pasted.png', base64: image.toString('base64') }] });
  await page.getByText('pasted.png').waitFor();
  await page
    .locator('.image')
    .nth(1)
    .evaluate(give, { type: 'drop', files: [{ name: 'notes.png', base64: btoa('a text') }] });
  await page.locator('.inputs').getByText('“notes.png” isn’t an image.').waitFor();
  await page.getByRole('status').getByText('“notes.png” isn’t an image.').waitFor();
  for (const theme of Object.keys(themes)) {
    await form.dress(theme);
    assert.deepEqual(await form.axe(), []);
    await form.screenshot(join(screenshots, `form-image-${theme}.png`));
  }
  await page.setViewportSize({ width: 700, height: 700 });
  assert.deepEqual(await cutTexts(page), []);
  await form.screenshot(join(screenshots, 'form-image-narrow.png'));
  await page.getByRole('button', { name: 'Remove the image of First image' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'the focus stays at the field');
  await form.note.getByText('Required: First image').waitFor();
  const address = page.getByRole('textbox', { name: 'First image' });
  await address.fill('lighthouse.png');
  await address.blur();
  await page.getByText('Choose an image, or enter a URL that starts with https://.').waitFor();
  await form.screenshot(join(screenshots, 'form-image-address.png'));
  await address.fill('https://images.example/lighthouse.png');
  await form.button.getByText('Render · €0.04').click();
  await form.until(() => form.orders.length === 1);
  const { inputs } = form.orders[0]!;
  assert.equal(inputs['image'], 'https://images.example/lighthouse.png');
  assert.deepEqual(Object.keys(inputs['overlay'] as object), ['file', 'sha256', 'type', 'bytes']);
  assert.ok(!JSON.stringify(form.kept).includes(image.toString('base64').slice(0, 40)), 'no bytes in the kept state');
  assert.deepEqual(form.complaints, []);
  await form.close();
});

const references: Model = {
  ...reprint,
  fields: [
    { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true },
    {
      name: 'images',
      label: 'References',
      kind: 'image',
      statedType: 'image[]',
      required: true,
      maximum: 3,
      image: { isList: true, types: ['image/png'], maxBytes: 200_000 },
    },
  ],
};

/** An image of its own for each name. */
const photo = (name: string): ImageSource => {
  const bytes = Buffer.concat([image, Buffer.from(name)]);
  return { file: `photos/${name}.png`, bytes: bytes.length, read: () => Promise.resolve(bytes) };
};

test('several images are numbered tiles that are added, moved, replaced, and removed, and sent in their order', async () => {
  const picks = ['fox', 'hare', 'owl'].map(photo);
  const form = await FormPage.open(browser, { model: references, picked: picks });
  const { page } = form;
  await page.getByLabel('Prompt').fill('a forest');
  await form.note.getByText('Required: References').waitFor();
  await page.getByRole('button', { name: 'Add Images… for References' }).click();
  const tiles = page.getByRole('list', { name: 'References' }).getByRole('listitem');
  const names = () => tiles.locator('.name').allInnerTexts();
  const has = (...files: string[]) =>
    until(async () => (await names()).join() === files.map((name) => `${name}.png`).join());
  await has('fox', 'hare', 'owl');
  await page.getByText('3 of 3').waitFor();
  await form.button.getByText('Render · €0.04').waitFor();
  const tile = (number: number) => page.getByRole('button', { name: new RegExp(`^Image ${number}: `) });
  await tile(3).press('Alt+ArrowLeft');
  await has('fox', 'owl', 'hare');
  assert.match(await page.evaluate(() => document.activeElement?.ariaLabel ?? ''), /^Image 2: photos\/owl/);
  await tile(1).press('Alt+ArrowLeft');
  await has('fox', 'owl', 'hare');
  await tiles.nth(0).dragTo(tiles.nth(2));
  await has('owl', 'hare', 'fox');
  for (const theme of Object.keys(themes)) {
    await form.dress(theme);
    assert.deepEqual(await form.axe(), []);
    await form.screenshot(join(screenshots, `form-images-${theme}.png`));
  }
  await page.setViewportSize({ width: 700, height: 700 });
  await form.screenshot(join(screenshots, 'form-images-narrow.png'));
  // Replaced by one that is there already.
  await tile(2).click();
  await page.getByText('Image 3 is the same as image 2. Remove one of them.').waitFor();
  await page.getByRole('button', { name: 'Remove image 3' }).click();
  await page.getByText('Image 3 is the same').waitFor({ state: 'detached' });
  await has('owl', 'fox');
  await page.getByRole('button', { name: 'Remove image 2' }).click();
  await has('owl');
  const address = page.getByRole('textbox', { name: 'References' });
  await address.fill('https://images.example/lake.png');
  await form.button.getByText('Render · €0.04').waitFor();
  await address.press('Enter');
  await tiles.nth(1).getByText('lake.png', { exact: true }).waitFor();
  assert.equal(await address.inputValue(), '');
  await address.fill('photos/lake.png');
  await address.blur();
  await page.getByText('Choose an image, or enter a URL that starts with https://.').waitFor();
  await page.getByRole('button', { name: 'Remove image 3' }).click();
  await form.button.getByText('Render · €0.04').click();
  await form.until(() => form.orders.length === 1);
  const sent = form.orders[0]!.inputs['images'] as readonly ({ readonly file: string } | string)[];
  assert.deepEqual(
    sent.map((one) => (typeof one === 'string' ? one : one.file)),
    ['photos/owl.png', 'https://images.example/lake.png'],
  );
  assert.deepEqual(form.complaints, []);
  await form.close();
});

test('several files are pasted or dropped at once, and one that a list can’t take loses none of the others', async () => {
  const form = await FormPage.open(browser, { model: references });
  const { page } = form;
  const place = page.locator('.images');
  const files = ['fox', 'hare'].map((name) => ({
    name: `${name}.png`,
    base64: Buffer.concat([image, Buffer.from(name)]).toString('base64'),
  }));
  await place.evaluate(give, { type: 'drop', files: [...files, { name: 'notes.png', base64: btoa('a text') }] });
  const tiles = page.getByRole('list', { name: 'References' }).getByRole('listitem');
  await until(async () => (await tiles.count()) === 2);
  await page.locator('.inputs').getByText('“notes.png” isn’t an image.').waitFor();
  await form.close();
});

test('an image from the Explorer opens its recipe where it’s dropped on the form, but is the input of a field', async () => {
  const form = await FormPage.open(browser, { model: reprint, picked: [picked] });
  const uri = 'file:///project/renders/fox.png';
  await form.page.locator('h1').evaluate(dropUri, uri);
  await form.until(() => form.recipes.length === 1);
  await form.page.locator('.image').first().evaluate(dropUri, uri);
  await form.page.locator('.inputs').getByText('“fox.png” isn’t in the workspace.').waitFor();
  assert.deepEqual(form.recipes, [uri]);
  await form.close();
});

/** Drops a file of the editor's Explorer on an element. */
function dropUri(target: Element, uri: string): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.setData('text/uri-list', uri);
  target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
}

/** Pastes files into an element, or drops them there. */
function give(
  target: Element,
  {
    type,
    files,
  }: { readonly type: string; readonly files: readonly { readonly name: string; readonly base64: string }[] },
): void {
  const data = new DataTransfer();
  for (const { name, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    data.items.add(new File([bytes], name, { type: 'image/png' }));
  }
  const about = { bubbles: true, cancelable: true };
  const event =
    type === 'paste'
      ? new ClipboardEvent('paste', { ...about, clipboardData: data })
      : new DragEvent('drop', { ...about, dataTransfer: data });
  target.dispatchEvent(event);
}
