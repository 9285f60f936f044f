import { actionViews } from '../../../src/features/rendering/model/actions';
import type { Browser, Locator, Page } from 'playwright-core';
import { systemClock } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { englishGalleryStrings, type ToGallery } from '../../../src/features/gallery/page/galleryMessages';
import { type FromGallery, GalleryConversation } from '../../../src/features/gallery/model/galleryConversation';
import { webviewHtml } from '../../../src/editor/webviewHtml';
import type { LibraryEntry } from '../../../src/renders/library';
import type { RenderRecord } from '../../../src/renders/record';
import { axeViolations, beWebview, builtPage, dress, frames, imageOf, themes } from '../webviewPage';

export interface GalleryOptions {
  readonly entries?: readonly LibraryEntry[];
  readonly theme?: string;
  readonly width?: number;
  readonly height?: number;
  /** The page zoom, like the editor's. */
  readonly zoom?: number;
  /** Names of missing files. */
  readonly gone?: readonly string[];
  /** Older results, which become entries on request. */
  readonly older?: readonly LibraryEntry[];
  /** Results of another service. */
  readonly elsewhere?: readonly LibraryEntry[];
}

const origin = 'http://gallery.test';
/** The names of models. */
const names = new Map([
  ['paperlight/strata/strata-2', 'Strata 2'],
  ['kiln/poster/signal-1', 'Signal 1'],
  ['quill-house/verse/haiku-1', 'Haiku 1'],
]);
const project = 'file:///project';
const hour = 60 * 60 * 1000;

/** The built gallery in a page, with the real host side and a library controlled by the test. No editor. */
export class GalleryPage {
  /** Every message of the webview, in order. */
  readonly said: FromGallery[] = [];
  /** Errors of the page, and violations of its policy. */
  readonly complaints: string[] = [];
  /** Names of deleted files. */
  readonly gone: Set<string>;
  private leaving = false;
  private entries: LibraryEntry[];
  private readonly changes = new Emitter<void>();
  private readonly conversation: GalleryConversation;
  private readonly images = new Map<string, Buffer>();

  private isOlderShown = false;

  private constructor(
    readonly page: Page,
    private readonly options: GalleryOptions,
  ) {
    this.gone = new Set(options.gone);
    this.entries = [...(options.entries ?? [])];
    const entries = () => this.entries;
    this.conversation = new GalleryConversation({
      library: {
        get entries() {
          return entries();
        },
        elsewhere: options.elsewhere ?? [],
        countOlder: () => (this.isOlderShown ? 0 : (options.older?.length ?? 0)),
        onDidChange: this.changes.event,
      },
      clock: systemClock,
      log: silentLog,
      strings: englishGalleryStrings,
      locale: 'en',
      folders: () => [project],
      standing: ({ state, status }) => state ?? status ?? '',
      story: ({ problem }) => problem?.detail,
      price: ({ costCents }) => (costCents === undefined ? undefined : `€0.0${costCents}`),
      spokenPrice: ({ costCents }) => (costCents === undefined ? undefined : `0.0${costCents} euros`),
      actions: actionViews('gallery', (english) => english),
      address: (file) => file.replace('file://', origin),
      nameOf: (modelId) => names.get(modelId) ?? modelId,
      waiting: ({ record }) => record?.spooled && `${origin}/spool/${record.spooled.name}.png`,
      ...{ thumbnail: () => undefined, given: () => undefined, sizeOf: () => Promise.resolve(0) },
      ...{ makeThumbnail: () => Promise.resolve(), dropThumbnail: () => Promise.resolve() },
      act: () => Promise.resolve(),
      ...{ compare: () => Promise.resolve(), remove: () => Promise.resolve() },
      more: (count) => `${count} more, from http://127.0.0.1:8787`,
      openModel: () => Promise.resolve(),
      showOlder: () => Promise.resolve(this.showOlder()),
      post: (message) => void this.post(message),
    });
  }

