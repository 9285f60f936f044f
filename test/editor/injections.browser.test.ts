import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, suite, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { imageText } from '../../src/documents/insertion';
import { commands } from '../../src/editor/ids';
import { escapeForIcons, oneLine, plain, firstWords } from '../../src/base/plain';
import { removeFolder } from '../removeFolder';
import { canaryKey } from '../canary';
import { releases } from './codeServer';
import { injections, type Injection } from './injections';
import { InjectionWatch, setTrap, sinks, type Sink, type Trap } from './injectionWatch';
import { everyKind, segment, startInjectedService, whole, type Answer, type InjectedService } from './injectedService';
import { seedLedger } from './ledgerSeed';
import { openModelForm } from './modelForm';
import type { Keybinding } from './profile';
import { root } from './root';
import { until } from './until';
import { imageOf } from './webviewPage';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
/** As many as the model search shows at once. */
const onePage = 36;
/** As many models as are priced at once. */
const batch = 12;

/** How long a sink may take to show them all, ms. */
const patience = 120_000;

/** Keyboard shortcuts: running hundreds of commands from the palette would take minutes. */
const keys = { refresh: 'F4', refreshModels: 'F6', openModel: 'F7', render: 'F8', details: 'F9' };

const keybindings: readonly Keybinding[] = [
  { key: 'f4', command: commands.refresh },
  { key: 'f6', command: commands.refreshModels },
  { key: 'f7', command: commands.openModel },
  { key: 'f8', command: commands.render, args: { modelId: whole, inputs: { prompt: 'a kite' } } },
  { key: 'f9', command: commands.howMade, args: 'service:everything' },
];

/** The texts in parts that fit into one list. */
const pagesOf = (texts: readonly string[]) =>
  texts.flatMap((_, at) => (at % onePage === 0 ? [texts.slice(at, at + onePage)] : []));

/** Whether it happens in time. */
const happens = (waited: Promise<void>) => waited.then(() => true).catch(() => false);

