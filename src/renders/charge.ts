import type { Outline } from './outline';

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
