import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../chromium';
import { root } from '../root';
import { cutTexts, themes } from '../webviewPage';
import { ComparePage, type CompareOptions } from './harness';

const screenshots = join(root, 'out', 'screenshots');

let browser: Browser;
before(async () => {
  await mkdir(screenshots, { recursive: true });
  browser = await launchChromium();
});
after(() => browser.close());

/** Opens a comparison, runs the test, and fails on any error of the page. */
async function withComparison(options: CompareOptions, look: (compare: ComparePage) => Promise<void>): Promise<void> {
  const compare = await ComparePage.open(browser, options);
  try {
    await look(compare);
    assert.deepEqual(compare.complaints, []);
  } finally {
    await compare.close();
  }
}

test('keys and buttons choose how two images are compared, and screen readers announce it', () =>
  withComparison({}, async (compare) => {
    const { page } = compare;
    const status = page.getByRole('status');
    await status.getByText('Slider: harbour-1.png on the left').waitFor({ state: 'attached' });
    assert.equal(await compare.mode('Slider').getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('2');
    await status.getByText('Side by side: 2 images.').waitFor({ state: 'attached' });
    assert.equal(await compare.panes.count(), 2);
    await page.keyboard.press('3');
    await page.getByRole('slider', { name: 'Opacity of harbour-2.png' }).waitFor();
    assert.equal(await compare.panes.count(), 1);
    await compare.mode('Difference').click();
    await status.getByText('Difference: identical parts').waitFor({ state: 'attached' });
    const blend = await compare.page
      .locator('.layer')
      .nth(1)
      .evaluate((layer) => getComputedStyle(layer).mixBlendMode);
    assert.equal(blend, 'difference');
    assert.equal(await page.getByRole('slider').count(), 0);
  }));

test('the divider moves by dragging, with its slider, and with keys', () =>
  withComparison({}, async (compare) => {
    const { page } = compare;
    const slider = page.getByRole('slider', { name: 'Divider' });
    const stands = async (percent: string) =>
      page
        .locator(`[role=slider], input[type=range]`)
        .and(slider)
        .evaluate((input, wanted) => (input as HTMLInputElement).value === wanted, percent);
    const { x, y, width, height } = (await compare.panes.first().boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 3);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + height / 3, { steps: 4 });
    await page.mouse.up();
    assert.ok(await stands('25'));
    assert.deepEqual([...new Set(await compare.transforms())], ['translate(0%, 0%) scale(1)'], 'nothing else moved');
    await page.locator('.stage').focus();
    await page.keyboard.press('Shift+ArrowRight');
    assert.ok(await stands('27'));
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    assert.ok(await stands('26'));
    await page.locator('.mode').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.mode:focus').and(page.locator('.mode').nth(1)).waitFor();
    assert.ok(await stands('26'));
    assert.equal(
      (await compare.transforms())[0],
      'translate(0%, 0%) scale(1)',
      'the images stay while modes are gone through',
    );
  }));

test('the wheel, keys, and dragging zoom and pan all images in step', () =>
  withComparison(
    {
      images: [
        [640, 400],
        [400, 640],
        [300, 300],
      ],
      width: 1200,
    },
    async (compare) => {
      const { page } = compare;
      await compare.images.nth(2).waitFor();
      await page.getByText('Fit', { exact: true }).waitFor();
      // 100 % is one pixel of the file for each of the page.
      const percent = async (scale: number) => {
        const { width, height } = await compare.panes
          .first()
          .evaluate(({ clientWidth, clientHeight }) => ({ width: clientWidth, height: clientHeight }));
        return `${Math.round(100 * scale * Math.min(width / 640, height / 400))} %`;
      };
      assert.equal(await page.getByRole('group', { name: 'Comparison mode' }).count(), 0);
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await page.keyboard.press('-');
      await page.keyboard.press('ArrowRight');
      await page.getByText(await percent(1.25)).waitFor();
      assert.deepEqual(await compare.transforms(), Array(3).fill('translate(-8%, 0%) scale(1.25)'));
      await compare.panes.nth(1).hover();
      await page.mouse.wheel(0, -800);
      await page.getByText(await percent(1.25 * Math.exp(1.6))).waitFor();
      await page.mouse.down();
      await page.mouse.move(400, 300, { steps: 3 });
      await page.mouse.up();
      const [one, ...others] = await compare.transforms();
      assert.notEqual(one, 'translate(-8%, 0%) scale(1.25)');
      assert.ok(others.every((other) => other === one));
      await page.keyboard.press('0');
      await page.getByText('Fit', { exact: true }).waitFor();
    },
  ));

test('names, dimensions, and bytes are shown, and a difference in size', () =>
  withComparison(
    {
      images: [
        [640, 400],
        [300, 300],
      ],
    },
    async (compare) => {
      await compare.page.getByText('640 × 400 pixels · 125 kB · Strata 2 · €0.04').waitFor();
      await compare.page.getByText('300 × 300 pixels · 250 kB').waitFor();
      await compare.page.getByText('The images differ in size').waitFor();
      assert.equal(await compare.images.first().getAttribute('alt'), 'harbour-1.png, Strata 2 · €0.04');
    },
  ));

