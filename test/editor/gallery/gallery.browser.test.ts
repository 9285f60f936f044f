import { isDeepStrictEqual } from 'node:util';
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import type { LibraryEntry } from '../../../src/renders/library';
import type { ProblemCode, RenderRecord } from '../../../src/renders/record';
import { launchChromium } from '../chromium';
import { root } from '../root';
import { dress, themes } from '../webviewPage';
import { entryOf, GalleryPage, image, images, type GalleryOptions } from './harness';

const screenshots = join(root, 'out', 'screenshots');
const day = 24 * 60 * 60 * 1000;

let browser: Browser;
before(async () => {
  await mkdir(screenshots, { recursive: true });
  browser = await launchChromium();
});
after(() => browser.close());

/** Opens the gallery, runs the test, and fails on any error of the page. */
async function withGallery(options: GalleryOptions, look: (gallery: GalleryPage) => Promise<void>): Promise<void> {
  const gallery = await GalleryPage.open(browser, options);
  try {
    await look(gallery);
    assert.deepEqual(gallery.complaints, []);
  } finally {
    await gallery.close();
  }
}

/** One result of each kind and in each state. */
function everyKind(): LibraryEntry[] {
  const now = Date.now();
  const haiku = 'Snow falls on the pond\nthe heron lifts one grey foot\nand forgets the word';
  const others: Record<string, Partial<LibraryEntry>> = {
    'a fox that is being drawn': { group: 'active', state: 'accepted', status: 'queued' },
    'snow on the pond': {
      modelId: 'quill-house/verse/haiku-1',
      textOutput: haiku,
      file: 'file:///project/renders/snow.md',
      mediaType: 'text/markdown',
      costCents: 1,
    },
    'a fox that came to nothing': { state: 'refunded', problem: { code: 'serviceSays', detail: 'No foxes today.' } },
    'a fox whose folder is gone': { group: 'paidNotSaved', state: 'succeeded', problem: { code: 'folderGone' } },
    'a fox nobody heard of': { group: 'unknown', state: 'unknown' },
    'a fox not sent': { group: 'notSent', state: 'planned' },
    'a bark': { file: 'file:///project/renders/bark.wav', mediaType: 'audio/wav' },
  };
  return [
    image('a red lighthouse by the sea at sunset, calm water, warm colours', {}, now),
    ...Object.entries(others).map(([id, entry], index) => entryOf(id, entry, now - (index + 1) * 1000)),
    image('a poster', { modelId: 'kiln/poster/signal-1', costCents: 9 }, now - 3 * day),
    image('an old poster', { modelId: 'kiln/poster/signal-1' }, now - 20 * day),
    image('a very old fox', {}, now - 200 * day),
  ];
}

test('of two thousand results, only visible ones are loaded as images, when opening and scrolling', (context: TestContext) =>
  withGallery({ entries: [] }, async (gallery) => {
    await gallery.close();
    const started = performance.now();
    const full = await GalleryPage.open(browser, { entries: images(2000), width: 1600, height: 1000 });
    try {
      await full.tiles.first().waitFor();
      context.diagnostic(`open with 2,000 results, page load to tiles: ${Math.round(performance.now() - started)} ms`);
      assert.equal(await full.count.innerText(), '2,000 of 2,000');
      const { longest, most, frames } = await full.page.evaluate(async () => {
        let longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        }).observe({ type: 'longtask' });
        const scroller = document.querySelector('.scroller')!;
        let most = 0;
        let frames = 0;
        const step = scroller.scrollHeight / 240;
        while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
          scroller.scrollTop += step;
          await new Promise((resolve) => requestAnimationFrame(resolve));
          most = Math.max(most, document.images.length);
          frames += 1;
        }
        await new Promise((resolve) => setTimeout(resolve, 0));
        return { longest, most, frames };
      });
      context.diagnostic(
        `longest task over ${frames} frames from top to bottom: ${Math.round(longest)} ms (0: none over 50)`,
      );
      assert.ok(most > 0 && most < 100, `${most} pictures at once`);
      await full.tile('picture 1999').waitFor();
      await full.settled();
      assert.deepEqual(full.complaints, []);
    } finally {
      await full.close();
    }
  }));

