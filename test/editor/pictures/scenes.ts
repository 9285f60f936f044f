// The README's scene for each feature, in the order they're made, since later scenes show earlier renders.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../../src/base/log';
import { removeFolder } from '../../removeFolder';
import { startService } from '../../faults/kill/programs';
import { chooseFromMenu, openAt, openFile } from '../choose';
import { connectTo } from '../connectTo';
import { seedLedger } from '../ledgerSeed';
import { openModelForm } from '../modelForm';
import { root } from '../root';
import { until } from '../until';
import type { Workbench } from '../workbench';
import { around, downTo, type Area } from './area';
import { guideLine, lastMonth, lighthouse, others, passage, writeHero, writeRenderFile } from './project';
import { Recording } from './recording';

export type SceneName = keyof Scenes['scenes'];

export class Scenes {
  constructor(private readonly workbench: Workbench) {}

  /** Makes every image of the README that it can; resolves with the names of the scenes that failed. */
  async all(): Promise<string[]> {
    await this.animation();
    for (const { model, prompt } of others) await this.render(model, prompt);
    return this.make(Object.keys(this.scenes) as SceneName[]);
  }

  /** By name. */
  get scenes() {
    return {
      quickRender: () => this.quickRender(),
      comparePrices: () => this.comparePrices(),
      howItWasMade: () => this.howItWasMade(),
      compare: () => this.compare(),
      inDocument: () => this.inDocument(),
      missingImages: () => this.missingImages(),
      selection: () => this.selection(),
      gallery: () => this.gallery(),
      spending: () => this.spending(),
      renderFiles: () => this.renderFiles(),
      agents: () => this.agents(),
      balanceTooLow: () => this.balanceTooLow(),
    };
  }

  /** Makes only these scenes, which lack what earlier ones would have rendered. */
  async make(names: readonly SceneName[]): Promise<string[]> {
    const failed: string[] = [];
    for (const name of names) {
      await this.scenes[name]().catch(async (error: unknown) => {
        failed.push(name);
        const seen = join(tmpdir(), `model-catalog-${name}.png`);
        await this.workbench.screenshot(seen);
        console.error(`${name}: ${reasonOf(error)}\nWhat was in sight: ${seen}`);
        await this.page.keyboard.press('Escape');
      });
    }
    return failed;
  }

