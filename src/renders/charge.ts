import type { Outline } from './outline';
import type { RenderState } from './record';

/** The known facts about the money of one render. */
export interface Charge<Known extends Outline = Outline> {
  readonly record: Known;
  /** When it was charged if that's known, else when it was sent; ms since 1970. */
  readonly at: number;
  /**
   * Euro cents charged: what the service said, or the quoted price where only the person confirmed the charge.
   * Undefined when neither did.
   */
  readonly cents: number | undefined;
  /** The service says that it refunded the charge. */
  readonly isRefunded: boolean;
  /** It's still being sent or rendered, so the charge may yet be stated. */
  readonly isUnderWay: boolean;
}

/** Undefined when the render wasn't sent, the service rejected it, or the person settled it as not charged. */
export function chargeOf<Known extends Outline>(record: Known): Charge<Known> | undefined {
  const { state, plannedAt, firstSentAt = plannedAt, acceptedAt = firstSentAt, costCents, shownCents } = record;
  if (state === 'planned' || state === 'refused' || state === 'discarded') return undefined;
  const settled = state === 'unknown' ? record.settled : undefined;
  if (settled?.charged === false) return undefined;
  const isUnderWay = state === 'sent' || state === 'accepted';
  const cents = costCents ?? (settled ? shownCents : undefined);
  return { record, at: acceptedAt, cents, isRefunded: state === 'refunded', isUnderWay };
}

/**
 * The amount that limits count a render for, euro cents: the most that it may have cost by all that is known. Until it
 * has ended, the larger of its quoted price and what the service states so far, which may be 0 while it's queued; then
 * the charge. Nothing where that is proven, or the person's word. Each further render that the service returned for
 * the same order counts as if it were in progress. A planned one counts as if it were sent: whether it is, the caller
 * knows.
 */
export function countedCents({ state, costCents, shownCents = 0, otherIds = [], settled }: Counted): number {
  if (state === 'unknown' && settled?.charged === false) return 0;
  const most = Math.max(costCents ?? 0, shownCents);
  const own = state !== 'planned' && isUncharged(state) ? 0 : hasEnded.has(state) ? (costCents ?? shownCents) : most;
  return own + otherIds.length * most;
}

/** The charge that the service has stated, euro cents. A 0 from before the end is none. */
export function statedCents({ state, costCents }: Pick<Outline, 'state' | 'costCents'>): number | undefined {
  return costCents === 0 && !hasEnded.has(state) ? undefined : costCents;
}

type Counted = Pick<Outline, 'state' | 'costCents' | 'shownCents' | 'otherIds' | 'settled'>;

/** The service's word on the charge of these is its last. */
const hasEnded: ReadonlySet<Outline['state']> = new Set(['succeeded', 'saved', 'failed']);

const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'refunded', 'discarded']);

/** Whether it's proven that a render in this state costs nothing, or no longer does. */
export function isUncharged(state: RenderState): boolean {
  return uncharged.has(state);
}
