// `npm run screenshots`: makes the README's pictures of the form, quick render and the gallery in a real editor on the
// sandbox. Those of its other flows are cut from what the browser tests leave in out/screenshots.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../src/base/errors';
import { openModelForm } from './modelForm';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'media', 'screenshots');

/** What is rendered, oldest first; the last one stays in view. */
const renders = [
  { model: 'quill-house/verse/haiku-1', prompt: 'rain on the harbour' },
  { model: 'isoworks/blocks/township-2', prompt: 'a village square with a fountain and trees' },
  { model: 'thin-line/contour/contour-1', prompt: 'an old oak on a hill' },
  { model: 'kiln-and-field/poster/signal-1', prompt: 'snowy mountains behind a quiet lake' },
  { model: 'eight-bit-yard/pixel/sprite-1', prompt: 'a green island in a violet evening' },
  { model: 'paperlight/strata/strata-2', prompt: 'A lighthouse on a cliff at sunset, calm sea, warm colours' },
];

async function main(): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'model-catalog-screenshots-'));
  const project = join(parent, 'website');
  await mkdir(project);
  await mkdir(pictures, { recursive: true });
  const settings = { 'modelCatalog.notifications': 'never' };
  const size = { width: 1280, height: 800 };
  const workbench = await openWorkbench({ version: 'latest', workspace: project, settings, size });
  try {
    await workbench.command('View: Show Model Catalog');
    for (const { model, prompt } of renders) await render(workbench, model, prompt);
    await workbench.command('View: Close All Editors');
    await workbench.setTheme('light');
    await shootForm(workbench);
    await workbench.setTheme('dark');
    await shootQuickRender(workbench);
    await shootGallery(workbench);
  } finally {
    await workbench.close();
    await rm(parent, { recursive: true });
  }
}

async function render(workbench: Workbench, model: string, prompt: string): Promise<void> {
  const form = await openModelForm(workbench, model);
  await form.getByRole('textbox').first().fill(prompt);
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
  await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
}

async function shootForm(workbench: Workbench): Promise<void> {
  const form = await openModelForm(workbench, renders.at(-1)!.model);
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).waitFor();
  await form.getByRole('img').first().waitFor();
  await form.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await shoot(workbench, 'form');
}

async function shootQuickRender(workbench: Workbench): Promise<void> {
  await workbench.command('Model Catalog: Quick Render…');
  await workbench.page.locator('.quick-input-widget').getByText('Quick Render', { exact: true }).waitFor();
  await workbench.quickInput.fill('a paper fox in the snow');
  await workbench.page.locator('.quick-input-list .codicon-zap').waitFor();
  await shoot(workbench, 'quick-render');
  await workbench.page.keyboard.press('Escape');
}

async function shootGallery(workbench: Workbench): Promise<void> {
  await workbench.command('Model Catalog: Open Gallery');
  const gallery = await workbench.webviewFrame('Gallery');
  await gallery
    .locator('img')
    .nth(renders.length - 2)
    .waitFor();
  await gallery.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await shoot(workbench, 'gallery');
}

/** As WebP, which keeps text sharp in a quarter of the bytes: the pictures travel inside the extension. */
async function shoot(workbench: Workbench, name: string): Promise<void> {
  const page = await workbench.page.context().newCDPSession(workbench.page);
  const { data } = await page.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'));
}

main().catch((error: unknown) => {
  console.error(`The screenshots could not be made: ${reasonOf(error)}`);
  process.exit(1);
});
