import type { Disposable } from '../base/disposable';
import type { Library } from './library';
import type { RenderRecord } from './record';

/** Calls once for every move of money that a record of this or another window tells of: a balance asked for before is an old one then. */
export function followMoney(library: Pick<Library, 'recorded' | 'onDidChange'>, moved: () => void): Disposable {
  let before = movesIn(library.recorded);
  return library.onDidChange(() => {
    const now = movesIn(library.recorded);
    if (now === before) return;
    before = now;
    moved();
  });
}

/**
 * Another text after each move: a charge, one otherwise stated than before, a failure, as what fails is refunded, and the refund when the service
 * says so; what nobody can tell any more; and that the balance is too low, as it is another than we know then.
 */
function movesIn(records: Iterable<RenderRecord>): string {
  const moves = { charges: 0, cents: 0, failed: 0, refunded: 0, unknown: 0, tooLow: 0 };
  for (const { state, generationId, otherIds = [], costCents = 0, problem } of records) {
    if (generationId !== undefined) moves.charges += 1 + otherIds.length;
    moves.cents += costCents;
    if (state === 'failed' || state === 'refunded' || state === 'unknown') moves[state] += 1;
    if (state === 'refused' && problem?.code === 'balanceTooLow') moves.tooLow += 1;
  }
  return JSON.stringify(moves);
}
