import type { RenderRecord, RenderState } from './record';

/**
 * The amount that limits count a render for, euro cents: the most that it may have cost by all that is known. Until it
 * has ended, the larger of its quoted price and what the service states so far, which may be 0 while it's queued; then
 * the charge. Nothing where that is proven, or the user's word. Each further render that the service returned for
 * the same order counts as if it were in progress. A planned one counts as if it were sent: whether it is, the caller
 * knows.
 */
export function countedCents({
  state,
  costCents,
  shownCents = 0,
  otherIds: { length: others } = [],
  settled,
}: Counted): number {
  if (state === 'unknown' && settled?.charged === false) return 0;
  const most = Math.max(costCents ?? 0, shownCents);
  const own = state !== 'planned' && isUncharged(state) ? 0 : hasEnded.has(state) ? (costCents ?? shownCents) : most;
  return own + others * most;
}

/** The charge that the service has stated, euro cents. A 0 from before the end is none. */
export function statedCents({ state, costCents }: RenderRecord): number | undefined {
  return costCents === 0 && !hasEnded.has(state) ? undefined : costCents;
}

/** What limits need of a render. */
export interface Counted {
  readonly state: RenderState;
  readonly costCents?: number;
  readonly shownCents?: number;
  readonly otherIds?: { readonly length: number };
  readonly settled?: { readonly charged: boolean };
}

/** The service's word on the charge of these is its last. */
const hasEnded: ReadonlySet<RenderState> = new Set(['succeeded', 'saved', 'failed']);

const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'refunded', 'discarded']);

/** Whether it's proven that a render in this state costs nothing, or no longer does. */
export function isUncharged(state: RenderState): boolean {
  return uncharged.has(state);
}
