import { isDeepStrictEqual } from 'node:util';
import type { Generation } from '../catalog/types';
import { isSameImage } from '../files/recordedImages';
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
  return listed.filter((generation) => isSame(record, generation) && isCreatedSince(from, generation));
}

/**
 * The listed generations that can't be ruled out as this record's. Only the service's own clock rules one out: the
 * machine's may have been set since another record was sent.
 */
export function possibleMatchesOf(record: RenderRecord, listed: readonly Generation[]): Generation[] {
  const from = record.firstSentServiceTime;
  return listed.filter(
    (generation) => isSame(record, generation) && (from === undefined || isCreatedSince(from, generation)),
  );
}

function isSame(record: RenderRecord, { modelId, inputs }: Generation): boolean {
  return modelId === record.modelId && inputs !== undefined && sameInputs(record.inputs, inputs);
}

function isCreatedSince(from: number, { createdAt }: Generation): boolean {
  return createdAt !== undefined && createdAt >= from - slackMs && createdAt <= from + repeatWindowMs + slackMs;
}

/** The service may add defaults of omitted fields: every input that was sent must be there with its value. */
export function sameInputs(sent: RenderRecord['inputs'], listed: RenderRecord['inputs']): boolean {
  return Object.keys(sent).every(
    (name) => isDeepStrictEqual(sent[name], listed[name]) || isSameImage(sent[name], listed[name]),
  );
}
