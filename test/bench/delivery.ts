import { link, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate, timed } from './alternate';
import { BareClient } from './bare';
import { Commits } from './commits';
import { accepted, openCore, saved } from './core';
import type { Row } from './row';

/** The size of a typical image from a service, bytes. */
const resultBytes = 1_500_000;

/**
 * From the poll of a render that has just succeeded to its file, compared with the least that saves it: the poll, a
 * bare download that is synced and gets its name, and the three states on disk. And with the least that promises as
 * much: the file is hashed, replaces nothing, and its name survives a power loss too.
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
  const promisedDelivery = async () => {
    await bare.get('/generations/g1');
    commits.commit(state);
    await bare.downloadHashed('/generations/g1/content', part);
    commits.commit(state);
    await link(part, file);
    await syncFolder(core.folder);
    commits.commit(state);
    await rm(part);
  };
  const { ours, yardstick, promised } = await alternate(
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
      promised: async () => {
        const took = await timed(promisedDelivery);
        await rm(file);
        return took;
      },
    },
    { runs: 31, warmUp: 5 },
  );
  commits.close();
  await Promise.all([bare.close(), core.close()]);
  const what = 'asked after a render that succeeded → its file of 1.5 MB saved';
  return [
    {
      what,
      unit: 'ms',
      ours,
      yardstick: { what: 'bare undici: poll, file, fsync, rename, three commits', figures: yardstick },
      aim: { of: 'ratio', atMost: 1.6 },
    },
    {
      what,
      unit: 'ms',
      ours,
      yardstick: { what: 'the same, hashed, linked to a free name, the folder synced', figures: promised },
      aim: { of: 'ratio', atMost: 1.6 },
    },
  ];
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}
