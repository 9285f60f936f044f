// Reliable choices in the editor: by keyboard, since rows and menus are replaced under the pointer, and repeated until
// they have an effect.
import { extname } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { patiently, until } from './until';
import type { Workbench } from './workbench';

/** Picks the first matching row of the open quick pick; resolves once the box shows something else. */
export async function pick(page: Page, label: string | RegExp, timeout?: number): Promise<void> {
  const widget = page.locator('.quick-input-widget:visible');
  const box = widget.locator('.quick-input-box input');
  const wanted = widget.locator('.monaco-list-row').filter({ hasText: label }).first();
  await wanted.waitFor({ timeout });
  await patiently(
    async (limit) => {
      // A loading webview may have taken the focus.
      await box.focus({ timeout: limit });
      await goDownTo(page, wanted, limit);
      const shown = await page.evaluate(face);
      await page.keyboard.press('Enter');
      // A reloading window shows nothing.
      await until(async () => (await page.evaluate(face).catch(() => '')) !== shown, limit);
    },
    async () => {},
    `Nothing comes of choosing "${String(label)}".`,
    // How long to wait before choosing again.
    4000,
  );
}

/** Opens a file of the workspace; resolves when its editor has the focus. The end of its path is enough. */
export async function openFile({ page, quickInput }: Workbench, path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  await patiently(
    async (timeout) => {
      await page.keyboard.press('Control+P');
      await quickInput.fill(path, { timeout });
      await pick(page, name, timeout);
      // One editor shows several files in turn, so the focus alone doesn't identify the file.
      await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="/${path}"]`).waitFor({ timeout });
    },
    () => page.keyboard.press('Escape'),
    `"${path}" does not open.`,
  );
}

/** Opens a file of the workspace with the cursor at the end of a line (from 1), or this many characters before that. */
export async function openAt(workbench: Workbench, path: string, line: number, back = 0): Promise<void> {
  await openFile(workbench, path);
  await goToLine(workbench, line);
  for (let before = 0; before < back; before++) await workbench.page.keyboard.press('ArrowLeft');
}

/** Puts the cursor of the focused editor at the end of a line, counted from 1, even if it's wrapped. */
export async function goToLine(workbench: Workbench, line: number): Promise<void> {
  const { page, quickInput } = workbench;
  const cursor = workbench.statusBarItem('selection').filter({ hasText: new RegExp(`Ln ${line}, `) });
  await patiently(
    async (timeout) => {
      await page.keyboard.press('Control+G');
      // A column beyond the line means its end.
      await quickInput.fill(`:${line}:9999`, { timeout });
      await page.keyboard.press('Enter');
      await quickInput.waitFor({ state: 'hidden', timeout });
      await cursor.waitFor({ timeout });
      await page.locator('.monaco-editor.focused').waitFor({ timeout });
    },
    () => page.keyboard.press('Escape'),
    `The cursor does not go to line ${line}.`,
  );
}

/** Picks an entry of the element's context menu; for a submenu: `Menu > Entry`. */
export async function chooseFromMenu({ page }: Workbench, of: Locator, path: string): Promise<void> {
  const [name = '', ...menus] = path.split(' > ').reverse();
  const named = (entry: string) => page.getByRole('menuitem', { name: entry, exact: true });
  const entry = named(name);
  await patiently(
    async (timeout) => {
      await of.click({ button: 'right', timeout });
      for (const menu of menus.reverse()) await named(menu).hover({ timeout });
      await entry.hover({ timeout });
      await page.keyboard.press('Enter');
      await entry.waitFor({ state: 'hidden', timeout });
    },
    () => page.keyboard.press('Escape'),
    `There is no entry "${path}" in the menu.`,
  );
}

/** Picks the quick fix of this title at the cursor; `first` sees the list. */
export async function chooseQuickFix(
  { page }: Workbench,
  title: string | RegExp,
  first?: () => Promise<void>,
): Promise<void> {
  const list = page.locator('.action-widget');
  const wanted = list.locator('.monaco-list-row').filter({ hasText: title }).first();
  await patiently(
    async (timeout) => {
      await page.keyboard.press('Control+.');
      await wanted.waitFor({ timeout });
    },
    () => page.keyboard.press('Escape'),
    `There is no quick fix "${String(title)}".`,
  );
  await first?.();
  await goDownTo(page, wanted);
  await page.keyboard.press('Enter');
  await list.first().waitFor({ state: 'hidden' });
}

/** Fills in the Save As dialog. */
export async function saveAs({ page, quickInput }: Workbench, path: string): Promise<void> {
  // The dialog fills in a name once it has read the folder, and accepts none before.
  await until(async () => (await quickInput.inputValue()).endsWith(extname(path)));
  await patiently(
    async (timeout) => {
      await quickInput.fill(path, { timeout });
      await page.keyboard.press('Enter');
      await quickInput.waitFor({ state: 'hidden', timeout });
    },
    async () => {},
    'The dialog that asks where to save stays open.',
  );
}

/** Enters the path of a file, or of a folder to be accepted by this button, in the editor's dialog that opens one. */
export async function openPath({ page }: Workbench, path: string, button?: string): Promise<void> {
  const widget = page.locator('.quick-input-widget:visible');
  const box = widget.locator('.quick-input-box input');
  // The dialog fills its box once it has read its folder, and what was entered before is lost.
  await until(async () => (await box.inputValue()).startsWith('/'));
  await patiently(
    async (timeout) => {
      await box.fill(path, { timeout });
      if (button === undefined) await box.press('Enter', { timeout });
      else await widget.getByRole('button', { name: button }).click({ timeout });
      // Its box is hidden, or that of the next step.
      const entered = () => box.inputValue({ timeout: 500 }).catch(() => '');
      await until(async () => !(await entered()).startsWith('/'), timeout);
    },
    async () => {},
    'The dialog doesn’t take the path.',
  );
}

/** Moves the focus of a list down to the row, wrapping around if needed. */
async function goDownTo(page: Page, row: Locator, timeout?: number): Promise<void> {
  const focused = row.and(page.locator('.focused'));
  for (let down = 0; down < 50 && !(await focused.isVisible()); down++) await page.keyboard.press('ArrowDown');
  await focused.waitFor({ timeout });
}

/** Runs in the page: identifies the step of a quick pick or input box; empty if none is open. */
function face(): string {
  const boxes = [...document.querySelectorAll('.quick-input-widget')];
  const widget = boxes.find((box) => box.getClientRects().length > 0);
  const input = widget?.querySelector<HTMLInputElement>('.quick-input-box input');
  return JSON.stringify([widget?.querySelector('.quick-input-title')?.textContent, input?.placeholder, input?.value]);
}