test('it opens with the focus on the newest result, so that keys select and compare at once', () =>
  withGallery({ entries: images(3) }, async (gallery) => {
    const { page } = gallery;
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'option');
    assert.equal(await gallery.focused(), 'picture 0');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('c');
    await gallery.until(() => gallery.said.some(({ type }) => type === 'compare'));
  }));

test('the filters narrow down by prompt, model, type, and date, and can be cleared', () =>
  withGallery({ entries: everyKind() }, async (gallery) => {
    const { page } = gallery;
    const count = (words: string) => gallery.page.locator('.count').getByText(words, { exact: true }).waitFor();
    await count('11 of 11');
    await page.getByRole('searchbox').fill('FOX drawn');
    await count('1 of 11');
    await gallery.tile('a fox that is being drawn').waitFor();
    await page.getByRole('searchbox').fill('a-poster.png');
    await count('1 of 11');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await count('11 of 11');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('Signal 1');
    await count('2 of 11');
    await page.getByRole('combobox', { name: 'Date' }).selectOption('Last 7 days');
    await count('1 of 11');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Text');
    await page.getByRole('heading', { name: 'No results match the filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).last().click();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Text');
    await count('1 of 11');
    await gallery.tile('snow on the pond').getByText('the heron lifts one grey foot').waitFor();
  }));

test('images can be made larger and smaller, which survives hiding the gallery', () =>
  withGallery({ entries: images(8) }, async (gallery) => {
    const { page } = gallery;
    const width = async () => (await gallery.tile('picture 0').boundingBox())!.width;
    const usual = await width();
    const larger = page.getByRole('button', { name: 'Larger Images' });
    await larger.click();
    const large = await width();
    assert.ok(large > 1.4 * usual, `${large} after ${usual}`);
    assert.equal(await larger.getAttribute('aria-disabled'), 'true');
    await page.screenshot({ path: join(screenshots, 'gallery-large.png') });
    await gallery.reload();
    assert.equal(await width(), large);
    for (let press = 0; press < 2; press++) await page.getByRole('button', { name: 'Smaller Images' }).click();
    assert.ok((await width()) < usual);
    await page.screenshot({ path: join(screenshots, 'gallery-small.png') });
  }));

test('Delete asks to move the focused result to the trash, or with it the whole selection', () =>
  withGallery({ entries: images(2) }, async (gallery) => {
    await gallery.tile('picture 1').focus();
    await gallery.page.keyboard.press('Delete');
    const removes = (ids: readonly string[]) =>
      gallery.until(() =>
        gallery.said.some((message) => message.type === 'remove' && isDeepStrictEqual(message.ids, ids)),
      );
    await removes(['picture 1']);
    await gallery.page.keyboard.press(' ');
    await gallery.tile('picture 0').focus();
    await gallery.page.keyboard.press(' ');
    await gallery.page.keyboard.press('Delete');
    await removes(['picture 1', 'picture 0']);
    await gallery.page.getByRole('button', { name: 'Move to Trash' }).waitFor();
  }));

test('older results are loaded on request, and then no more are offered', () =>
  withGallery({ entries: images(30), older: [image('the first fox of all', {}, 0)] }, async (gallery) => {
    const button = gallery.page.getByRole('button', { name: 'Show older results: 1 more' });
    await button.waitFor();
    await gallery.page.screenshot({ path: join(screenshots, 'gallery-older.png') });
    await button.click();
    await button.waitFor({ state: 'detached' });
    await gallery.page.getByRole('searchbox').fill('first fox');
    await gallery.tile('the first fox of all').waitFor();
  }));

test('the keyboard moves among the tiles, opens them, and reaches their other actions', () =>
  withGallery({ entries: images(100), width: 800, height: 600 }, async (gallery) => {
    const { keyboard } = gallery.page;
    await gallery.tiles.first().focus();
    const press = async (key: string) => {
      await keyboard.press(key);
      return gallery.focused();
    };
    assert.equal(await press('ArrowRight'), 'picture 1');
    assert.equal(await press('ArrowDown'), 'picture 5');
    assert.equal(await press('ArrowLeft'), 'picture 4');
    assert.equal(await press('ArrowUp'), 'picture 0');
    assert.equal(await press('End'), 'picture 99');
    assert.equal(await press('ArrowRight'), 'picture 99');
    const paged = await press('PageUp');
    assert.ok(['picture 91', 'picture 95'].includes(paged), paged);
    assert.equal(await press('Home'), 'picture 0');
    await keyboard.press('Enter');
    await gallery.until(() => gallery.said.some(({ type }) => type === 'action'));
    assert.deepEqual(gallery.said.at(-1), { type: 'action', action: 'openResult', id: 'picture 0' });
    await keyboard.press('Tab');
    const tools = gallery.page.getByRole('toolbar', { name: 'Actions for picture 0' });
    assert.deepEqual(
      await tools.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.ariaLabel)),
      ['Select for Compare', 'Open', 'Copy as Link', 'More Actions…', 'Render Again · €0.04'],
    );
    const reached = () => gallery.page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(await reached(), 'Select for Compare');
    await keyboard.press('ArrowRight');
    assert.equal(await reached(), 'Open');
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    assert.equal(await reached(), 'Render Again · €0.04', 'it goes round');
    await keyboard.press('Shift+Tab');
    assert.equal(await gallery.focused(), 'picture 0', 'all its buttons are one stop');
    await keyboard.press('Tab');
    assert.equal(await reached(), 'Render Again · €0.04', 'and the button reached last is the one returned to');
    await keyboard.press('Escape');
    assert.equal(await gallery.focused(), 'picture 0');
    await keyboard.press('Delete');
    assert.equal(await gallery.tiles.first().getAttribute('aria-posinset'), '1');
  }));

