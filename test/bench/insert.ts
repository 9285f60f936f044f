import { existsSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../removeFolder';
import { openFile } from '../editor/choose';
import { until } from '../editor/until';
import type { Workbench } from '../editor/workbench';
import { leastRuns } from './alternate';
import { openWatched } from './connected';
import type { Row } from './row';
import { keyToNoMark, keyToText } from './watch';

const keybindings = [{ key: 'ctrl+f8', command: 'modelCatalog.renderAndInsert' }];
const settings = {
  'modelCatalog.confirmAfter.renders': 0,
  'modelCatalog.notifications': 'never',
  'editor.autoClosingBrackets': 'never',
};

/** The times of one insertion, ms. */
interface Insertion {
  /** From the command to the input box for the prompt. */
  readonly box: number;
  /** From the prompt to its price. */
  readonly price: number;
  /** From Enter to the link in the document. */
  readonly link: number;
  /** From Enter to the link without its mark, once the file exists. */
  readonly image: number;
}

/**
 * From the command to the link in the document, and to its image. A user's steps take no time: the prompt is pasted.
 */
export async function insert(): Promise<Row[]> {
  const project = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const workbench = await openWatched({ workspace: project, keybindings, settings });
  try {
    const [firsts, others]: [Insertion[], Insertion[]] = [[], []];
    for (let run = 0; run < leastRuns; run++) {
      if (run > 0) await workbench.open();
      await writeFile(join(project, `guide-${run}.md`), '');
      await openFile(workbench, `guide-${run}.md`);
      await workbench.statusBarItem('modelCatalog.balance').waitFor();
      firsts.push(await insertion(workbench, project, `a lighthouse at dawn ${run}`));
      others.push(await insertion(workbench, project, `a lighthouse at dusk ${run}`));
    }
    const row = (what: string, figure: (one: Insertion) => number, of = others): Row => ({
      what,
      unit: 'ms',
      ours: of.map(figure),
    });
    const toLink = ({ box, price, link }: Insertion) => box + price + link;
    return [
      row('Render and Insert Link → its box', ({ box }) => box),
      row('prompt pasted → its price', ({ price }) => price),
      row('Enter → link in the document', ({ link }) => link),
      row('Render and Insert Link → link in the document, the prompt pasted', toLink),
      {
        ...row('the same, the first of a window, the sandbox started for it', toLink, firsts),
        yardstick: { what: 'a later one', figures: others.map(toLink) },
        aim: { of: 'ratio', atMost: 1.8 },
      },
      {
        ...row('Enter → picture saved and the link’s mark gone, a render of 1.5 s', ({ image }) => image),
        aim: { of: 'value', atMost: 2300 },
      },
    ];
  } finally {
    await workbench.close();
    await removeFolder(project);
  }
}

async function insertion({ page }: Workbench, project: string, prompt: string): Promise<Insertion> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), prompt);
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
  const rows = '.quick-input-list .monaco-list-row';
  const box = await keyToText(page, 'Control+F8', '.quick-input-titlebar', 'Render Image and Insert Link');
  const price = await keyToText(page, 'Control+V', rows, 'Render and insert · €');
  // Enter counts only once the price could be read.
  await page.locator(`${rows}:has(.codicon-zap)`).waitFor();
  const link = await keyToText(page, 'Enter', '.view-line', `![${prompt}](`);
  const renders = join(project, 'renders');
  await until(
    async () =>
      existsSync(renders) && (await readdir(renders)).some((name) => name.includes(prompt.replaceAll(' ', '-'))),
  );
  const image = await keyToNoMark(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  return { box, price, link, image };
}
