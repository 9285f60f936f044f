import { sameInputs } from './matching';
import type { Order, RenderRecord } from './record';

/** True when a render at this service has made, or is making, of the very same inputs what the order is for. */
export function isMadeBy(
  { modelId, inputs }: Pick<Order, 'modelId' | 'inputs'>,
  place: string,
  record: RenderRecord,
): boolean {
  const { state, file } = record;
  const isComing = state === 'sent' || state === 'accepted' || state === 'succeeded';
  // What was discarded is no image that the person has.
  if (!isComing && !(state === 'saved' && file !== undefined)) return false;
  // Of large inputs a record has the beginnings only, which say nothing of the rest.
  if (record.isApart || record.place !== place || record.modelId !== modelId) return false;
  return sameInputs(record.inputs, inputs) && sameInputs(inputs, record.inputs);
}
