import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate, timed } from './alternate';
import { BareClient } from './bare';
import { openCore, type Core } from './core';
import type { Row } from './row';

const megabytes = 200;

/** A large result into the spool, verified, compared with a bare download; and the memory it takes. */
export async function download(): Promise<Row[]> {
  const core = await openCore({ resultBytes: megabytes * 1e6 });
  const bare = new BareClient(core.base);
  const file = join(core.folder, 'bare.bin');
  const ours = () => received(core);
  // The first download of the process, since later ones may reuse its memory.
  const grown = await peakGrowth(ours);
  const figures = await alternate(
    {
      ours: async () => speed(await timed(ours)),
      yardstick: async () => {
        const took = await timed(() => bare.download('/generations/g1/content', file));
        await rm(file);
        return speed(took);
      },
    },
    { runs: 7, warmUp: 1 },
  );
  await Promise.all([bare.close(), core.close()]);
  return [
    {
      what: `download of ${megabytes} MB`,
      unit: 'MB/s',
      ours: figures.ours,
      yardstick: { what: 'bare undici to a file, fsync', figures: figures.yardstick },
      aim: { of: 'ratio', atLeast: 0.93 },
    },
    {
      what: `memory while ${megabytes} MB download, at its peak over before`,
      unit: 'MB',
      ours: [grown],
      aim: { of: 'value', atMost: megabytes / 2 },
    },
  ];
}

async function received({ client, spool }: Core): Promise<void> {
  const { stream, length } = await client.content('g1');
  const { name } = await spool.receive('result', stream, { length, maxBytes: Infinity });
  await spool.remove(name);
}

function speed(ms: number): number {
  return (megabytes / ms) * 1000;
}

/** How much the process grows during the work, MB. */
async function peakGrowth(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(look);
  return (peak - before) / 1e6;
}