test('a tile’s buttons leave its image in sight, and the last one opens the editor’s menu below it', () =>
  withGallery({ entries: images(4) }, async (gallery) => {
    const { page } = gallery;
    await gallery.tile('picture 1').hover();
    const tools = page.getByRole('toolbar', { name: 'Actions for picture 1' });
    const boxOf = async (name: string) => (await tools.getByRole('button', { name }).boundingBox())!;
    const [pick, open, more] = [await boxOf('Select for Compare'), await boxOf('Open'), await boxOf('More Actions…')];
    const tile = (await gallery.tile('picture 1').boundingBox())!;
    assert.ok(pick.x - tile.x < 16 && pick.y - tile.y < 16, 'it’s selected at the top left');
    assert.ok(open.y - tile.y > tile.width / 2, 'its actions are at the bottom');
    await page.screenshot({ path: join(screenshots, 'gallery-tools.png') });
    await page.evaluate(() =>
      addEventListener('contextmenu', ({ target, clientX, clientY }) => {
        const context = (target as Element).closest<HTMLElement>('[data-vscode-context]')?.dataset['vscodeContext'];
        Object.assign(window, { asked: { context, clientX, clientY } });
      }),
    );
    await tools.getByRole('button', { name: 'More Actions…' }).click();
    const asked = await page.evaluate(
      () => (window as unknown as { asked: { context: string; clientX: number; clientY: number } }).asked,
    );
    assert.equal((JSON.parse(asked.context) as { id: string }).id, 'picture 1');
    assert.deepEqual([asked.clientX, asked.clientY], [more.x, more.y + more.height]);
    await tools.getByRole('button', { name: 'Select for Compare' }).click();
    await page.getByText('1 image selected').waitFor();
  }));

