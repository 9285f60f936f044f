import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { webviewHtml } from '../../src/editor/webviewHtml';
import type { FromSend, SendQuestion } from '../../src/features/rendering/page/sendMessages';
import { launchChromium } from './chromium';
import { root } from './root';
import { until } from './until';
import { axeViolations, beWebview, builtPage, cutTexts, dress, imageOf, themes } from './webviewPage';

const origin = 'http://send.test';
const screenshots = join(root, 'out', 'screenshots');

const asked = (count: number, canAnswer: boolean): SendQuestion => ({
  question: count === 1 ? 'Send this image of your project?' : `Send these ${count} images of your project?`,
  facts: ['Requested by an agent that calls itself “Tester”.', 'To: https://service.example'],
  images: Array.from({ length: count }, (_, index) => ({
    path: index % 5 === 3 ? `photos/${'very-'.repeat(12)}long-name-${index}.png` : `photos/harbor-${index}.png`,
    size: `${index + 1} kB`,
    address: index % 7 === 6 ? `${origin}/gone.png` : `${origin}/${index}.png`,
  })),
  explanation: '“Allow in This Window” is for every image in the open folders. The price is asked separately.',
  answers: { these: 'Allow These Images', all: 'Allow in This Window', none: 'Don’t Allow' },
  canAnswer,
});

/** The built page, without an editor. */
suite('The page that asks which images may be sent', () => {
  let browser: Browser;
  before(async () => {
    await mkdir(screenshots, { recursive: true });
    browser = await launchChromium();
  });
  after(() => browser.close());

  async function open(question: SendQuestion, width = 900) {
    const context = await browser.newContext({ viewport: { width, height: 700 } });
    const page = await context.newPage();
    const said: FromSend[] = [];
    await page.exposeFunction('toHost', (message: FromSend) => said.push(message));
    await page.addInitScript(beWebview, themes['dark']);
    await page.route(`${origin}/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html() });
      return path.endsWith('.png') && path !== '/gone.png'
        ? route.fulfill({ contentType: 'image/png', body: imageOf(path.repeat(3)) })
        : route.fulfill({ status: 404 });
    });
    await page.goto(origin);
    await until(() => Promise.resolve(said.length === 1));
    await show(page, question);
    return { page, said, close: () => context.close() };
  }

  const show = (page: Page, question: SendQuestion) =>
    page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), JSON.stringify(question));

  test('shows every image with its path in all themes and widths, to screen readers too', async () => {
    for (const [count, width] of [
      [1, 900],
      [12, 900],
      [12, 420],
    ] as const) {
      const { page, close } = await open(asked(count, true), width);
      await page
        .getByRole('listitem')
        .nth(count - 1)
        .waitFor();
      for (const theme of Object.keys(themes)) {
        await dress(page, theme);
        assert.deepEqual(await axeViolations(page), [], theme);
        assert.deepEqual(await cutTexts(page), [], theme);
        await page.screenshot({ path: join(screenshots, `send-${count}-${width}-${theme}.png`) });
      }
      await close();
    }
  });

  test('no key says yes before a button was reached, and Escape says no', async () => {
    const { page, said, close } = await open(asked(2, false));
    await page.getByRole('heading').waitFor();
    await until(() => page.getByRole('heading').evaluate((heading) => heading === document.activeElement));
    await page.getByRole('button', { name: 'Allow These Images', disabled: true }).waitFor();
    await show(page, asked(2, true));
    await page.getByRole('button', { name: 'Allow These Images', disabled: false }).waitFor();
    for (const key of ['Enter', 'Space', 'Control+Enter', 'y']) await page.keyboard.press(key);
    assert.equal(said.length, 1);
    await page.keyboard.press('Escape');
    await until(() => Promise.resolve(said.length === 2));
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(() => Promise.resolve(said.length === 3));
    assert.deepEqual(said.slice(1), [
      { type: 'answer', answer: 'none' },
      { type: 'answer', answer: 'all' },
    ]);
    await close();
  });
});

function html(): string {
  return webviewHtml({
    page: 'send',
    read: builtPage,
    cspSource: origin,
    nonce: 'nonce',
    language: 'en',
    title: 'Images',
  });
}
