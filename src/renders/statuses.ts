import type { Clock } from '../base/clock';
import type { Generation } from '../catalog/fields';
import { statedCents, type Connected, mayRead, type Progress, type RenderRecord, type RenderState } from './record';
import type { Ledger } from './ledger';

/**
 * Applies what the service says about a render, to the API key in use, to its record, and returns that. An unknown
 * status is kept, and polling continues. `pendingAt`: when it was last known to be in progress, ms since 1970.
 */
export function applyStatus(
  ledger: Ledger,
  key: string,
  generation: Generation,
  connected: Connected,
  clock: Clock,
  pendingAt?: number,
): RenderRecord | undefined {
  return ledger.advance(key, (record) => {
    // Of a success, only a refund is news.
    if (!awaitsStatus(record) && !(generation.status === 'refunded' && isSuccess(record.state))) return undefined;
    const by = mayRead(record, connected) ? {} : { readBy: connected.client.account };
    const next = { ...progressOf(record, generation, clock, pendingAt), ...by };
    return Object.entries(next).some(([name, value]) => record[name as keyof Progress] !== value) ? next : undefined;
  });
}

/**
 * True while the service may still change the record: a failed render may be refunded, and a denied one may reappear
 * unless it was forgotten.
 */
export function awaitsStatus({ state, generationId, forgotten }: RenderRecord): boolean {
  if (state === 'unknown') return generationId !== undefined && !forgotten;
  return state === 'accepted' || state === 'failed';
}

function progressOf(
  record: RenderRecord,
  generation: Generation,
  clock: Clock,
  pendingAt: number | undefined,
): Partial<Progress> {
  const state = stateOf(record, generation.status);
  return {
    state,
    status: generation.status,
    // A charge once stated remains when a later response omits it.
    costCents: generation.costCents ?? statedCents(record),
    contentUrl: generation.contentUrl ?? record.contentUrl,
    textOutput: generation.textOutput ?? record.textOutput,
    ...(state !== record.state && {
      retry: undefined,
      pendingAt: state === 'accepted' ? undefined : (pendingAt ?? record.pendingAt),
      endedAt: state === 'accepted' ? undefined : clock.now(),
      problem: isFailure(state) ? { code: 'serviceSays' as const, detail: generation.reason } : undefined,
    }),
  };
}

function stateOf(record: RenderRecord, status: string): RenderState {
  // Both count whenever they come, also after a failure.
  if (status === 'refunded' || status === 'succeeded') return status;
  if (record.state === 'failed' || status === 'failed') return 'failed';
  return status !== 'queued' && isStuck(record) ? 'unknown' : 'accepted';
}

/** True for a render whose unknown status lasts for so long that it's left to the user; see `Poller`. */
export function isStuck({ state, problem }: RenderRecord): boolean {
  return state === 'unknown' && problem?.code === 'oddStatus';
}

function isSuccess(state: RenderState): boolean {
  return state === 'succeeded' || state === 'saved';
}

/** True for a state, or a status of the service, of a render that failed. */
export function isFailure(state: string): boolean {
  return state === 'failed' || state === 'refunded';
}
