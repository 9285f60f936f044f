import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock';
import { systemRandom } from '../../src/base/random';
import { Ledger } from '../../src/renders/ledger';
import { Library } from '../../src/renders/library';
import { WindowLease } from '../../src/renders/windowLease';
import { leastRuns, timed } from './alternate';
import { openConnected } from './connected';
import { writeHistory } from './history';
import type { Row } from './row';
import { benchModel, startService } from './service';
import { keyToList } from './watch';

const renders = 5000;
const history = `${renders.toLocaleString('en')} renders`;

/** A long history: the core by itself, then the view in the editor. */
export async function generations(): Promise<Row[]> {
  return [...(await inCore()), ...(await inView())];
}

async function inCore(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const file = await writeHistory(folder, 'https://models.example', renders);
  const opened: number[] = [];
  const changed: number[] = [];
  for (let run = 0; run < 9; run++) {
    const begin = performance.now();
    const ledger = await Ledger.open(file);
    const lease = new WindowLease(ledger, systemClock, systemRandom);
    const library = new Library(ledger, () => undefined, lease, systemClock);
    const [first] = library.entries;
    opened.push(performance.now() - begin);
    if (library.entries.length !== renders || !first) throw new Error('The history cannot be read.');
    changed.push(
      await timed(async () => {
        ledger.advance(first.id, () => ({ costCents: run }));
        await Promise.resolve(library.entries);
      }),
    );
    library.dispose();
    ledger.close();
  }
  await rm(folder, { recursive: true });
  return [
    { what: `ledger of ${history} opened and listed`, unit: 'ms', ours: opened },
    { what: `one of ${history} changes → the list anew`, unit: 'ms', ours: changed },
  ];
}

const keys = { show: 'Control+F8', render: 'Control+F9' } as const;
const keybindings = [
  { key: 'ctrl+f8', command: 'modelCatalog.generations.focus' },
  {
    key: 'ctrl+f9',
    command: 'modelCatalog.render',
    args: { modelId: benchModel, inputs: { prompt: 'One more lighthouse' } },
  },
];
const settings = {
  'modelCatalog.unattendedBudget': 10_000,
  'modelCatalog.askAfter.renders': 0,
  'modelCatalog.notifications': 'never',
};

async function inView(): Promise<Row[]> {
  const service = await startService({ resultBytes: 10_000 });
  const prepare = (storage: string) => writeHistory(storage, service.base, renders);
  const workbench = await openConnected(service, { keybindings, settings }, prepare);
  const { page } = workbench;
  try {
    const ordered: number[] = [];
    await keyToList(page, keys.show);
    for (let run = 0; run <= leastRuns; run++) {
      ordered.push(await keyToList(page, keys.render));
      // Until it is saved its line goes on changing.
      await workbench.tree('Generations').locator('.codicon-loading').first().waitFor({ state: 'detached' });
    }
    const shown: number[] = [];
    for (let run = 0; run < leastRuns; run++) {
      await workbench.command('View: Show Explorer');
      await workbench.open();
      await workbench.statusBarItem('modelCatalog.balance').waitFor();
      shown.push(await keyToList(page, keys.show));
    }
    return [
      { what: `Generations view of ${history} shown, the first time in a window`, unit: 'ms', ours: shown },
      {
        what: `order → its line in the Generations view of ${history}, price and request with it`,
        unit: 'ms',
        ours: ordered.slice(1),
      },
    ];
  } finally {
    await workbench.close();
    await service.stop();
  }
}