  static async open(browser: Browser, options: GalleryOptions = {}): Promise<GalleryPage> {
    const { theme = 'dark', width = 1000, height = 800, zoom = 1 } = options;
    const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: zoom });
    const gallery = new GalleryPage(await context.newPage(), options);
    await gallery.prepare(theme);
    await gallery.reload();
    return gallery;
  }

  /** Reloads the page, as the editor does when a hidden webview is shown again. */
  async reload(): Promise<void> {
    this.leaving = true;
    await this.page.goto(origin);
    this.leaving = false;
    await this.page.getByRole('main').waitFor();
    await this.page.getByText('Loading results').waitFor({ state: 'detached' });
  }

  /** Adds or updates an entry of the library. */
  show(entry: LibraryEntry): void {
    this.entries = [entry, ...this.entries.filter(({ id }) => id !== entry.id)];
    this.changes.fire();
  }

  /** Adds the test's older entries, after which there are no more. */
  private showOlder(): void {
    this.entries = [...this.entries, ...(this.options.older ?? [])];
    this.isOlderShown = true;
    this.changes.fire();
  }

  /** Removes an entry from the library. */
  drop(id: string): void {
    this.entries = this.entries.filter((entry) => entry.id !== id);
    this.changes.fire();
  }

  dress(theme: string): Promise<void> {
    return dress(this.page, theme);
  }

  axe(): Promise<string[]> {
    return axeViolations(this.page);
  }

  until(isSo: () => boolean): Promise<void> {
    return frames(this.page, isSo);
  }

  get tiles(): Locator {
    return this.page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  }

  /** The tile with this prompt. */
  tile(prompt: string): Locator {
    return this.tiles.and(this.page.getByRole('option', { name: `${prompt},` }));
  }

  get scroller(): Locator {
    return this.page.locator('.scroller');
  }

  get count(): Locator {
    return this.page.locator('.count span').first();
  }

  /** The prompt of the focused tile; '' without one. */
  focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.querySelector('.prompt')?.textContent ?? '');
  }

  /** Resolves when every visible image was loaded. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll('img')].every(
        (image) => image.complete || image.getBoundingClientRect().top > innerHeight,
      ),
    );
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path, animations: 'disabled' });
  }

  async close(): Promise<void> {
    this.leaving = true;
    this.conversation.dispose();
    await this.page.context().close();
  }

  private async post(message: ToGallery): Promise<void> {
    try {
      await this.page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), JSON.stringify(message));
    } catch (error) {
      // A message to a webview that is closing or reloading is lost, in the editor too.
      if (!this.leaving) throw error;
    }
  }

  private async prepare(theme: string): Promise<void> {
    const { page } = this;
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
        this.complaints.push(line.text());
    });
    await page.exposeFunction('toHost', (message: FromGallery) => {
      this.said.push(message);
      this.conversation.receive(message);
    });
    await page.addInitScript(beWebview, themes[theme]);
    await page.route(`${origin}/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html() });
      return path.endsWith('.png') && !this.gone.has(path.slice(path.lastIndexOf('/') + 1))
        ? route.fulfill({ contentType: 'image/png', body: this.image(path) })
        : route.fulfill({ status: 404 });
    });
  }

  /** A few different images serve thousands of tiles. */
  private image(path: string): Buffer {
    const kind = String(Buffer.from(path).reduce((sum, byte) => sum + byte, 0) % 12);
    let found = this.images.get(kind);
    if (!found) {
      found = imageOf(kind.repeat(3), Number(kind) % 3 === 0 ? [320, 480] : [480, 480]);
      this.images.set(kind, found);
    }
    return found;
  }
}

function html(): string {
  return webviewHtml({
    page: 'gallery',
    read: builtPage,
    cspSource: origin,
    nonce: 'nonce',
    language: 'en',
    title: 'Gallery',
  });
}

/** A render of the project in some state. */
export function entryOf(id: string, entry: Partial<LibraryEntry> = {}, startedAt = Date.now()): LibraryEntry {
  return {
    id,
    group: 'finished',
    state: 'saved',
    status: 'succeeded',
    generationId: `gen-${id}`,
    modelId: 'paperlight/strata/strata-2',
    inputs: { prompt: id },
    startedAt,
    record: { key: id, target: { root: project, folder: 'renders', fileName: '' } } as unknown as RenderRecord,
    ...entry,
  };
}

/** A saved image. */
export function image(id: string, entry: Partial<LibraryEntry> = {}, startedAt?: number): LibraryEntry {
  const file = `${project}/renders/${encodeURIComponent(id.replaceAll(' ', '-'))}.png`;
  return entryOf(id, { costCents: 4, mediaType: 'image/png', file, ...entry }, startedAt);
}

/** Images an hour apart, newest first: "picture 0", "picture 1" … */
export function images(count: number): LibraryEntry[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => image(`picture ${index}`, {}, now - index * hour));
}