test('the button that renders again shows its price on tiles of every size, and none that isn’t known', () =>
  withGallery({ entries: [...images(2), image('a gift', { costCents: 0 })] }, async (gallery) => {
    const { page } = gallery;
    const again = (prompt: string) =>
      page.getByRole('toolbar', { name: `Actions for ${prompt}` }).getByRole('button', { name: 'Render Again' });
    for (const size of ['Larger Images', 'Smaller Images', 'Smaller Images']) {
      await page.getByRole('button', { name: size }).click();
      await gallery.tile('picture 0').hover();
      assert.match(await again('picture 0').innerText(), /€0\.04$/);
      await page.screenshot({ path: join(screenshots, `gallery-again.png`) });
    }
    await again('picture 0').click();
    await gallery.until(() => gallery.said.some(({ type }) => type === 'action'));
    assert.deepEqual(gallery.said.at(-1), { type: 'action', action: 'renderAgain', id: 'picture 0' });
    await gallery.tile('a gift').hover();
    assert.equal(await again('a gift').getAttribute('aria-label'), 'Render Again');
  }));

test('a visible tile keeps its position and focus while new results are added above it', () =>
  withGallery({ entries: images(200), width: 800, height: 600 }, async (gallery) => {
    await gallery.tile('picture 3').focus();
    await gallery.scroller.evaluate((scroller) => (scroller.scrollTop = 2000));
    await gallery.tile('picture 40').focus();
    const topOf = async () => (await gallery.tile('picture 40').boundingBox())!.y;
    const [before, src] = [await topOf(), await gallery.tile('picture 40').locator('img').elementHandle()];
    for (let fresh = 0; fresh < 4; fresh += 1) gallery.show(image(`new ${fresh}`, {}, Date.now() + fresh));
    await gallery.page.locator('.count').getByText('204 of 204', { exact: true }).waitFor();
    assert.equal(await gallery.focused(), 'picture 40');
    assert.ok(Math.abs((await topOf()) - before) < 2);
    assert.ok(await src.evaluate((image) => image.isConnected), 'its picture is the same element');
    await gallery.page.keyboard.press('Home');
    assert.equal(await gallery.focused(), 'new 3');
  }));

test('a result that arrives as a user scrolls doesn’t undo the scroll', () =>
  withGallery({ entries: images(200), width: 800, height: 600 }, async (gallery) => {
    await gallery.tiles.first().waitFor();
    await gallery.scroller.evaluate((scroller) => {
      scroller.scrollTop = 1000;
      // Before the gallery reads the message, and before the frame that tells of the scroll.
      addEventListener('message', () => (scroller.scrollTop = 2000), { capture: true, once: true });
    });
    gallery.show(image('new', {}, Date.now()));
    await gallery.page.locator('.count').getByText('201 of 201', { exact: true }).waitFor();
    const row = await gallery.scroller.evaluate((scroller) => scroller.scrollTop);
    assert.ok(row >= 2000, `it’s at ${row}`);
  }));

test('at the top, a new result comes into view first, and its image follows', () =>
  withGallery({ entries: images(20) }, async (gallery) => {
    await gallery.tile('picture 0').focus();
    const now = Date.now() + 1000;
    gallery.show(entryOf('fresh', { group: 'active', state: 'accepted' }, now));
    await gallery.tiles.first().locator('.prompt').getByText('fresh').waitFor();
    await gallery.tile('fresh').locator('.card').getByText('accepted').waitFor();
    gallery.show(image('fresh', {}, now));
    await gallery.tile('fresh').locator('img').waitFor();
    assert.equal(await gallery.focused(), 'picture 0');
    assert.equal(await gallery.tile('fresh').getAttribute('aria-posinset'), '1');
    gallery.drop('picture 0');
    await gallery.page.locator('.count').getByText('20 of 20', { exact: true }).waitFor();
    assert.notEqual(await gallery.focused(), '');
  }));

