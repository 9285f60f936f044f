import type { JsonObject } from '../base/json';
import type { Progress, RenderRecord, RenderState } from './record';

/** States in which a render is over and has nothing to recover. */
const ended: ReadonlySet<RenderState> = new Set(['saved', 'failed', 'refunded', 'refused', 'discarded']);

/** True for a render that ended and needs no decision, so that only its money still matters. */
export function isForgettable({ state, settled, staged, deleted, forgotten }: RenderRecord): boolean {
  if (forgotten || staged) return false;
  const isSettled = state === 'unknown' && settled !== undefined;
  const isGivenUp = state === 'succeeded' && deleted === true;
  return ended.has(state) || isSettled || isGivenUp;
}

/** What remains of a forgotten render: cost, time, place, and model. Neither inputs nor results. */
export function moneyLine(record: RenderRecord): { readonly decision: JsonObject; readonly progress: JsonObject } {
  const { modelId, shownCents, target, realRoot, by, plannedAt } = record;
  const decision = {
    modelId,
    inputs: {},
    shownCents,
    target: { root: target.root, folder: '', fileName: '' },
    realRoot,
    by,
    plannedAt,
  };
  const { unanswered, owner, firstSentAt, firstSentServiceTime, tries, generationId, otherIds, sharedWith } = record;
  const { matched, readBy, status, acceptedAt, costCents, endedAt, settled, deleted, hidden, problem } = record;
  const progress: Omit<Progress, 'state' | 'attempt'> = {
    ...{ unanswered, owner, firstSentAt, firstSentServiceTime, tries, generationId, otherIds, sharedWith },
    ...{ matched, readBy, status, acceptedAt, costCents, endedAt, settled, deleted, hidden, forgotten: true },
    problem: problem && { code: problem.code },
  };
  return JSON.parse(JSON.stringify({ decision, progress })) as { decision: JsonObject; progress: JsonObject };
}
