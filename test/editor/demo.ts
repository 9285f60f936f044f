import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from 'fast-png';
import type { Frame } from 'playwright-core';
import { openModelForm } from './modelForm';
import { openWorkbench, type Workbench } from './workbench';

/** The outcome of the main job; money in euro cents. */
export interface DemoOutcome {
  file: string;
  bytes: number;
  width: number;
  height: number;
  costCents: number;
  balanceBeforeCents: number;
  balanceAfterCents: number;
  screenshot: string;
}

/** An image model of the sandbox. */
const model = 'paperlight/strata/strata-2';
const prompt = 'A lighthouse on a cliff at sunset, calm sea, warm colours';

/**
 * Does the main job as a user would, in a real editor on the sandbox, with `folder` as the project. Rejects unless
 * the file is a complete image and the balance fell by exactly the shown price.
 */
export async function demo(folder: string): Promise<DemoOutcome> {
  await mkdir(folder, { recursive: true });
  const workbench = await openWorkbench({ version: 'latest', workspace: folder });
  const screenshot = join(folder, 'screenshot.png');
  try {
    const earlier = await imagesIn(folder);
    const form = await openModelForm(workbench, model);
    const balanceBeforeCents = await balance(workbench);
    const costCents = await render(form);
    await saved(form);
    const [file] = (await imagesIn(folder)).filter((image) => !earlier.includes(image));
    if (file === undefined) throw new Error(`The form says the picture is saved, but there is none in ${folder}.`);
    const balanceAfterCents = await balanceOtherThan(workbench, balanceBeforeCents);
    const data = await readFile(file);
    // Decodes the complete image; a truncated or damaged one throws.
    const { width, height } = decode(data, { checkCrc: true });
    if (balanceBeforeCents - balanceAfterCents !== costCents) {
      throw new Error(
        `The price shown was ${costCents} cents, but the balance went from ${balanceBeforeCents} to ${balanceAfterCents}.`,
      );
    }
    return { file, bytes: data.length, width, height, costCents, balanceBeforeCents, balanceAfterCents, screenshot };
  } finally {
    await workbench.screenshot(screenshot);
    await workbench.close();
  }
}

/** Types the prompt, waits for the price, and presses the button with it; resolves with that price. */
async function render(form: Frame): Promise<number> {
  await form.getByRole('textbox', { name: /prompt/i }).fill(prompt);
  const button = form.getByRole('button', { name: /^Render · .*\d/, disabled: false });
  await button.waitFor();
  const costCents = centsIn(await button.innerText());
  await button.click();
  return costCents;
}

/** Waits for the button that opens the file, and shows it: then the file is on disk, and a screenshot can be taken. */
async function saved(form: Frame): Promise<void> {
  await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
  await form.locator('img.picture').evaluate((image: HTMLImageElement) => image.decode());
  await form.getByRole('textbox', { name: /prompt/i }).scrollIntoViewIfNeeded();
}

async function imagesIn(folder: string): Promise<string[]> {
  const renders = join(folder, 'renders');
  if (!existsSync(renders)) return [];
  return (await readdir(renders)).filter((name) => name.endsWith('.png')).map((name) => join(renders, name));
}

async function balance(workbench: Workbench): Promise<number> {
  const item = workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€' });
  return centsIn(await item.innerText());
}

async function balanceOtherThan(workbench: Workbench, cents: number): Promise<number> {
  const item = workbench.statusBarItem('modelCatalog.balance');
  await item.filter({ hasText: '€', hasNotText: (cents / 100).toFixed(2) }).waitFor();
  return balance(workbench);
}

/** The first amount in an English text, such as "€1,049.96". */
function centsIn(text: string): number {
  const amount = /€\s?([\d,]+\.\d\d)/.exec(text)?.[1];
  if (amount === undefined) throw new Error(`There is no amount in "${text}".`);
  return Math.round(Number(amount.replaceAll(',', '')) * 100);
}
