import type { Clock } from '../base/clock';
import type { Generation } from '../catalog/types';
import type { Ledger } from './ledger';
import type { Progress, RenderRecord, RenderState } from './record';

/** Brings what the service says of a render into its record. A word we do not know is kept and polled on. */
export function applyStatus(ledger: Ledger, key: string, generation: Generation, clock: Clock): void {
  ledger.advance(key, (record) => {
    if (!awaitsStatus(record)) return undefined;
    const next = progressOf(record, generation, clock);
    return Object.entries(next).some(([name, value]) => record[name as keyof Progress] !== value) ? next : undefined;
  });
}

/** True while the service may still say something that changes the record: a failed render becomes a refunded one. */
export function awaitsStatus({ state }: RenderRecord): boolean {
  return state === 'accepted' || state === 'failed';
}

function progressOf(record: RenderRecord, generation: Generation, clock: Clock): Partial<Progress> {
  const state = stateOf(record, generation.status);
  return {
    state,
    status: generation.status,
    // What was stated once stays stated when a later answer leaves it out.
    costCents: generation.costCents ?? record.costCents,
    contentUrl: generation.contentUrl ?? record.contentUrl,
    textOutput: generation.textOutput ?? record.textOutput,
    ...(state !== record.state && {
      endedAt: clock.now(),
      problem: state === 'succeeded' ? undefined : { code: 'serviceSays' as const, detail: generation.reason },
    }),
  };
}

function stateOf(record: RenderRecord, status: string): RenderState {
  if (status === 'refunded') return 'refunded';
  if (record.state === 'failed') return 'failed';
  return status === 'succeeded' || status === 'failed' ? status : 'accepted';
}
