import { wait, type Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import type { Ledger } from './ledger';
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
  const { matched, readBy, status, acceptedAt, costCents, endedAt, settled, deleted, problem } = record;
  const progress: Omit<Progress, 'state' | 'attempt'> = {
    ...{ unanswered, owner, firstSentAt, firstSentServiceTime, tries, generationId, otherIds, sharedWith },
    ...{ matched, readBy, status, acceptedAt, costCents, endedAt, settled, deleted, forgotten: true },
    problem: problem && { code: problem.code },
  };
  return JSON.parse(JSON.stringify({ decision, progress })) as { decision: JsonObject; progress: JsonObject };
}

/**
 * Forgets the renders with these keys where allowed, and removes their traces from the ledger's files. Calls `each`
 * before each one. Works in small steps. Resolves with their number; rejects with LedgerError.
 */
export async function forget(
  ledger: Ledger,
  clock: Clock,
  keys: readonly string[],
  each: (record: RenderRecord) => Promise<void>,
): Promise<number> {
  let forgotten = 0;
  for (const key of keys) {
    const record = ledger.get(key);
    if (!record || !isForgettable(record)) continue;
    await each({ ...record, inputs: inputsOf(record, ledger) });
    if (ledger.forget(record)) forgotten += 1;
    await wait(clock, 0);
  }
  await ledger.scrub();
  return forgotten;
}

/** The full inputs, or what is left of them. */
function inputsOf(record: RenderRecord, ledger: Ledger): JsonObject {
  try {
    return ledger.inputsOf(record);
  } catch {
    return record.inputs;
  }
}