test('Space selects images, and C compares them', () =>
  withGallery({ entries: images(100), width: 800, height: 600 }, async (gallery) => {
    const { page } = gallery;
    await gallery.tiles.first().focus();
    await page.keyboard.press('c');
    await page.getByText('Select two or more images with Space').waitFor();
    for (let row = 0; row < 10; row += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    for (const count of [2, 3]) {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await page.getByText(`${count} images selected.`).waitFor();
    }
    await page.keyboard.press('c');
    const compared = () => gallery.said.filter(({ type }) => type === 'compare');
    await gallery.until(() => compared().length > 0);
    assert.deepEqual(compared(), [{ type: 'compare', ids: ['picture 40', 'picture 41', 'picture 42'] }]);
  }));

test('results without an image can’t be compared, and a message says so', () =>
  withGallery({ entries: everyKind() }, async (gallery) => {
    await gallery.tile('a fox nobody heard of').focus();
    await gallery.page.keyboard.press('Space');
    await gallery.page.getByRole('status').getByText('Only saved images can be compared.').waitFor();
  }));

test('an image that no longer exists leaves a placeholder with a way to get it again', () =>
  withGallery({ entries: [] }, async (gallery) => {
    gallery.gone.add('lost.png');
    gallery.show(image('lost'));
    const tile = gallery.tile('lost');
    await tile.locator('.card').getByText('The file no longer exists').waitFor();
    assert.match(
      await tile.locator('.only-heard').innerText(),
      /^lost, Strata 2, 0\.04 euros, .*, The file no longer exists/,
    );
    await tile.getByText('Download Again').click();
    await gallery.until(() => gallery.said.some(({ type }) => type === 'action'));
    assert.deepEqual(gallery.said.at(-1), { type: 'action', action: 'downloadAgain', id: 'lost' });
    gallery.gone.clear();
    gallery.show(image('lost'));
    await tile.locator('img').waitFor();
  }));

test('a paid image that only waits for a folder is shown, and one that couldn’t be saved has a warning', () => {
  const waiting = (id: string, code: ProblemCode) => {
    const record = { key: id, spooled: { name: id }, target: { root: 'file:///project' } } as unknown as RenderRecord;
    return entryOf(id, { group: 'paidNotSaved', problem: { code }, mediaType: 'image/png', costCents: 4, record });
  };
  const entries = [waiting('no folder is open', 'noFolder'), waiting('the disk is full', 'diskFull'), ...images(4)];
  return withGallery({ entries, width: 1280 }, async (gallery) => {
    const tile = (prompt: string) => gallery.page.getByRole('option', { name: prompt });
    await tile('no folder is open').locator('img').waitFor();
    assert.equal(await tile('the disk is full').locator('img').count(), 0);
    assert.equal(await tile('the disk is full').locator('.card').count(), 1);
    assert.match(await tile('no folder is open').locator('.facts').innerText(), /Strata 2\s*€0\.04/);
    await gallery.settled();
    for (const theme of ['light', 'dark']) {
      await dress(gallery.page, theme);
      await gallery.screenshot(join(screenshots, `gallery-waiting-${theme}.png`));
    }
  });
});

test('filters, selection, and scroll position survive hiding the gallery', () =>
  withGallery({ entries: images(500), width: 800, height: 600 }, async (gallery) => {
    const { page } = gallery;
    await page.getByRole('searchbox').fill('picture 1');
    await page.locator('.count').getByText('176 of 500', { exact: true }).waitFor();
    await gallery.tile('picture 1').focus();
    await page.keyboard.press('Space');
    const scrolled = gallery.scroller.evaluate(
      (scroller) => new Promise((resolve) => scroller.addEventListener('scrollend', resolve, { once: true })),
    );
    await gallery.scroller.evaluate((scroller) => (scroller.scrollTop = 2500));
    await scrolled;
    const first = () =>
      gallery.tiles.evaluateAll(
        (tiles) =>
          tiles.find((tile) => tile.getBoundingClientRect().bottom > 60)?.querySelector('.prompt')?.textContent,
      );
    const before = await first();
    await gallery.reload();
    await page.locator('.count').getByText('176 of 500', { exact: true }).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'picture 1');
    await page.getByText('1 image selected').waitFor();
    await page.waitForFunction(() => document.querySelector('.scroller')!.scrollTop > 2000);
    // The rows of that place are drawn with the next frame.
    await gallery.tile(before ?? '').waitFor();
    assert.equal(await first(), before);
  }));

