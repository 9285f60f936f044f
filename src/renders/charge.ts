import type { Outline } from './outline';

/** What is known of the money of one render. */
export interface Charge<Known extends Outline = Outline> {
  readonly record: Known;
  /** When it was charged as far as we know, else when it was sent; ms since 1970. */
  readonly at: number;
  /**
   * Charged by the service's own word, euro cents; by a person's word the price that was shown, where the service gave
   * none. Undefined while nobody said.
   */
  readonly cents: number | undefined;
  /** The service says it paid back what it charged. */
  readonly isRefunded: boolean;
  /** It is being sent or rendered: what is not known yet may still be said. */
  readonly isUnderWay: boolean;
}

/** Undefined for what was not sent, what the service refused, and what a person found not to be charged. */
export function chargeOf<Known extends Outline>(record: Known): Charge<Known> | undefined {
  const { state, plannedAt, firstSentAt = plannedAt, acceptedAt = firstSentAt, costCents, shownCents } = record;
  if (state === 'planned' || state === 'refused' || state === 'discarded') return undefined;
  const settled = state === 'unknown' ? record.settled : undefined;
  if (settled?.charged === false) return undefined;
  const isUnderWay = state === 'sent' || state === 'accepted';
  const cents = costCents ?? (settled ? shownCents : undefined);
  return { record, at: acceptedAt, cents, isRefunded: state === 'refunded', isUnderWay };
}
