import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate, timed } from './alternate';
import { BareClient } from './bare';
import { Commits } from './commits';
import { accepted, openCore, saved } from './core';
import type { Row } from './row';

/** The size of a typical image from a service, bytes. */
const resultBytes = 1_500_000;

/**
 * From the poll of a render that has just succeeded to its file, compared with the least that keeps the promise: the
 * poll, a bare download that is synced and gets its name, and the three states on disk.
 */
export async function delivery(): Promise<Row[]> {
  const core = await openCore({ resultBytes });
  const bare = new BareClient(core.base);
  const commits = new Commits(core.folder);
  const [part, file] = [join(core.folder, 'bare.part'), join(core.folder, 'bare.bin')];
  const state = Buffer.alloc(1000);
  const bareDelivery = async () => {
    await bare.get('/generations/g1');
    commits.commit(state);
    await bare.download('/generations/g1/content', part);
    commits.commit(state);
    await rename(part, file);
    commits.commit(state);
  };
  const { ours, yardstick } = await alternate(
    {
      ours: async () => {
        const key = await accepted(core);
        return timed(() => saved(core, key));
      },
      yardstick: async () => {
        const took = await timed(bareDelivery);
        await rm(file);
        return took;
      },
    },
    { runs: 31, warmUp: 5 },
  );
  commits.close();
  await Promise.all([bare.close(), core.close()]);
  return [
    {
      what: 'asked after a render that succeeded → its file of 1.5 MB saved',
      unit: 'ms',
      ours,
      yardstick: { what: 'bare undici: poll, file, fsync, rename, three commits', figures: yardstick },
      aim: { of: 'ratio', atMost: 1.6 },
    },
  ];
}
