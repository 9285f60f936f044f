import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Ledger } from '../../src/renders/ledger';
import { ledgerName } from '../../src/renders/ledgerError';
import type { Decision, Progress, RenderRecord } from '../../src/renders/record';
import type { Profile } from './profile';
import { planOne } from '../planOne';

/** Differences from an image that was rendered, paid for, and saved normally. */
export type Seed = Partial<Omit<Decision, 'key' | 'body'> & Progress> & { readonly prompt: string };

/**
 * Writes renders into the ledger as another window of the same account would have; an open window notices them as it
 * would that window's. The account, and everything a seed doesn't state, comes from an existing saved render.
 */
export async function seedLedger(profile: Profile, seeds: readonly Seed[]): Promise<RenderRecord[]> {
  const storage = join(profile.userData, 'User', 'globalStorage', 'model-catalog.model-catalog');
  const ledger = await Ledger.open(join(storage, ledgerName));
  try {
    const [pattern] = ledger.inStates('saved');
    if (!pattern) throw new Error('There is no saved render yet whose account could be used.');
    return seeds.map(({ prompt, ...change }) => {
      const inputs = { prompt };
      const { modelId } = { ...pattern, ...change };
      const body = new TextEncoder().encode(JSON.stringify({ modelId, inputs }));
      const { place, account, target, shownCents, by, agent, plannedAt } = { ...pattern, ...change };
      const order = { modelId, inputs, body, target, shownCents, by, agent };
      const planned = planOne(
        ledger,
        { ...order, place, account, plannedAt, key: randomUUID() },
        'a window that has closed',
      );
      const { state, status, costCents, acceptedAt, endedAt, spooled } = pattern;
      const generationId = `seed-${planned.key}`;
      const ordinary = {
        state,
        status,
        costCents,
        acceptedAt,
        endedAt,
        spooled,
        attempt: 1,
        due: undefined,
        unanswered: 0,
        generationId,
      };
      return ledger.change(planned, { ...ordinary, ...change })!;
    });
  } finally {
    ledger.close();
  }
}