for (const version of ['latest'] as const) {
  suite(`Text from a hostile service, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: InjectedService;
    let trap: Trap;
    let watch: InjectionWatch;
    let project: string;
    let all: readonly Injection[];
    let texts: readonly string[];
    /** Every sixth of them, for slow places. */
    let some: readonly string[];
    /** Those that Markdown would turn into links and images. */
    let marked: readonly string[];
    /** The texts in parts that fit into one list. */
    let pages: readonly (readonly string[])[];
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-injections-'));
      trap = await setTrap();
      all = injections(trap.port);
      texts = all.map(({ text }) => text);
      some = texts.filter((_, at) => at % 6 === 0);
      marked = all
        .filter(({ attempt, text }) => attempt === 'markdown' && /\]\(|:\/\//.test(text))
        .map(({ text }) => text);
      pages = pagesOf(texts);
      service = await startInjectedService(some);
      service.page = texts.slice(0, onePage);
      const settings = {
        'modelCatalog.pollInterval': 2,
        'workbench.hover.delay': 0,
      };
      workbench = await openWorkbench({
        version,
        workspace: project,
        settings,
        keybindings,
        size: { width: 1600, height: 1800 },
      });
      watch = await InjectionWatch.begin(workbench.page, trap.port);
      await workbench.open();
      await workbench.command('View: Show Model Catalog');
    });
    afterEach(async () => assert.deepEqual(await watch.findings(), []));
    after(async () => {
      await workbench.close();
      await service.stop();
      await trap.close();
      await removeFolder(project);
    });

    const press = (key: string) => workbench.page.keyboard.press(key);
    const shoot = (name: string) => workbench.screenshot(join(images, `injections-${name}-${version}.png`));
    /** Resolves once the sink has shown all of them; `more` makes it show more. */
    async function shown(
      sink: Sink,
      wanted: readonly string[],
      more: () => Promise<unknown> = async () => {},
      as?: (text: string) => string,
    ): Promise<void> {
      let missing: string[] = [];
      const isShown = async () => {
        missing = await watch.missing(sink, wanted, as);
        if (missing.length > 0) await more();
        return missing.length === 0;
      };
      await until(isShown, patience).catch((cause: unknown) => {
        throw new Error(`${sink} has not shown ${JSON.stringify(missing)}`, { cause });
      });
    }

    async function showPage(page: readonly string[]): Promise<void> {
      service.page = page;
      await watch.forget('models');
      await press(keys.refreshModels);
      await shown('models', page);
    }

    /** Opens the search of models, and looks at those of the page. */
    async function search(page: readonly string[]): Promise<void> {
      service.page = page;
      await press(keys.refreshModels);
      await watch.forget('pick');
      await press(keys.openModel);
      await shown('pick', page, () => press('PageDown'), inRow);
    }

    /** Hovers over each row until its tooltip shows the row's text. */
    async function pointAtEach(rows: Locator): Promise<void> {
      for (const row of await rows.all()) {
        const label = (await row.locator('.label-name').innerText()).replace(/…$/, '').trim();
        const tooltip = workbench.page.locator('.monaco-hover:visible');
        // A refreshed view hides the tooltip: hover again after a while.
        for (let tries = 0; tries < 5; tries += 1) {
          await workbench.page.mouse.move(800, 800);
          // A tooltip whose row was refreshed stays until a key is pressed.
          await press('Escape');
          await tooltip.first().waitFor({ state: 'hidden' });
          await row.hover();
          const shows = tooltip.filter({ hasText: label }).first().waitFor({ timeout: 5000 });
          if (await happens(shows)) break;
        }
      }
    }

    let turns = 0;
    /** Scrolls through a long list repeatedly: new rows are at the top. */
    const turn = () => press(turns++ % 80 === 0 ? 'Home' : 'PageDown');

    const isIn = async (frame: Frame, wanted: readonly string[]) => {
      const text = await frame.evaluate(() => document.body.textContent.replace(/\s+/g, ' '));
      return wanted.filter((line) => !text.includes(oneLine(line).slice(0, 20).trim()));
    };

    /** How a sentence quotes the service. */
    const quoted = (text: string) => plain(text).replace(/[.\s]+$/, '');

    /** The editor removes the escape that keeps a name from becoming an icon. */
    const inRow = (text: string) => escapeForIcons(text).replaceAll('\\$(', '$(');

    /** The editor renders the other lines of a row as Markdown on hover. */
    async function pointAtLines(): Promise<void> {
      const lines = workbench.page.locator('.quick-input-list :is(.label-description, .quick-input-list-label-meta)');
      const tooltip = workbench.page.locator('.monaco-hover:visible').first();
      let pointed = 0;
      for (const line of await lines.all()) {
        const box = await line.boundingBox();
        if (!box) continue;
        await workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
        // An invisible row has no tooltip.
        if (await happens(tooltip.waitFor({ timeout: 2000 }))) pointed += 1;
      }
      assert.ok(pointed > 5, `${pointed} rows told more to who pointed at them`);
    }

    const tilesOf = (gallery: Frame) => gallery.getByRole('listbox', { name: 'Results' }).getByRole('option');
    const openGallery = async () => {
      await workbench.command('Model Catalog: Open Gallery');
      return workbench.webviewFrame('Gallery');
    };

    /** The editor turns URLs in most documents into links. */
    const links = () => workbench.page.locator('.monaco-editor .detected-link');

    test('the input box that shows the service’s message about a key', async () => {
      const said = all.filter(({ attempt }) => attempt === 'markdown' || attempt === 'icon').map(({ text }) => text);
      let next = 0;
      service.says = () => [418, { message: said[next++ % said.length] }];
      await workbench.command('Model Catalog: Connect to Service…');
      await workbench.page.getByPlaceholder('https://models.example.com').fill(service.base);
      await press('Enter');
      await workbench.page.getByPlaceholder('ai_live_…').fill(canaryKey);
      await shown('box', said, () => press('Enter'), quoted);
      await shoot('box');
    });

    test('the Status Bar and the account menu, with the reason for an error', async () => {
      let asked = 0;
      service.says = () => (asked++ === 0 ? undefined : [418, { message: everyKind }]);
      await press('Enter');
      const item = workbench.statusBarItem('modelCatalog.balance');
      await item.filter({ hasText: 'Offline' }).waitFor();
      await item.hover();
      await shown('tooltip', [`The service responded with HTTP 418: ${everyKind}`], undefined, quoted);
      await shoot('status');
      await item.click();
      await shown('pick', [everyKind], undefined, inRow);
      await press('Escape');
      service.says = () => undefined;
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await item.filter({ hasText: '€43.21' }).waitFor();
    });

    test('the Models view', async () => {
      await workbench.page.getByRole('button', { name: 'Generations Section' }).click();
      for (const page of pages) await showPage(page);
    });

    test('the tooltips of the Models view', async () => {
      const rows = workbench.tree('Models').locator('[role="treeitem"]:not([aria-expanded])');
      for (const page of pagesOf([...new Set([...marked, ...some])])) {
        await showPage(page);
        await watch.forget('tooltip');
        await shown('tooltip', page, () => pointAtEach(rows));
      }
      await shoot('models');
    });

    test('the search of models', async () => {
      for (const page of pages) {
        await showPage(page);
        await watch.forget('pick');
        await press(keys.openModel);
        await shown('pick', page, () => press('PageDown'), inRow);
        await press('Escape');
      }
    });

    test('the hover of a row in the search', async () => {
      await search(marked.slice(0, onePage));
      await press('Home');
      await pointAtLines();
      await shoot('search');
      await press('Escape');
    });

    test('the Generations view and its tooltips', async () => {
      for (const name of ['Generations', 'Models'])
        await workbench.page.getByRole('button', { name: `${name} Section` }).click();
      await press(keys.refresh);
      await shown(
        'generations',
        some.filter((_, index) => index % 4 === 0),
        undefined,
        (text) => firstWords(text, 32),
      );
      await watch.forget('tooltip');
      // The elapsed time of a render in progress is updated each second, which hides tooltips.
      service.odd = false;
      await press(keys.refresh);
      const tree = workbench.tree('Generations');
      await tree.getByText('In progress').waitFor({ state: 'detached' });
      await shown('tooltip', some, () => pointAtEach(tree.locator('[role="treeitem"][aria-level="2"]')));
      await shoot('generations');
    });

    test('the page of a render is text without links', async () => {
      await press(keys.details);
      const made = await workbench.openWebview('everything');
      await made.locator('blockquote, .answer').first().waitFor();
      for (const summary of await made.locator('summary').all()) await summary.click();
      assert.deepEqual(await isIn(made, some), []);
      assert.equal(await made.locator('a').count(), 0);
      await shoot('details');
    });

    test('the form: its fields, what the service rejects, and the response of a model', async () => {
      const form = await openModelForm(workbench, whole);
      const prompt = form.getByRole('textbox', { name: 'Prompt', exact: true });
      await prompt.waitFor();
      assert.deepEqual(await isIn(form, some), []);
      await shoot('form');
      const quote = (answer: Answer) => (service.says = (path) => (path === '/quote' ? answer : undefined));
      for (const [status, said] of [
        [402, /balance is too low/],
        [418, /HTTP 418: \[injected\]/],
        [500, /has a problem/],
      ] as const) {
        quote([status, { code: everyKind, message: everyKind }]);
        await prompt.fill(`refused with ${status}`);
        await form.getByText(said).first().waitFor();
      }
      service.says = () => undefined;
      await prompt.fill(everyKind);
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await form.locator('.answer').waitFor();
      assert.deepEqual(await isIn(form, some), []);
      const names = await readdir(join(project, 'renders'));
      assert.equal(names.filter((name) => /\.(md|txt)$/.test(name)).length, 1);
      for (const name of names) assert.match(name, /^[\w-]+(\.\w+)+$/);
      await shoot('form-answer');
      const details = Object.fromEntries(some.map((text) => [text, `No: ${text}`]));
      quote([400, { code: 'INVALID', message: everyKind, details }]);
      await prompt.fill('refused');
      await form
        .locator('.issue')
        .nth(some.length / 2)
        .waitFor({ state: 'attached' });
      await shoot('form-issues');
    });

    test('the gallery: images with such names and prompts, and renders that failed with such messages', async () => {
      const renders = join(project, 'renders');
      const named = await Promise.all(
        some.map(async (text, at) => {
          const file = join(renders, `${at} ${segment(text).slice(0, 50)}.png`);
          await writeFile(file, imageOf(text, [64, 40]));
          return { text, file: pathToFileURL(file).href };
        }),
      );
      const now = Date.now();
      const image = { name: 'seeded', bytes: 1, sha256: '', mediaType: 'image/png', extension: 'png' };
      const seeds = named.flatMap(({ text, file }) => [
        { prompt: text, modelId: segment(text), plannedAt: now, spooled: image, file },
        {
          prompt: 'it failed',
          plannedAt: now - 1000,
          state: 'failed' as const,
          status: text,
          problem: { code: 'serviceSays' as const, detail: `No: ${text}` },
        },
      ]);
      await seedLedger(workbench.profile, seeds);
      const gallery = await openGallery();
      await tilesOf(gallery).first().hover();
      await shoot('gallery');
      // Contains only the visible rows.
      let left = [...some, ...some.map((text) => plain(`No: ${text}`))];
      let turns = 0;
      const isShown = async () => {
        left = await isIn(gallery, left);
        // Down and up again: what the window learns of late may be above what was scrolled past.
        await workbench.page.mouse.wheel(0, turns++ % 20 < 10 ? 800 : -800);
        return left.length === 0;
      };
      await until(isShown, 20_000).catch((cause: unknown) => {
        throw new Error(`The gallery has not shown ${JSON.stringify(left)}`, { cause });
      });
    });

    test('a comparison of images', async () => {
      const gallery = await openGallery();
      await tilesOf(gallery).first().press('Home');
      const tiles = tilesOf(gallery).filter({ has: gallery.locator('img') });
      const compared = (await tiles.locator('.prompt').allInnerTexts()).slice(0, 12);
      for (const at of compared.keys()) await tiles.nth(at).press('Space');
      await gallery.getByRole('button', { name: 'Compare' }).click();
      const comparison = await workbench.openWebview('Compare 12 Images');
      await comparison.locator('.caption').nth(11).waitFor();
      assert.deepEqual(await isIn(comparison, compared), []);
      await shoot('comparison');
    });

    test('the list of missing images: their prompts, their names, and why there is no price', async () => {
      const links = some.flatMap((alt, at) => [
        imageText('markdown', { path: `renders/missing-${at}.png`, alt }),
        imageText('markdown', { path: `renders/${at} ${segment(alt).slice(0, 50)}.gif`, alt: 'named' }),
      ]);
      await writeFile(join(project, 'page.md'), links.join('\n\n'));
      service.says = (path) => (path === '/quote' ? [418, { message: everyKind }] : undefined);
      await workbench.command('View: Close All Editors');
      await workbench.command('Model Catalog: Render Missing Images in Documents…');
      await watch.forget('pick');
      await workbench.page.locator('.quick-input-list').getByText('HTTP 418: [injected]').first().waitFor();
      await shown('pick', some, turn, inRow);
      await pointAtLines();
      await shoot('missing');
      await press('Escape');
    });

    test('the prices of many models', async () => {
      service.says = () => undefined;
      // Every other model makes images, and this many are priced at once, with the one that is chosen first.
      const chosen = 'A plain model';
      const titles = marked.slice(0, batch - 1);
      await search([chosen, ...titles].flatMap((text) => [text, text]));
      await press('Escape');
      await workbench.command('Model Catalog: Compare Prices…');
      await workbench.pick(/^Model/);
      await workbench.page.getByPlaceholder('Search by name').fill(chosen);
      await workbench.pick(chosen);
      await workbench.quickInput.fill('a heron');
      await workbench.pick('Compare prices…');
      await watch.forget('pick');
      await shown('pick', titles, turn, inRow);
      await pointAtLines();
      await shoot('prices');
      await press('Escape');
    });

    test('the Quick Render box for a field', async () => {
      await workbench.command('View: Close All Editors');
      await workbench.command('Model Catalog: Quick Render…');
      await workbench.pick('Manner');
      await shown('box', [everyKind], undefined, quoted);
      await shoot('field');
      await press('Escape');
    });

    test('the page of a connection check is text without links', async () => {
      service.says = () => undefined;
      await workbench.command('Model Catalog: Check Connection');
      const page = workbench.page.locator('.editor-instance .view-lines');
      await page.filter({ hasText: 'Everything works' }).waitFor();
      service.says = (path) => (path === '/me' ? [418, { message: everyKind }] : undefined);
      await workbench.command('Model Catalog: Check Connection');
      await page.filter({ hasText: 'Failed at' }).waitFor();
      assert.equal(await links().count(), 0);
      await shoot('check');
    });

    test('notifications of failures', async () => {
      let next = 0;
      service.says = (path) => (path === '/quote' ? [418, { message: some[next++] }] : undefined);
      await workbench.command('Notifications: Show Notifications');
      // The command leaves failures to its caller: here the editor.
      for (const count of some.keys()) {
        await press(keys.render);
        await until(() => Promise.resolve(next > count), patience);
      }
      await shown('notification', some, turn, quoted);
      await shoot('notifications');
      await workbench.command('Notifications: Clear All Notifications');
    });

    test('no request went anywhere else', (t) => {
      assert.deepEqual(trap.heard, []);
      t.diagnostic(
        `${texts.length} injections in ${Object.keys(sinks).length + 2} places: ${watch.requests} requests of the window, none elsewhere`,
      );
    });
  });
}
