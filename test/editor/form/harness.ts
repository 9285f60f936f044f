import { createHash } from 'node:crypto';
import { actionViews } from '../../../src/features/rendering/model/actions';
import type { Browser, Locator, Page } from 'playwright-core';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/disposable';
import type { GivenImage } from '../../../src/base/givenImage';
import type { JsonObject } from '../../../src/base/json';
import { silentLog } from '../../../src/base/log';
import { ServiceError } from '../../../src/catalog/errors';
import { type Model, promptOf, type Quote } from '../../../src/catalog/fields';
import { Quotes } from '../../../src/catalog/quotes';
import { Offer } from '../../../src/compose/offer';
import type { FromForm, KeptForm } from '../../../src/editor/formRequests';
import { englishFormStrings, type FormStrings, type ToForm } from '../../../src/features/form/page/formMessages';
import { Drafts } from '../../../src/features/models/model/drafts';
import type { Store } from '../../../src/base/store';
import type { ImageSource } from '../../../src/features/form/model/formImages';
import { earlierImages } from '../../../src/features/form/model/examples';
import { FormConversation } from '../../../src/features/form/model/formConversation';
import type { LinkPlace } from '../../../src/documents/link';
import { UserError } from '../../../src/editor/userError';
import type { ProjectStyle } from '../../../src/compose/projectStyles';
import { webviewHtml } from '../../../src/editor/webviewHtml';
import { sniff } from '../../../src/files/sniff';
import type { LibraryEntry } from '../../../src/renders/library';
import type { Order, RenderRecord } from '../../../src/renders/record';
import { ScriptedSession } from '../../unit/editor/scriptedSession';
import { TestShelf } from '../../unit/compose/shelf';
import { axeViolations, beWebview, builtPage, dress, frames, imageOf, themes } from '../webviewPage';

export interface FormOptions {
  readonly model: Model;
  readonly theme?: string;
  readonly width?: number;
  readonly height?: number;
  /** The page zoom, like the editor's. */
  readonly zoom?: number;
  readonly balanceCents?: number;
  readonly reducedMotion?: boolean;
  /** The price of inputs. A rejection is a failure; a promise that never settles is a service that isn't responding. */
  readonly quote?: (inputs: JsonObject) => Promise<Quote>;
  /** How long a render usually takes, ms. */
  readonly usualMs?: number;
  /** Earlier prompts of the project, the latest first. */
  readonly prompts?: readonly string[];
  /** Renders of the project, the latest first. */
  readonly history?: readonly LibraryEntry[];
  /** Where the user was last writing. */
  readonly place?: LinkPlace;
  /** The user's choice among cheaper options. */
  readonly fit?: (inputs: JsonObject) => JsonObject;
  /** The styles of the project. */
  readonly styles?: readonly ProjectStyle[];
  /** The project's settings for results aren't used. */
  readonly isRestricted?: boolean;
  /** The file that the user picks. */
  readonly picked?: readonly ImageSource[];
}

const origin = 'http://form.test';

/** The built form in a page, with the real host side and a service controlled by the test. No editor. */
export class FormPage {
  /** The files whose recipe was opened. */
  readonly recipes: string[] = [];
  /** All orders. */
  readonly orders: Order[] = [];
  /** Where each was to insert a link. */
  readonly places: (LinkPlace | undefined)[] = [];
  /** The renders whose results were moved to the trash. */
  readonly removed: string[] = [];
  /** The results of which more were ordered, how many, and at which price each. */
  readonly more: (readonly [id: string, count: number, seenCents: number])[] = [];
  /** The actions called on results. */
  readonly acts: { readonly action: string; readonly id: string }[] = [];
  /** Every message of the webview, in order. */
  readonly said: FromForm[] = [];
  /** Errors of the page, and violations of its policy. */
  private leaving = false;
  readonly complaints: string[] = [];
  /** The state the form keeps with the editor. */
  kept: KeptForm | undefined;
  /** Renders an order; tests replace it. */
  render: (order: Order) => Promise<RenderRecord | undefined> = () => Promise.resolve(undefined);

  readonly drafts: Drafts;
  private readonly entries = new Map<string, LibraryEntry>();
  /** The images that are kept, as base64 by their hash. */
  private readonly images = new Map<string, string>();
  private readonly changes = new Emitter<void>();
  private readonly session: ScriptedSession;
  private conversation: FormConversation;

  private constructor(
    readonly page: Page,
    private readonly options: FormOptions,
  ) {
    const { balanceCents = 1234 } = options;
    this.drafts = new Drafts(memory(), memory());
    this.session = new ScriptedSession(() => Promise.resolve(options.model), balanceCents);
    this.conversation = this.converse();
  }

