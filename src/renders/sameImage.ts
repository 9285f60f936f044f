import { sameInputs } from './proof';
import type { Order, RenderRecord } from './record';

/**
 * True if this render of the same service, which has these URLs, has, or will have, the same image: its inputs are
 * identical.
 */
export function isMadeBy(
  { modelId, inputs }: Pick<Order, 'modelId' | 'inputs'>,
  places: ReadonlySet<string>,
  record: RenderRecord,
): boolean {
  const { state, file } = record;
  const isComing = state === 'sent' || state === 'accepted' || state === 'succeeded';
  // The user doesn't have a discarded image.
  if (!isComing && !(state === 'saved' && file !== undefined)) return false;
  // A record has only the beginning of large inputs.
  if (record.isApart || !places.has(record.place) || record.modelId !== modelId) return false;
  return sameInputs(record.inputs, inputs) && sameInputs(inputs, record.inputs);
}