test('with nothing to show, it offers a way to begin', () =>
  withGallery({ entries: [] }, async (gallery) => {
    await gallery.page.getByRole('heading', { name: 'No results in this project yet' }).waitFor();
    await gallery.page.getByRole('button', { name: 'Open Model Form…' }).click();
    await gallery.until(() => gallery.said.at(-1)?.type === 'openModel');
  }));

/** The galleries to examine: axe checks each, and takes a screenshot in every kind of theme. */
const scenes: Record<string, { options: GalleryOptions; prepare?: (gallery: GalleryPage) => Promise<void> }> = {
  mixed: {
    options: { entries: everyKind(), gone: ['an-old-poster.png'] },
    prepare: async (gallery) => {
      await gallery.tile('an old poster').locator('.card').waitFor();
      await gallery.tile('a poster').focus();
      await gallery.page.keyboard.press('Space');
      await gallery.tile('a red lighthouse by the sea at sunset, calm water, warm colours').hover();
      await gallery.page.getByRole('toolbar').nth(1).waitFor();
    },
  },
  narrow: {
    options: { entries: everyKind(), width: 300, zoom: 2 },
    prepare: (gallery) => gallery.tiles.first().focus(),
  },
  low: {
    options: { entries: everyKind(), gone: ['an-old-poster.png'], width: 800, height: 360 },
    prepare: async (gallery) => {
      await gallery.tile('an old poster').locator('.card').waitFor();
      const { y, height } = (await gallery.tiles.last().boundingBox())!;
      assert.ok(y + height <= 360, 'both rows are in sight');
      await gallery.tile('a poster').focus();
      await gallery.page.keyboard.press('Space');
    },
  },
  wide: { options: { entries: images(60), width: 1600, height: 900 } },
  empty: { options: { entries: [], width: 500 } },
  unmatched: {
    options: { entries: images(3) },
    prepare: async (gallery) => {
      await gallery.page.getByRole('searchbox').fill('no such thing');
      await gallery.page.getByRole('heading', { name: 'No results match' }).waitFor();
    },
  },
};

for (const [name, { options, prepare }] of Object.entries(scenes)) {
  test(`axe finds nothing wrong with "${name}" in any kind of theme`, () =>
    withGallery(options, async (gallery) => {
      await prepare?.(gallery);
      await gallery.settled();
      for (const theme of Object.keys(themes)) {
        await gallery.dress(theme);
        await gallery.screenshot(join(screenshots, `gallery-${name}-${theme}.png`));
        assert.deepEqual(await gallery.axe(), [], theme);
      }
    }));
}

test('results of another service are counted and shown on request, also where there are no others', () =>
  withGallery({ entries: [], elsewhere: [image('a heron')] }, async (gallery) => {
    const { page } = gallery;
    await page.getByText('1 more, from http://127.0.0.1:8787').waitFor();
    await page.screenshot({ path: join(screenshots, 'gallery-elsewhere-none.png') });
    await page.getByRole('button', { name: 'Show All' }).click();
    await gallery.tiles.first().waitFor();
    assert.equal(await page.getByText('1 more, from').count(), 0);
    assert.deepEqual(gallery.said.at(-1), { type: 'showAll' });
  }));

test('the line about them is below the filters', () =>
  withGallery({ entries: everyKind(), elsewhere: [image('a heron')], width: 700 }, async (gallery) => {
    await gallery.page.getByText('1 more, from http://127.0.0.1:8787').waitFor();
    await gallery.page.screenshot({ path: join(screenshots, 'gallery-elsewhere.png') });
  }));
