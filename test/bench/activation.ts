import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../removeFolder';
import { root } from '../editor/root';
import { openWorkbench } from '../editor/workbench';
import { exchange, exchangeFolder, type Activation } from './exchange';
import type { Row } from './row';
import { yardstick } from './yardstick';

const ids = ['model-catalog.model-catalog', 'model-catalog.yardstick'] as const;
const tests = join(__dirname, 'inHost.js');

/** How many windows are opened; an even number, so that each extension is first equally often. */
const windows = 8;

/**
 * From the call of `activate()` to its end, in an extension host that has just started, compared with an almost empty
 * extension.
 */
export async function activation(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const ours = await withoutEvents(join(folder, 'model-catalog'));
  const env = { [exchangeFolder]: folder };
  const { question, answer } = exchange(env);
  await writeFile(question, '[]');
  const editor = { version: 'latest', extension: yardstick, beside: [ours], tests, env } as const;
  // The window that opens with the editor is only a warm-up.
  const workbench = await openWorkbench(editor);
  const all: Activation[] = [];
  try {
    await workbench.ended;
    for (let round = 0; round < windows; round++) {
      await writeFile(question, JSON.stringify(round % 2 === 0 ? ids : ids.toReversed()));
      await workbench.runTests(yardstick, tests);
      if ((await workbench.ended) !== 0) throw new Error('The extensions could not be activated.');
      all.push(...(JSON.parse(await readFile(answer, 'utf8')) as Activation[]));
    }
  } finally {
    await workbench.close();
    await removeFolder(folder);
  }
  const [our, empty] = ids.map((id) => all.filter((one) => one.id === id)) as [Activation[], Activation[]];
  return [
    {
      what: 'activation in a new extension host',
      unit: 'ms',
      ours: our.map(({ ms }) => ms),
      yardstick: { what: 'an extension of three commands', figures: empty.map(({ ms }) => ms) },
      aim: { of: 'ratio', atMost: 1.9 },
    },
    { what: 'heap after activation, over before', unit: 'MB', ours: our.map(({ heapMB }) => heapMB) },
    { what: 'resident memory after activation, over before', unit: 'MB', ours: our.map(({ rssMB }) => rssMB) },
  ];
}

/** The extension as built, except that it waits to be activated. */
async function withoutEvents(folder: string): Promise<string> {
  await mkdir(folder);
  for (const name of ['dist', 'media', 'package.nls.json']) await symlink(join(root, name), join(folder, name));
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return folder;
}
