import { alternate } from './alternate';
import { BareClient } from './bare';
import { Commits } from './commits';
import { accepted, openCore, orderIn, saved } from './core';
import type { Row } from './row';
import { arrivalOf, now } from './service';

/** From the order to its first byte at the service, compared with one durable commit and a bare POST. */
export async function post(): Promise<Row[]> {
  const core = await openCore({ resultBytes: 1000 });
  const bare = new BareClient(core.base);
  const commits = new Commits(core.folder);
  const { modelId, inputs } = orderIn(core);
  const body = new TextEncoder().encode(JSON.stringify({ modelId, inputs }));
  const { ours, yardstick } = await alternate(
    {
      ours: async () => {
        const begin = now();
        const key = await accepted(core);
        const took = arrivalOf(core.ledger.get(key)?.generationId ?? '') - begin;
        // The next order should find a window with nothing in progress.
        await saved(core, key);
        return took;
      },
      yardstick: async () => {
        const begin = now();
        commits.commit(body);
        const { id } = JSON.parse(await bare.post('/generations', body)) as { id: string };
        return arrivalOf(id) - begin;
      },
    },
    { runs: 51, warmUp: 10 },
  );
  commits.close();
  await Promise.all([bare.close(), core.close()]);
  return [
    {
      what: 'Enter → POST on the wire',
      unit: 'ms',
      ours,
      yardstick: { what: 'one durable commit, bare undici POST', figures: yardstick },
      aim: { of: 'over', atMost: 5 },
    },
  ];
}
