import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openConnected } from '../bench/connected';
import { writeHistory } from '../bench/history';
import { startService, type BenchService } from '../bench/service';
import { root } from './root';
import { until } from './until';
import type { Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

suite('A history of 2,500 renders', () => {
  let service: BenchService;
  let workbench: Workbench;
  before(async () => {
    await mkdir(images, { recursive: true });
    service = await startService({ resultBytes: 10_000 });
    const settings = { 'modelCatalog.notifications': 'never' };
    workbench = await openConnected(service, { settings }, (storage) => writeHistory(storage, service.base, 2500));
    await workbench.command('View: Show Model Catalog');
    await workbench.page.getByRole('button', { name: 'Models Section' }).click();
  });
  after(async () => {
    await workbench.close();
    await service.stop();
  });

  const shoot = (name: string) => workbench.screenshot(join(images, `long-history-${name}.png`));
  const items = () => workbench.tree('Generations').getByRole('treeitem');
  const older = (count: string) => items().filter({ hasText: `Show Older${count} more` });
  /** Scrolls to the end of the list until the item is there. */
  const atEnd = async (item: Locator) => {
    await workbench.command('Model Catalog: Focus on Generations View');
    await until(async () => {
      await workbench.page.keyboard.press('End');
      return item.isVisible();
    });
    return item;
  };

  test('is listed a thousand at a time, newest first', async () => {
    // The row moves once the view has listed all thousand.
    await until(async () => {
      const more = await atEnd(older('1,500'));
      await shoot('end');
      return more.click({ timeout: 1000 }).then(
        () => true,
        () => false,
      );
    });
    await (await atEnd(older('500'))).click();
    await items().filter({ hasText: 'Show Older' }).waitFor({ state: 'detached' });
    await shoot('all');
  });

  test('is searched back to its beginning', async () => {
    await workbench.reload();
    await workbench.command('Model Catalog: Search Generations…');
    await workbench.quickInput.fill('sunset number 77');
    await workbench.quickInput.press('Enter');
    await atEnd(items().and(workbench.page.getByLabel(/number 77, saved/)));
    await shoot('found');
  });
});
