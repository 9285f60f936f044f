import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate, timed } from './alternate';
import { BareClient } from './bare';
import { accepted, openCore, saved } from './core';
import type { Row } from './row';

/** The size of a typical image from a service, bytes. */
const resultBytes = 1_500_000;

/** From the poll of a render that has just succeeded to its file, compared with a bare download of the same bytes. */
export async function delivery(): Promise<Row[]> {
  const core = await openCore({ resultBytes });
  const bare = new BareClient(core.base);
  const file = join(core.folder, 'bare.bin');
  const { ours, yardstick } = await alternate(
    {
      ours: async () => {
        const key = await accepted(core);
        return timed(() => saved(core, key));
      },
      yardstick: async () => {
        const took = await timed(() => bare.download('/generations/g1/content', file));
        await rm(file);
        return took;
      },
    },
    { runs: 31, warmUp: 5 },
  );
  await Promise.all([bare.close(), core.close()]);
  return [
    {
      what: 'asked after a render that succeeded → its file of 1.5 MB saved',
      unit: 'ms',
      ours,
      yardstick: { what: 'bare undici to a file, fsync', figures: yardstick },
      aim: { of: 'ratio', atMost: 1.3 },
    },
  ];
}
