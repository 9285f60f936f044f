import type { Page } from 'playwright-core';
import { openConnected } from './connected';
import type { Row } from './row';
import { startService } from './service';
import { keyToList } from './watch';
import { yardstick } from './yardstick';

const keys = {
  ours: 'Control+F8',
  many: 'Control+F9',
  ten: 'Control+F10',
  found: 'Control+F11',
  refresh: 'Control+F7',
} as const;
const keybindings = [
  { key: 'ctrl+f8', command: 'modelCatalog.openModel' },
  { key: 'ctrl+f9', command: 'yardstick.manyItems' },
  { key: 'ctrl+f10', command: 'yardstick.tenItems' },
  { key: 'ctrl+f11', command: 'yardstick.foundItems' },
  { key: 'ctrl+f7', command: 'modelCatalog.refreshModels' },
];

/** What is typed into each list. Every key changes what it shows, even with only ten items. */
const typed = ['1', 'Backspace', '7', 'Backspace', '3', 'Backspace'];
const rounds = 3;

/**
 * A catalog of 10,000 models: from a key to the changed list on the screen, compared with the editor's own list and
 * filter.
 */
export async function models(): Promise<Row[]> {
  const service = await startService({ models: 10_000 });
  const workbench = await openConnected(service, { beside: [yardstick], keybindings });
  try {
    const { page } = workbench;
    const figures = { ours: [] as number[], many: [] as number[], ten: [] as number[], found: [] as number[] };
    await perKey(page, keys.ours);
    for (let round = 0; round < rounds; round++)
      for (const side of ['ours', 'many', 'ten', 'found'] as const)
        figures[side].push(...(await perKey(page, keys[side])));
    await workbench.command('View: Show Model Catalog');
    await workbench.tree('Models').getByRole('treeitem').nth(3).waitFor();
    const refreshed: number[] = [];
    for (let run = 0; run < 8; run++) refreshed.push(await keyToList(page, keys.refresh));
    const what = 'search in 10,000 models, per key';
    return [
      {
        what,
        unit: 'ms',
        ours: figures.ours,
        yardstick: { what: 'a plain pick of 10,000', figures: figures.many },
      },
      {
        what,
        unit: 'ms',
        ours: figures.ours,
        yardstick: { what: 'a plain pick of 10', figures: figures.ten },
        aim: { of: 'ratio', atMost: 2.2 },
      },
      {
        what,
        unit: 'ms',
        ours: figures.ours,
        yardstick: { what: 'the least pick that an extension searches 10,000 for', figures: figures.found },
        aim: { of: 'ratio', atMost: 1.2 },
      },
      {
        what: 'refresh of the Models view with 10,000 models, the request with it',
        unit: 'ms',
        ours: refreshed.slice(1),
      },
    ];
  } finally {
    await workbench.close();
    await service.stop();
  }
}

/** Opens a list, types, and closes it; resolves with the time for each key, ms. */
async function perKey(page: Page, open: string): Promise<number[]> {
  await keyToList(page, open);
  const figures: number[] = [];
  for (const key of typed) figures.push(await keyToList(page, key));
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  return figures;
}
