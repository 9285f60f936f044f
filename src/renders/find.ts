import { wait, type Clock } from '../base/clock';
import type { Ledger, Whereabouts } from './ledger';
import type { RenderRecord } from './record';

/** Rows examined at a time, which takes a few ms. */
const mostLookedAt = 1000;

/**
 * The records whose result is, or was, at a place that `isWanted` accepts, newest first. A long history is searched in
 * pieces, so as not to block other work. Rejects with LedgerError.
 */
export async function find(
  ledger: Ledger,
  clock: Clock,
  isWanted: (result: Whereabouts) => boolean,
): Promise<RenderRecord[]> {
  const found: RenderRecord[] = [];
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const results = ledger.whereabouts(below, mostLookedAt);
    for (const result of results) if (isWanted(result)) found.push(...[ledger.get(result.key) ?? []].flat());
    const last = results.at(-1);
    if (!last || results.length < mostLookedAt) return found;
    below = last.index;
    await wait(clock, 0);
  }
}
