import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../removeFolder';
import { openAt } from '../editor/choose';
import type { Workbench } from '../editor/workbench';
import { openConnected } from './connected';
import type { Row } from './row';
import { startService } from './service';
import { keyToList } from './watch';
import { yardstick } from './yardstick';

/** The extension completes the model of a render file; the yardstick that of any other JSON with comments. */
const files = { ours: 'renders.jsonc', plain: 'plain.jsonc' } as const;
const text = '{\n  "model": ""\n}\n';
const keybindings = [{ key: 'ctrl+f8', command: 'yardstick.completeMany' }];

/** What is typed with the list open. Deleting all of it again would close the list. */
const typed = ['1', '2', '3'];
const rounds = 4;

/**
 * Completes a model in a render file, in a catalog of 10,000 models: from a key to the changed list on the screen,
 * compared with the editor's own completion of 10,000 plain words.
 */
export async function completion(): Promise<Row[]> {
  const service = await startService({ models: 10_000 });
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-completion-'));
  for (const name of Object.values(files)) await writeFile(join(folder, name), text);
  const workbench = await openConnected(service, { workspace: folder, beside: [yardstick], keybindings });
  try {
    await workbench.page.keyboard.press('Control+F8');
    const opened = { ours: [] as number[], plain: [] as number[] };
    const keys = { ours: [] as number[], plain: [] as number[] };
    for (let round = 0; round <= rounds; round++)
      for (const side of ['ours', 'plain'] as const) {
        const [first = NaN, ...others] = await perKey(workbench, files[side]);
        // The first round loads the code and the list.
        if (round === 0) continue;
        opened[side].push(first);
        keys[side].push(...others);
      }
    const plain = 'a plain list of 10,000';
    const aim = { of: 'value', atMost: 100 } as const;
    return [
      {
        what: 'completion of a model of 10,000 in a render file, the list shown',
        unit: 'ms',
        ours: opened.ours,
        yardstick: { what: plain, figures: opened.plain },
        aim,
      },
      {
        what: 'completion of a model of 10,000 in a render file, per key',
        unit: 'ms',
        ours: keys.ours,
        yardstick: { what: plain, figures: keys.plain },
        aim,
      },
    ];
  } finally {
    await workbench.close();
    await service.stop();
    await removeFolder(folder);
  }
}

/** Asks for completions in the file and types; resolves with the time for each key, ms. */
async function perKey(workbench: Workbench, file: string): Promise<number[]> {
  const { page } = workbench;
  // Between the quotes.
  await openAt(workbench, file, 2, 1);
  const figures = [await keyToList(page, 'Control+Space')];
  for (const key of typed) figures.push(await keyToList(page, key));
  await page.keyboard.press('Escape');
  for (let left = typed.length; left > 0; left--) await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  return figures;
}
