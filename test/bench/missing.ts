import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readMs } from '../../src/editor/standing';
import { removeFolder } from '../removeFolder';
import { openFile } from '../editor/choose';
import { root } from '../editor/root';
import { until } from '../editor/until';
import { leastRuns } from './alternate';
import { openWatched } from './connected';
import type { Row } from './row';
import { keyToText } from './watch';

const keybindings = [{ key: 'ctrl+f8', command: 'modelCatalog.renderMissingImages' }];
const settings = {
  'modelCatalog.confirmAfter.renders': 0,
  'modelCatalog.confirm.above': '100.00',
  'modelCatalog.notifications': 'never',
};

/** From the command to the question about what the README lacks, and from the yes to the last of the files. */
export async function missing(): Promise<Row[]> {
  const project = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const workbench = await openWatched({ workspace: project, keybindings, settings });
  try {
    const asked: number[] = [];
    const rendered: number[] = [];
    for (let run = 0; run <= leastRuns; run++) {
      await renew(project, run);
      if (run === 0) await openFile(workbench, 'README.md');
      const { page } = workbench;
      // The editor must show what is on disk now.
      await page
        .locator('.view-line')
        .filter({ hasText: `![${wordOf(run)}` })
        .first()
        .waitFor();
      asked.push(await keyToText(page, 'Control+F8', '.monaco-dialog-box', 'Render 5 images'));
      await setTimeout(readMs.question);
      const before = (await imagesOf(project)).length;
      await page.keyboard.press('Enter');
      await until(async () => (await imagesOf(project)).length === before + 5);
      const saved = Date.now();
      rendered.push(saved - (await page.evaluate(() => window.modelCatalogBench.pressed)));
    }
    return [
      {
        what: 'Render Missing Images → the question about the 5 of the fixtures’ README, with their prices',
        unit: 'ms',
        ours: asked.slice(1),
      },
      {
        what: 'yes to the sum → all 5 saved where their links lead, renders of 1.5 s',
        unit: 'ms',
        ours: rendered.slice(1),
        aim: { of: 'value', atMost: 4500 },
      },
    ];
  } finally {
    await workbench.close();
    await removeFolder(project);
  }
}

/** The original project, except for one word in each alt text, since a cached price wouldn't be requested. */
async function renew(project: string, run: number): Promise<void> {
  const original = join(root, 'test', 'fixtures', 'documents', 'readme');
  for (const folder of ['docs', 'images']) {
    await removeFolder(join(project, folder));
    await cp(join(original, folder), join(project, folder), { recursive: true });
  }
  const text = await readFile(join(original, 'README.md'), 'utf8');
  await writeFile(
    join(project, 'README.md'),
    text.replaceAll('![', `![${wordOf(run)} `).replaceAll('alt="', `alt="${wordOf(run)} `),
  );
}

async function imagesOf(project: string): Promise<string[]> {
  const names = await readdir(project, { recursive: true });
  return names.filter((name) => name.endsWith('.png'));
}

function wordOf(run: number): string {
  return `No.${run}`;
}
