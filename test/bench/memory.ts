import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../removeFolder';
import { BareClient } from './bare';
import { Commits } from './commits';
import { accepted, openCore, saved } from './core';
import { heapInUse } from './heap';
import type { Row } from './row';
import { benchModel } from './service';
import { startServiceProcess } from './serviceProcess';

const renders = 1000;
const resultBytes = 100_000;

/**
 * The memory of a window's core after a day of many renders, and after another one: what grows only once isn't a leak.
 */
export async function memory(): Promise<Row[]> {
  const core = await openCore({ resultBytes });
  // The first ones load what is loaded lazily.
  for (let count = 0; count < 10; count++) await saved(core, await accepted(core));
  const before = used();
  const many = async () => {
    for (let count = 0; count < renders; count++) await saved(core, await accepted(core));
    return used();
  };
  const after = await many();
  const later = await many();
  await core.close();
  return [
    {
      what: `heap after ${renders.toLocaleString('en')} renders, over before`,
      unit: 'MB',
      ours: [after.heap - before.heap],
    },
    {
      what: `resident memory after ${renders.toLocaleString('en')} renders, over before`,
      unit: 'MB',
      ours: [after.rss - before.rss],
      aim: { of: 'value', atMost: 60 },
    },
    {
      what: `resident memory after ${renders.toLocaleString('en')} more, over the same`,
      unit: 'MB',
      ours: [later.rss - after.rss],
    },
  ];
}

/** The same with the least that keeps the promise, and nothing of ours: what the system itself holds on to. */
export async function bareMemory(): Promise<Row[]> {
  const service = await startServiceProcess({ resultBytes });
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const bare = new BareClient(service.base);
  const commits = new Commits(folder);
  const body = Buffer.from(JSON.stringify({ modelId: benchModel, inputs: { prompt: 'A lighthouse' } }));
  const [state, part] = [Buffer.alloc(1000), join(folder, 'bare.part')];
  const render = async (count: number) => {
    commits.commit(state);
    commits.commit(state);
    await bare.post('/generations', body);
    commits.commit(state);
    await bare.get('/generations/g1');
    commits.commit(state);
    await bare.download('/generations/g1/content', part);
    commits.commit(state);
    await rename(part, join(folder, `bare-${count}.bin`));
    commits.commit(state);
  };
  for (let count = 0; count < 10; count++) await render(count);
  const before = used();
  for (let count = 0; count < renders; count++) await render(count);
  const after = used();
  commits.close();
  await bare.close();
  service.stop();
  await removeFolder(folder);
  const what = `resident memory after ${renders.toLocaleString('en')} bare renders (undici, SQLite, files), over before`;
  return [{ what, unit: 'MB', ours: [after.rss - before.rss] }];
}

/** In use after garbage collection, MB. */
function used(): { heap: number; rss: number } {
  return { heap: heapInUse(), rss: process.memoryUsage.rss() / 1e6 };
}
