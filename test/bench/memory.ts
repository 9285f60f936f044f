import { accepted, openCore, saved } from './core';
import { heapInUse } from './heap';
import type { Row } from './row';

const renders = 1000;

/** The memory of a window's core after a day of many renders, compared with the same core after one. */
export async function memory(): Promise<Row[]> {
  const core = await openCore({ resultBytes: 100_000 });
  // The first ones load what is loaded lazily.
  for (let count = 0; count < 10; count++) await saved(core, await accepted(core));
  const before = used();
  for (let count = 0; count < renders; count++) await saved(core, await accepted(core));
  const after = used();
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
    },
  ];
}

/** In use after garbage collection, MB. */
function used(): { heap: number; rss: number } {
  return { heap: heapInUse(), rss: process.memoryUsage.rss() / 1e6 };
}
