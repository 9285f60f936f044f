import type { Browser, Locator, Page } from 'playwright-core';
import { silentLog } from '../../../src/base/log';
import {
  type CompareMode,
  englishCompareStrings,
  type ToCompare,
} from '../../../src/features/compare/page/compareMessages';
import { CompareConversation, type FromCompare } from '../../../src/features/compare/model/compareConversation';
import { webviewHtml } from '../../../src/editor/webviewHtml';
import { axeViolations, beWebview, builtPage, dress, imageOf, themes } from '../webviewPage';

export interface CompareOptions {
  /** Width and height of each image, px; undefined for a missing one. */
  readonly images?: readonly (readonly [number, number] | undefined)[];
  readonly mode?: CompareMode;
  /** The key of the render to decide on. */
  readonly staged?: string;
  /** The keys of the renders to choose from. */
  readonly variants?: readonly string[];
  /** The keys of the renders whose pairs are decided on. */
  readonly stagedPairs?: readonly string[];
  /** All are the same image. */
  readonly identical?: boolean;
  readonly width?: number;
  readonly height?: number;
}

const origin = 'http://compare.test';

/** The built comparison in a page, with the real host side. No editor. */
export class ComparePage {
  /** Every message of the page, in order. */
  readonly said: FromCompare[] = [];
  /** Errors of the page, and violations of its policy. */
  readonly complaints: string[] = [];

  private constructor(readonly page: Page) {}

  static async open(browser: Browser, options: CompareOptions = {}): Promise<ComparePage> {
    const {
      images: pictures = [
        [640, 400],
        [640, 400],
      ],
      mode = 'slider',
      width = 1000,
      height = 700,
    } = options;
    const context = await browser.newContext({ viewport: { width, height } });
    const compare = new ComparePage(await context.newPage());
    const { page } = compare;
    const conversation = new CompareConversation({
      comparison: {
        id: 'one',
        images: [],
        mode,
        staged: options.staged,
        stagedPairs: options.stagedPairs,
        variants: options.variants,
      },
      log: silentLog,
      strings: englishCompareStrings,
      locale: 'en',
      images: () =>
        Promise.resolve(
          pictures.map((size, index) => ({
            title: options.variants ? `${index + 1} · seed ${4110598397 + index}` : `harbour-${index + 1}.png`,
            detail: 'Strata 2 · €0.04',
            bytes: 125_000 * (index + 1),
            address: size && `${origin}/${index}.png`,
          })),
        ),
      areIdentical: () => Promise.resolve(options.identical === true),
      edit: () => Promise.resolve(),
      decide: () => Promise.resolve(),
      post: (message) => void compare.post(message),
    });
    page.on('console', (line) => line.type() === 'error' && compare.complaints.push(line.text()));
    page.on('pageerror', (error) => compare.complaints.push(String(error)));
    await page.exposeFunction('toHost', (message: FromCompare) => {
      compare.said.push(message);
      conversation.receive(message);
    });
    await page.addInitScript(beWebview, themes['dark']);
    await page.route(`${origin}/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html() });
      const size = pictures[Number(path.slice(1, -4))];
      return size
        ? route.fulfill({ contentType: 'image/png', body: imageOf(path.repeat(3), [...size]) })
        : route.fulfill({ status: 404 });
    });
    await page.goto(origin);
    await page.getByRole('main').waitFor();
    return compare;
  }

  dress(theme: string): Promise<void> {
    return dress(this.page, theme);
  }

  axe(): Promise<string[]> {
    return axeViolations(this.page);
  }

  get images(): Locator {
    return this.page.locator('.pane img');
  }

  get panes(): Locator {
    return this.page.locator('.pane');
  }

  /** The transform of each image: equal for all when they're zoomed and moved together. */
  transforms(): Promise<string[]> {
    return this.images.evaluateAll((images) => images.map((image) => (image as HTMLElement).style.transform));
  }

  mode(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  private async post(message: ToCompare): Promise<void> {
    await this.page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), JSON.stringify(message));
  }
}

function html(): string {
  return webviewHtml({
    page: 'compare',
    read: builtPage,
    cspSource: origin,
    nonce: 'nonce',
    language: 'en',
    title: 'Comparison',
  });
}
