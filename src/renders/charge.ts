import type { RenderRecord } from './record';

/** What is known of the money of one render. */
export interface Charge {
  readonly record: RenderRecord;
  /** When it was charged as far as we know, else when it was sent; ms since 1970. */
  readonly at: number;
  /** Charged by the service's own word, euro cents; undefined while nobody said. */
  readonly cents: number | undefined;
  /** The service says it paid back what it charged. */
  readonly isRefunded: boolean;
  /** It is being sent or rendered: what is not known yet may still be said. */
  readonly isUnderWay: boolean;
}

/** Undefined for what was not sent, and for what the service refused: then nothing was charged. */
export function chargeOf(record: RenderRecord): Charge | undefined {
  const { state, plannedAt, firstSentAt = plannedAt, acceptedAt = firstSentAt, costCents } = record;
  if (state === 'planned' || state === 'refused' || state === 'discarded') return undefined;
  const isUnderWay = state === 'sent' || state === 'accepted';
  return { record, at: acceptedAt, cents: costCents, isRefunded: state === 'refunded', isUnderWay };
}
