import type { OrderedBy, RenderRecord } from './record';

/** Who ordered a render, as far as it is recorded. */
export type Orderer = OrderedBy | 'elsewhere' | 'notRecorded';

/** One that was taken up from the service's list was ordered by somebody else. */
export function ordererOf({ by, attempt, acceptedAt }: Pick<RenderRecord, 'by' | 'attempt' | 'acceptedAt'>): Orderer {
  if (by !== undefined) return by;
  return attempt === 0 && acceptedAt !== undefined ? 'elsewhere' : 'notRecorded';
}