  static async open(browser: Browser, options: FormOptions): Promise<FormPage> {
    const { theme = 'dark', width = 1000, height = 800, zoom = 1, reducedMotion = false } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: zoom,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    });
    const form = new FormPage(await context.newPage(), options);
    await form.prepare(theme);
    await form.reload();
    return form;
  }

  /** Reloads the page, as the editor does when a hidden form is shown again. */
  async reload(): Promise<void> {
    this.leaving = true;
    await this.page.goto(origin);
    this.leaving = false;
    await this.page.getByRole('main').waitFor();
  }

  /** Changes the color theme. */
  async dress(theme: string): Promise<void> {
    await dress(this.page, theme);
  }

  /** Simulates another window of the editor: the same drafts, a new host. */
  restart(): void {
    this.conversation.dispose();
    this.conversation = this.converse();
  }

  /** Changes the language of the texts. */
  async speak(strings: FormStrings): Promise<void> {
    await this.post({ type: 'strings', strings, locale: 'en', actions: actionViews('form', (english) => english) });
    await this.page.getByText(strings.savesTo).first().waitFor();
  }

  /** Updates a render, as the library would report it. */
  show(entry: LibraryEntry): void {
    this.entries.set(entry.id, entry);
    this.changes.fire();
  }

  /** Shows these results as if they had been ordered here. */
  async showOrdered(...entries: LibraryEntry[]): Promise<void> {
    for (const entry of entries) {
      this.entries.set(entry.id, entry);
      this.render = () => Promise.resolve({ key: entry.id, state: 'accepted' } as RenderRecord);
      await this.button.click();
      await this.page.locator('.result, .strip').first().waitFor();
      await this.page.locator('.vscode-button.render[aria-disabled="false"]').waitFor();
    }
  }

  offline(): void {
    this.session.become({ status: 'offline' });
  }

  balance(cents: number): void {
    this.session.become({ balance: { cents, at: 0 } });
  }

  get button() {
    return this.page.locator('.vscode-button.render');
  }

  /** Resolves when the condition holds; rejects after five seconds. */
  async until(isSo: () => boolean): Promise<void> {
    await frames(this.page, isSo);
  }

  /** The screen reader's description of the element. */
  async descriptionOf(element: Locator): Promise<string> {
    const ids = (await element.getAttribute('aria-describedby')) ?? '';
    const parts = ids.split(' ').map((id) => this.page.locator(`#${id}`).innerText());
    return (await Promise.all(parts)).join(' ');
  }

  /** Violations found by axe: the rule and the place. */
  axe(): Promise<string[]> {
    return axeViolations(this.page);
  }

  /** The text next to the button. */
  get note() {
    return this.page.locator('#order-note');
  }

  field(label: string) {
    return this.page.getByLabel(label, { exact: false }).first();
  }

  async screenshot(path: string, fullPage = false): Promise<void> {
    await this.page.screenshot({ path, fullPage, animations: 'disabled' });
  }

  async close(): Promise<void> {
    this.leaving = true;
    this.conversation.dispose();
    await this.page.context().close();
  }

  private converse(): FormConversation {
    const { model, quote = () => Promise.resolve({ costCents: 4 }) } = this.options;
    this.session.price = quote;
    return new FormConversation(model.id, {
      session: this.session,
      library: { get: (id) => this.entries.get(id), onDidChange: this.changes.event },
      postponed: { has: () => false, onDidChange: this.changes.event },
      offer: new Offer(
        new Quotes(systemClock),
        () => this.session.client,
        systemClock,
        systemRandom,
        () => 20,
      ),
      usedModels: { keep: () => Promise.resolve(), instead: () => Promise.resolve(undefined) },
      host: {
        render: async (orders, place, _, placed) => {
          for (const order of orders) {
            this.orders.push(order);
            if (orders.length === 1) this.places.push(place);
            const record = await this.render(order);
            if (record) placed(record);
          }
        },
        renderMore: (id, count, seenCents) => Promise.resolve(void this.more.push([id, count, seenCents])),
        isRestricted: () => this.options.isRestricted === true,
        removeOthers: (keys) => Promise.resolve(void this.removed.push(...keys)).then(() => true),
        openRecipe: (uri) => Promise.resolve(void this.recipes.push(uri)),
        pickPrompt: (prompts) => Promise.resolve(prompts.at(-1)),
        linkPlace: () => this.options.place,
        onDidChangeLinkPlace: this.changes.event,
        onDidChangeNames: () => ({ dispose: () => undefined }),
        defaultTarget: () => ({ root: 'file:///project', folder: 'renders', fileName: '${slug}' }),
        isOpen: () => true,
        chooseTarget: (current) => Promise.resolve({ ...current, folder: 'assets/pictures' }),
        whatFits: (_, inputs) => Promise.resolve(this.options.fit?.(inputs)),
        previewName: (target, model, inputs) => previewOf(target.fileName, model.id, inputs),
      },
      images: {
        pick: (_, several) => Promise.resolve((this.options.picked ?? []).slice(0, several ? undefined : 1)),
        find: () => Promise.resolve(undefined),
        keep: (bytes, file) => this.keepImage(bytes, file),
        read: ({ sha256 }) => Buffer.from(this.images.get(sha256) ?? '', 'base64'),
        has: ({ sha256 }) => this.images.has(sha256),
      },
      imageUrl: ({ sha256 }) => `data:image/png;base64,${this.images.get(sha256) ?? ''}`,
      earlierPrompts: () => this.options.prompts ?? [],
      earlierImages: (id) => earlierImages(this.options.history ?? [], ['file:///project'], id),
      drafts: this.drafts,
      styles: new TestShelf(this.options.styles),
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      actions: actionViews('form', (english) => english),
      strings: englishFormStrings,
      locale: 'en',
      start: () => Promise.resolve(),
      sentence: (error) => (error instanceof ServiceError ? (error.serviceMessage ?? error.message) : String(error)),
      remedy: (error) => (error instanceof UserError ? error.remedy : undefined),
      blocker: ({ problem }) => problem?.detail ?? problem?.code,
      folder: (target) => target.folder,
      usualMs: () => this.options.usualMs,
      image: imageUrl,
      thumbnail: imageUrl,
      act: (action, id) => Promise.resolve(void this.acts.push({ action, id })),
      entitle: () => {},
      post: (message) => void this.post(message),
    });
  }

  private keepImage(bytes: Uint8Array, file: string): GivenImage {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.images.set(sha256, Buffer.from(bytes).toString('base64'));
    return { file, sha256, type: sniff(bytes).mediaType, bytes: bytes.length };
  }

  private async post(message: ToForm): Promise<void> {
    try {
      await this.page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), JSON.stringify(message));
    } catch (error) {
      // A message to a form that is closing or reloading is lost, in the editor too.
      if (!this.leaving) throw error;
    }
  }

  private async prepare(theme: string): Promise<void> {
    const { page } = this;
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (line) => line.type() === 'error' && this.complaints.push(line.text()));
    await page.exposeFunction('toHost', (message: FromForm) => {
      this.said.push(message);
      this.conversation.receive(message);
    });
    await page.exposeFunction('toState', (state: KeptForm) => (this.kept = state));
    await page.addInitScript(beWebview, themes[theme]);
    await page.route(`${origin}/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: this.html() });
      return path.endsWith('.png') ? route.fulfill({ contentType: 'image/png', body: imageOf(path) }) : route.abort();
    });
  }

  private html(): string {
    const { title } = this.options.model;
    return webviewHtml({ page: 'form', read: builtPage, cspSource: origin, nonce: 'nonce', language: 'en', title });
  }
}

function imageUrl({ id, mediaType }: LibraryEntry): string | undefined {
  return mediaType?.startsWith('image/') ? `${origin}/${id}.png` : undefined;
}

function memory(): Store {
  const kept = new Map<string, unknown>();
  return { get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) };
}

function previewOf(template: string, modelId: string, inputs: JsonObject): string {
  const words =
    promptOf(undefined, inputs)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return template
    .replace('${date}', '2026-11-21')
    .replace('${model}', modelId.slice(modelId.lastIndexOf('/') + 1))
    .replace('${slug}', words.slice(0, 6).join('-'));
}

/** A render of the model in some state. */
export function entryOf(model: Model, entry: Partial<LibraryEntry> & Pick<LibraryEntry, 'id' | 'group'>): LibraryEntry {
  return {
    modelId: model.id,
    inputs: { prompt: 'a red fox in the snow' },
    shownCents: 4,
    startedAt: Date.now() - 4000,
    ...entry,
  };
}

/** A saved image, the common case. */
export function savedImage(model: Model, id = 'image', costCents = 4): LibraryEntry {
  return entryOf(model, {
    id,
    group: 'finished',
    state: 'saved',
    status: 'succeeded',
    costCents,
    mediaType: 'image/png',
    file: `file:///project/renders/2026-11-21-${model.name}-a-red-fox-in-the-snow.png`,
    record: {
      spooled: { name: id, bytes: 1_432_000, sha256: '', mediaType: 'image/png', extension: 'png' },
    } as RenderRecord,
  });
}
