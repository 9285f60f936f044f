import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/base/clock';
import { wait } from '../../src/base/concurrency';
import { Ledger } from '../../src/renders/ledger';
import { Library } from '../../src/renders/library';
import { WindowLease } from '../../src/renders/windowLease';
import { removeFolder } from '../removeFolder';
import type { Workbench } from '../editor/workbench';
import { alternate, leastRuns, timed } from './alternate';
import { openConnected } from './connected';
import { writeHistory } from './history';
import type { Row } from './row';
import { heapInUse } from './heap';
import { firstPages, type ListName } from './lists';
import { benchModel, startService, type BenchService } from './service';
import { keyToList, keyToText, lastPainted } from './watch';

/** More than anyone renders in years. */
const longest = 100_000;
const base = 'https://models.example';
/** The renders that are listed first. */
const pageSize = 1000;
const renders = 5000;
const history = `${renders.toLocaleString('en')} renders`;

/** A long history: the core alone, then the view in the editor. */
export async function generations(): Promise<Row[]> {
  return [...(await inCore()), ...(await inView())];
}

async function inCore(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const file = await writeHistory(folder, base, longest);
  const runs: Reading[] = [];
  for (let run = 0; run < leastRuns; run++) runs.push(await read(file));
  await removeFolder(folder);
  const of = (figure: Exclude<keyof Reading, 'pages'>) => runs.map((reading) => reading[figure]);
  const long = `${longest.toLocaleString('en')} renders`;
  return [
    { what: `ledger of ${long} opened, its newest page listed`, unit: 'ms', ours: of('opened') },
    {
      what: `longest time the thread is held while what is first shown of ${long} is read`,
      unit: 'ms',
      ours: of('held'),
      aim: { of: 'value', atMost: 50 },
    },
    { what: `all that is first shown of ${long} read`, unit: 'ms', ours: of('whole') },
    { what: `heap for ${long}`, unit: 'MB', ours: of('heap'), aim: { of: 'value', atMost: 30 } },
    { what: `one of ${long} changes → the list anew`, unit: 'ms', ours: of('changed') },
    ...lists.map((list): Row => {
      const what = `longest time the thread is held for what is first shown of ${long}: ${list}`;
      return { what, unit: 'ms', ours: runs.map(({ pages }) => pages[list]), aim: { of: 'value', atMost: 50 } };
    }),
  ];
}

const lists = Object.keys(firstPages) as ListName[];

/** The cost of reading a long history, ms and MB. */
interface Reading {
  readonly opened: number;
  readonly held: number;
  readonly whole: number;
  readonly heap: number;
  readonly changed: number;
  /** The time for the first page of each list. */
  readonly pages: Readonly<Record<ListName, number>>;
}

async function read(file: string): Promise<Reading> {
  const before = heapInUse();
  const begin = performance.now();
  const held = longestHeld();
  const ledger = await Ledger.open(file);
  const lease = new WindowLease(ledger, systemClock, systemRandom);
  const library = new Library(
    ledger,
    () => undefined,
    () => base,
    lease,
    systemClock,
  );
  const [first] = library.entries;
  const opened = performance.now() - begin;
  if (!first) throw new Error('The history cannot be read.');
  while (library.entries.length < pageSize) await wait(systemClock, 1);
  const whole = performance.now() - begin;
  const longestMs = held();
  const heap = heapInUse() - before;
  const changed = await timed(async () => {
    ledger.advance(first.id, () => ({ costCents: Math.round(begin) }));
    await Promise.resolve(library.entries);
  });
  const pages = {} as Record<ListName, number>;
  for (const list of lists) {
    const heldForList = longestHeld();
    await firstPages[list](library);
    pages[list] = heldForList();
  }
  library.dispose();
  ledger.close();
  return { opened, held: longestMs, whole, heap, changed, pages };
}

/** Measures until called: the longest time in which nothing else could run, ms. */
function longestHeld(): () => number {
  let last = performance.now();
  let longestMs = 0;
  const look = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longestMs;
  };
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
  'modelCatalog.allowance.others': '100.00',
  'modelCatalog.confirmAfter.renders': 0,
  'modelCatalog.notifications': 'never',
};

async function inView(): Promise<Row[]> {
  const service = await startService({ resultBytes: 10_000 });
  const [few, many, most] = [
    await openHistory(service, 50),
    await openHistory(service, renders),
    await openHistory(service, longest),
  ];
  try {
    const ordered = await orderedIn(many);
    const shown = await alternate({
      few: () => shownIn(few),
      many: () => shownIn(many),
      most: () => shownIn(most),
    });
    const rows = (of: string, ours: readonly Showing[]): Row[] => {
      const where = `Generations view of ${of}, the first time in a window`;
      const against = (figure: keyof Showing) => ({
        unit: 'ms' as const,
        ours: ours.map((showing) => showing[figure]),
        yardstick: { what: 'one of 50', figures: shown.few.map((showing) => showing[figure]) },
      });
      return [
        { what: `first renders shown: ${where}`, ...against('first'), aim: { of: 'ratio', atMost: 1.4 } },
        { what: `last change of the list: ${where}`, ...against('last') },
      ];
    };
    return [
      ...rows(history, shown.many),
      ...rows(`${longest.toLocaleString('en')} renders`, shown.most),
      {
        what: `order → its line in the Generations view of ${history}, price and request with it`,
        unit: 'ms',
        ours: ordered,
      },
    ];
  } finally {
    await Promise.all([few, many, most].map((workbench) => workbench.close()));
    await service.stop();
  }
}

function openHistory(service: BenchService, count: number): Promise<Workbench> {
  const prepare = (storage: string) => writeHistory(storage, service.base, count);
  return openConnected(service, { keybindings, settings }, prepare);
}

/** From an order to its line in the view, ms. */
async function orderedIn(workbench: Workbench): Promise<number[]> {
  const { page } = workbench;
  const ordered: number[] = [];
  await keyToList(page, keys.show);
  for (let run = 0; run <= leastRuns; run++) {
    ordered.push(await keyToList(page, keys.render));
    // Its row keeps changing until it's saved.
    await workbench.tree('Generations').locator('.codicon-loading').first().waitFor({ state: 'detached' });
  }
  return ordered.slice(1);
}

/** How soon the view shows what somebody looks for, and all that it holds, ms from the command. */
interface Showing {
  readonly first: number;
  readonly last: number;
}

/** In a new window. */
async function shownIn(workbench: Workbench): Promise<Showing> {
  await workbench.command('View: Show Explorer');
  await workbench.open();
  await workbench.statusBarItem('modelCatalog.balance').waitFor();
  const first = await keyToText(workbench.page, keys.show, '.pane-body .monaco-list-row', 'A lighthouse');
  return { first, last: await lastPainted(workbench.page) };
}
