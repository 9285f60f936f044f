import type { OrderedBy, RenderRecord } from './record';

/** Who ordered a render, as far as recorded. */
export type Orderer = OrderedBy | 'elsewhere' | 'notRecorded';

/** A render adopted from the service's list was ordered by someone else. */
export function ordererOf({ by, attempt, acceptedAt }: Pick<RenderRecord, 'by' | 'attempt' | 'acceptedAt'>): Orderer {
  if (by !== undefined) return by;
  return attempt === 0 && acceptedAt !== undefined ? 'elsewhere' : 'notRecorded';
}
