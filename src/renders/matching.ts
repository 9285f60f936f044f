import { isDeepStrictEqual } from 'node:util';
import type { Generation } from '../catalog/types';
import type { RenderRecord } from './record';
import { repeatWindowMs } from './repeating';

/** Tolerated difference between the service's clock and ours, ms. */
const slackMs = 60_000;

/**
 * The listed generations that can be this record's: same model, same inputs, created while its attempts ran. Anything
 * the list doesn't state can't match: nothing is adopted on a guess.
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

/** The service may add defaults of omitted fields: every input that was sent must be there with its value. */
export function sameInputs(sent: RenderRecord['inputs'], listed: RenderRecord['inputs']): boolean {
  return Object.keys(sent).every((name) => isDeepStrictEqual(sent[name], listed[name]));
}
