import { accepted, openCore, saved } from './core';
import { heapInUse } from './heap';
import type { Row } from './row';

const renders = 1000;

/**
 * The memory of a window's core after a day of many renders, and after another one: what grows only once isn't a leak.
 */
export async function memory(): Promise<Row[]> {
  const core = await openCore({ resultBytes: 100_000 });
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
      aim: { of: 'value', atMost: 30 },
    },
    {
      what: `resident memory after ${renders.toLocaleString('en')} more, over the same`,
      unit: 'MB',
      ours: [later.rss - after.rss],
    },
  ];
}

/** In use after garbage collection, MB. */
function used(): { heap: number; rss: number } {
  return { heap: heapInUse(), rss: process.memoryUsage.rss() / 1e6 };
}