  /** From the prompt to the price, and from the price to the file. */
  private async animation(): Promise<void> {
    await this.page.setViewportSize({ width: 1120, height: 680 });
    await this.workbench.command('View: Show Explorer');
    await this.narrowSideBar();
    const form = await openModelForm(this.workbench, lighthouse.model);
    const prompt = form.getByRole('textbox').first();
    const render = form.getByRole('button', { name: /^Render · €/, disabled: false });
    await prompt.click();
    const recording = new Recording(this.page, await around(this.part('sidebar'), this.part('editor')));
    await recording.frame(1200);
    for (const word of lighthouse.prompt.split(/(?= )/)) {
      await prompt.pressSequentially(word);
      await recording.frame(180);
    }
    await render.waitFor();
    await recording.frame(1800);
    // A click would scroll the form to the button, which is already visible.
    await render.dispatchEvent('click');
    await form.getByRole('progressbar').waitFor();
    await recording.frame(1000);
    await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
    await form
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.decode());
    await recording.frame(1500);
    await this.page.getByRole('treeitem', { name: 'renders' }).click();
    await this.page.getByRole('treeitem', { name: /lighthouse.*\.png/ }).waitFor();
    await recording.frame(5000);
    await save('render', await recording.animation());
  }

  private async quickRender(): Promise<void> {
    await this.workbench.command('View: Close All Editors');
    await this.workbench.command('Model Catalog: Quick Render…');
    await this.box.getByText('Quick Render', { exact: true }).waitFor();
    await this.workbench.quickInput.fill('a paper fox in the snow');
    await this.box.locator('.codicon-zap').waitFor();
    await this.shoot('quick-render', await around(this.box));
    await this.page.keyboard.press('Escape');
  }

  private async comparePrices(): Promise<void> {
    await this.workbench.command('Model Catalog: Compare Prices…');
    await this.box.getByText('Compare Prices', { exact: true }).waitFor();
    await this.workbench.quickInput.fill('a heron in the reeds');
    await this.box.getByText('Compare prices…').waitFor();
    await this.page.keyboard.press('Enter');
    const rows = this.box.locator('.monaco-list-row');
    await rows.filter({ hasText: 'Contour 1' }).filter({ hasText: '€' }).waitFor();
    await this.box.locator('.monaco-progress-container.done').waitFor({ state: 'attached' });
    for (const model of ['Sprite 1', 'Mist 3'])
      await rows.filter({ hasText: model }).locator('.monaco-highlighted-label').first().click();
    await this.box.getByText(/ 2 selected · €/).waitFor();
    const last = rows.filter({ hasText: 'Mist 3 Slow' });
    await this.shoot('compare-prices', await downTo(await around(this.box), last, 0));
    // First back to the prompt.
    await this.page.keyboard.press('Escape');
    await this.box.getByText('Compare prices…').waitFor();
    await this.page.keyboard.press('Escape');
    await this.box.waitFor({ state: 'hidden' });
  }

  private async howItWasMade(): Promise<void> {
    await this.page.setViewportSize({ width: 1280, height: 900 });
    await this.workbench.command('View: Show Explorer');
    await chooseFromMenu(this.workbench, this.file('lighthouse'), 'Model Catalog > Show How It Was Made');
    const name = (await this.file('lighthouse').innerText()).trim();
    const made = await this.workbench.openWebview(name);
    await made.waitForFunction(() => document.querySelector<HTMLImageElement>('.picture img')?.complete);
    const editor = await around(this.page.locator('.editor-instance'));
    await this.shoot('how-it-was-made', await downTo(editor, made.locator('details').last()));
  }

  private async compare(): Promise<void> {
    await this.workbench.command('View: Close All Editors');
    await writeHero(this.workbench.workspace);
    await chooseFromMenu(this.workbench, this.file('hero'), 'Model Catalog > Render Again…');
    const dialog = this.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Show Price' }).click();
    await this.workbench.confirm(/^Render for €/);
    const comparison = await this.workbench.openWebview('hero.png (now ↔ new)');
    await comparison.waitForFunction(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('.pane img')];
      return images.length === 2 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    });
    await this.shoot('compare', await around(this.page.locator('.editor-instance')));
    await comparison.getByRole('button', { name: 'Keep Both' }).click();
    await this.page.getByRole('tab', { name: 'hero.png (now)' }).waitFor({ state: 'detached' });
  }

  private async inDocument(): Promise<void> {
    await this.page.setViewportSize({ width: 960, height: 640 });
    await openAt(this.workbench, 'docs/guide.md', guideLine);
    await this.workbench.command('Model Catalog: Render Image and Insert Link…');
    await this.box.getByText('Insert a link').waitFor();
    await this.workbench.pick(/^Model/);
    await this.page.getByPlaceholder('Search by name').fill('mist-3-slow');
    await this.workbench.pick('mist-3-slow');
    await this.workbench.quickInput.fill('a red lighthouse at dawn');
    await this.box.getByText(/^Render and insert · €/).waitFor();
    await this.box.locator('.codicon-zap').waitFor();
    await this.page.keyboard.press('Enter');
    await this.box.waitFor({ state: 'hidden' });
    await until(() => this.page.evaluate(isPending));
    await this.shoot('insert', await this.text());
  }

  private async missingImages(): Promise<void> {
    await openFile(this.workbench, 'docs/birds.md');
    await this.workbench.command('Model Catalog: Render Missing Images in Documents…');
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Choose Images…' }).click();
    await this.box.getByText(/ · 4 of 4 · €\d+\.\d\d$/).waitFor();
    await this.shoot('missing-images', await around(this.box));
    await this.page.keyboard.press('Escape');
    await this.box.waitFor({ state: 'hidden' });
  }

  private async selection(): Promise<void> {
    await this.workbench.command('View: Close All Editors');
    await openAt(this.workbench, 'docs/story.md', 3);
    for (let press = 0; press < 2; press++) await this.page.keyboard.press('Shift+Home');
    await this.workbench
      .statusBarItem('selection')
      .filter({ hasText: `${passage.length} selected` })
      .waitFor();
    await this.workbench.command('Model Catalog: Send Selection to Text Model…');
    await this.workbench.pick(/^Model/);
    await this.workbench.page.getByPlaceholder('Search by name').fill('haiku-1');
    await this.workbench.pick('haiku-1');
    await this.workbench.quickInput.fill('make a haiku of it');
    await this.box.getByText(/^Send · €/).waitFor();
    await this.box.locator('.codicon-zap').waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.monaco-diff-editor').waitFor();
    await this.page.getByRole('button', { name: 'Accept Response' }).first().waitFor();
    const last = this.page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: 'The end.' }).last();
    await this.shoot('selection', await downTo(await around(this.part('editor')), last));
    await this.workbench.command('Model Catalog: Discard Response');
  }

  private async gallery(): Promise<void> {
    await this.page.setViewportSize({ width: 1000, height: 800 });
    await this.workbench.command('View: Close All Editors');
    await this.workbench.command('Model Catalog: Open Gallery');
    const gallery = await this.workbench.webviewFrame('Gallery');
    await gallery.locator('img').nth(others.length).waitFor();
    await gallery.locator('.result.active').first().waitFor({ state: 'detached' });
    await this.workbench.command('Notifications: Clear All Notifications');
    await gallery.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    await this.shoot('gallery', await around(this.page.locator('.editor-instance')));
  }

  private async spending(): Promise<void> {
    await seedLedger(this.workbench.profile, lastMonth(this.workbench.workspace));
    await this.workbench.command('Model Catalog: Show Spending');
    const page = await this.workbench.webviewFrame('Spending');
    await page
      .getByText(/^Renders: 6\d/)
      .first()
      .waitFor();
    const chart = page.getByText('Show as table');
    await this.shoot('spend', await downTo(await around(this.page.locator('.editor-instance')), chart));
  }

  private async renderFiles(): Promise<void> {
    await this.page.setViewportSize({ width: 1120, height: 700 });
    // Prices need a service.
    await openModelForm(this.workbench, lighthouse.model);
    await this.workbench.command('View: Close All Editors');
    const { workspace } = this.workbench;
    await writeRenderFile(workspace);
    await openFile(this.workbench, 'renders.jsonc');
    for (const words of [
      /^2 of 4 .* · €/,
      /^Out of date: prompt · .* · €/,
      /^Missing · .* · €/,
      /^Nothing missing or out of date$/,
    ])
      await this.page.locator('.codelens-decoration').filter({ hasText: words }).waitFor();
    await this.shoot('render-files', await this.text());
    await this.workbench.command('View: Close All Editors');
    // Later scenes have no number on the icon.
    await rm(join(workspace, 'renders.jsonc'));
  }

  private async agents(): Promise<void> {
    await this.page.setViewportSize({ width: 1000, height: 700 });
    await this.workbench.command('View: Close All Editors');
    const dialog = this.page.locator('.monaco-dialog-box');
    await this.workbench.command('Agent: Render hero');
    await dialog.getByRole('button', { name: /^Allow Up to/ }).waitFor();
    await this.shoot('agents-allowance', await around(dialog));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await this.workbench.command('Agent: Render birds');
    await this.box.getByText(/^Render for an Agent · 3 of 3 · €\d+\.\d\d$/).waitFor();
    await this.shoot('agents', await around(this.box));
    await this.page.keyboard.press('Escape');
    await this.box.waitFor({ state: 'hidden' });
  }

  private async balanceTooLow(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'model-catalog-account-'));
    const service = await startService({ folder, balanceCents: 300 });
    try {
      await connectTo(this.workbench, service);
      const form = await openModelForm(this.workbench, 'kiln-and-field/poster/signal-1-atelier');
      await form.getByRole('textbox').first().fill('a poster of the harbor');
      await form.getByText('needs €2.90 more').waitFor();
      await this.shoot('balance-too-low', await around(form.locator('footer.bar')));
    } finally {
      await service.stop();
      await removeFolder(folder);
    }
  }

  private async render(model: string, prompt: string): Promise<void> {
    const form = await openModelForm(this.workbench, model);
    await form.getByRole('textbox').first().fill(prompt);
    await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
    await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
  }

  private get page() {
    return this.workbench.page;
  }

  /** The quick pick or input box. */
  private get box() {
    return this.page.locator('.quick-input-widget');
  }

  /** An image in the Explorer, by part of its name. */
  private file(part: string) {
    return this.page.getByRole('treeitem', { name: new RegExp(`${part}.*\.png`) }).first();
  }

  /** Keeps the form wide enough for two columns. */
  private async narrowSideBar(): Promise<void> {
    const { x, y, width } = await around(this.part('sidebar'));
    await this.page.mouse.move(x + width + 3, y + 200);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 220, y + 200, { steps: 5 });
    await this.page.mouse.up();
  }

  private part(name: string) {
    return this.page.locator(`.part.${name}`);
  }

  /** The text editor down to its last line. */
  private async text(): Promise<Area> {
    const editor = this.page.locator('.editor-instance');
    return downTo(await around(editor), editor.locator('.view-line').last());
  }

  /** As WebP, which keeps text sharp at a quarter of the size, since the images are packaged with the extension. */
  private async shoot(name: string, area: Area): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const clip = { ...area, scale: 1 };
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip });
    await session.detach();
    await save(name, Buffer.from(data, 'base64'));
  }
}

async function save(name: string, image: Buffer): Promise<void> {
  await writeFile(join(root, 'media', 'screenshots', `${name}.webp`), image);
  console.log(`${name}: ${Math.round(image.length / 1000)} kB`);
}

/** Runs in the page: whether a link shows that its image is in progress, with the time and the price. */
function isPending(): boolean {
  const spans = [...document.querySelectorAll('.view-line span')];
  return spans.some((span) => /◌ .* [2-9] s · €/.test(getComputedStyle(span, '::after').content));
}