test('side by side, each image has its name, even if they’re stacked', () =>
  withComparison({ mode: 'sideBySide', width: 400, height: 760 }, async ({ page }) => {
    const figures = page.getByRole('figure');
    for (const [index, name] of ['harbour-1.png', 'harbour-2.png'].entries())
      await figures.nth(index).getByText(name, { exact: true }).waitFor();
    assert.equal(await page.locator('.captions').count(), 0);
  }));

test('from the images, the keyboard reaches modes and zoom in one step, a decision in another', () =>
  withComparison({ staged: 'key-1', mode: 'difference' }, async (compare) => {
    const { page } = compare;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
    };
    assert.equal(await press(), 'Image comparison', 'the page opens on the images');
    assert.equal(await press('Shift+Tab'), 'Accept');
    assert.equal(await press('ArrowRight'), 'Keep Both');
    assert.equal(await press('Shift+Tab'), 'Difference', 'the mode in use comes first');
    assert.equal(await press('ArrowRight'), 'Zoom Out');
    assert.equal(await press('Home'), 'Slider');
    await press('Enter');
    assert.equal(await compare.mode('Slider').getAttribute('aria-pressed'), 'true');
    assert.equal(await press('End'), 'Fit to View');
    assert.equal(await press('Tab'), 'Keep Both', 'and back, by way of the button reached last');
    assert.equal(await press('Tab'), 'Image comparison');
    assert.equal(await press('Tab'), 'Divider');
    await press('Shift+Tab', 'Shift+Tab', 'Enter');
    assert.deepEqual(
      compare.said.flatMap((message) => (message.type === 'decide' ? [message.decision] : [])),
      ['keepBoth'],
    );
  }));

test('a staged result has Accept, Keep Both, and Discard', () =>
  withComparison({ staged: 'key-1' }, async (compare) => {
    for (const name of ['Accept', 'Keep Both', 'Discard Image']) await compare.mode(name).click();
    const decisions = compare.said.flatMap((message) => (message.type === 'decide' ? [message.decision] : []));
    assert.deepEqual(decisions, ['accept', 'keepBoth', 'discard']);
  }));

test('of the same image twice, the page says so, and Discard comes first', () =>
  withComparison({ staged: 'key-1', identical: true }, async ({ page }) => {
    await page.getByText('Identical images').first().waitFor();
    const buttons = page.getByRole('toolbar', { name: 'Decision' }).getByRole('button');
    assert.deepEqual(await buttons.allTextContents(), ['Discard Image', 'Accept', 'Keep Both']);
  }));

test('several new images are accepted or discarded together', () =>
  withComparison({ stagedPairs: ['key-1'], mode: 'sideBySide' }, async (compare) => {
    for (const name of ['Accept All', 'Discard All']) await compare.mode(name).click();
    const decisions = compare.said.flatMap((message) => (message.type === 'decide' ? [message.decision] : []));
    assert.deepEqual(decisions, ['acceptAll', 'discardAll']);
  }));

test('of several images, only selected ones are kept, and neither none nor all of them', () =>
  withComparison({ variants: ['key-1', 'key-2'] }, async (compare) => {
    const keep = compare.page.getByRole('button', { name: 'Keep Only Selected' });
    const boxes = compare.page.getByText('Keep', { exact: true });
    await keep.click({ force: true });
    await boxes.first().click();
    await compare.page.getByRole('button', { name: 'Keep 1, Trash 1' }).click();
    await boxes.nth(1).click();
    await keep.click({ force: true });
    const said = compare.said.flatMap((message) => (message.type === 'decide' ? [message] : []));
    assert.deepEqual(said, [{ type: 'decide', decision: 'keepSelected', selected: [0] }]);
  }));

const scenes: Readonly<Record<string, CompareOptions>> = {
  slider: {},
  onionSkin: { mode: 'onionSkin' },
  difference: { mode: 'difference' },
  sideBySide: {
    mode: 'sideBySide',
    images: [
      [640, 400],
      [300, 500],
    ],
  },
  grid: { images: [[640, 400], [300, 500], [300, 300], [640, 400], undefined] },
  keep: {
    images: [
      [640, 400],
      [640, 400],
      [640, 400],
      [640, 400],
    ],
    variants: ['key-1', 'key-2', 'key-3', 'key-4'],
  },
  decide: { staged: 'key-1' },
  identical: { staged: 'key-1', identical: true },
  narrow: { width: 320, height: 640, staged: 'key-1' },
};

for (const [name, options] of Object.entries(scenes)) {
  test(`axe finds nothing wrong with "${name}" in any kind of theme, and no text is cut off`, () =>
    withComparison(options, async (compare) => {
      const there = (options.images ?? [1, 2]).filter(Boolean).length;
      await compare.page.waitForFunction(
        (count) =>
          [...document.querySelectorAll('.pane img')].filter((image) => (image as HTMLImageElement).naturalWidth > 0)
            .length === count,
        there,
      );
      for (const theme of Object.keys(themes)) {
        await compare.dress(theme);
        await compare.page.screenshot({ path: join(screenshots, `compare-${name}-${theme}.png`) });
        assert.deepEqual(await compare.axe(), [], theme);
      }
      assert.deepEqual(await cutTexts(compare.page), []);
    }));
}
