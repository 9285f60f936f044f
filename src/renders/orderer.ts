import type { OrderedBy, RenderRecord } from './record';

/** Who ordered a render, as far as it is recorded. */
export type Orderer = OrderedBy | 'elsewhere' | 'notRecorded';

/** One that was taken up from the service's list was ordered by somebody else. */
export function ordererOf({
  by,
  attempt,
  generationId,
}: Pick<RenderRecord, 'by' | 'attempt' | 'generationId'>): Orderer {
  if (by !== undefined) return by;
  return attempt === 0 && generationId !== undefined ? 'elsewhere' : 'notRecorded';
}
