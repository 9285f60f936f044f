// `npm run screenshots`: makes the pictures of the README in a real editor on the sandbox.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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
  { model: 'kiln-and-field/poster/signal-1', prompt: 'snowy mountains behind a quiet lake' },
  { model: 'paperlight/strata/strata-2', prompt: 'A lighthouse on a cliff at sunset, calm sea, warm colours' },
];

async function main(): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'model-catalog-screenshots-'));
  const project = join(parent, 'website');
  await mkdir(project);
  await mkdir(pictures, { recursive: true });
  const settings = { 'modelCatalog.notifications': 'never' };
  const workbench = await openWorkbench({
    version: 'latest',
    workspace: project,
    settings,
    size: { width: 1440, height: 900 },
  });
  try {
    await workbench.command('View: Show Model Catalog');
    for (const { model, prompt } of renders) await render(workbench, model, prompt);
    await workbench.command('View: Close All Editors');
    await shoot(workbench, 'dark');
    await shoot(workbench, 'light');
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

async function shoot(workbench: Workbench, theme: 'dark' | 'light'): Promise<void> {
  await workbench.setTheme(theme);
  const form = await openModelForm(workbench, renders.at(-1)!.model);
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).waitFor();
  await form.getByRole('img').first().waitFor();
  await form.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await workbench.screenshot(join(pictures, `workbench-${theme}.png`));
}

main().catch((error: unknown) => {
  console.error(`The screenshots could not be made: ${reasonOf(error)}`);
  process.exit(1);
});
