import { isDeepStrictEqual } from 'node:util';
import type { Generation } from '../catalog/types';
import type { RenderRecord } from './record';
import { repeatWindowMs } from './repeating';

/** How far the service's clock and its own times may differ, ms. */
const slackMs = 60_000;

/**
 * The generations at the service that can be this record's: same model, same inputs, begun in the time its attempts
 * took. What a list does not state cannot match: nothing is adopted on a guess.
 */
export function matchesOf(record: RenderRecord, listed: readonly Generation[]): Generation[] {
  const from = record.firstSentServiceTime ?? record.firstSentAt ?? record.plannedAt;
  return listed.filter(
    ({ modelId, inputs, createdAt }) =>
      modelId === record.modelId &&
      inputs !== undefined &&
      createdAt !== undefined &&
      createdAt >= from - slackMs &&
      createdAt <= from + repeatWindowMs + slackMs &&
      sameInputs(record.inputs, inputs),
  );
}

/** The service may list the defaults of the fields that were left out: what was sent must be there, with its value. */
export function sameInputs(sent: RenderRecord['inputs'], listed: RenderRecord['inputs']): boolean {
  return Object.keys(sent).every((name) => isDeepStrictEqual(sent[name], listed[name]));
}
