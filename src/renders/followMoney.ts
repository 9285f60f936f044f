import type { Disposable } from '../base/disposable';
import type { RenderChange, Library } from './library';
import type { Outline } from './outline';

/** Calls `moved` for every movement of money in a record of any window, after which an earlier balance is outdated. */
export function followMoney(library: Pick<Library, 'onDidMove'>, moved: () => void): Disposable {
  return library.onDidMove((change) => {
    if (hasMoved(change)) moved();
  });
}

/**
 * True for a charge, a changed charge, a failure (failures are refunded), and a stated refund; also when a render
 * becomes unconfirmed, and when the balance is too low, since it then differs from the known one.
 */
function hasMoved({ before, now }: RenderChange): boolean {
  return moneyOf(now) !== (before ? moneyOf(before) : unmoved);
}

/** Differs for everything that moves money. */
function moneyOf({ state, otherIds = [], costCents, problem }: Outline): string {
  const isTooLow = state === 'refused' && problem?.code === 'balanceTooLow';
  const phase = charged.has(state) ? 'charged' : told.has(state) || isTooLow ? state : '';
  return [phase, phase && costCents, otherIds.length].join();
}

const charged: ReadonlySet<Outline['state']> = new Set(['accepted', 'succeeded', 'saved']);
const told: ReadonlySet<Outline['state']> = new Set(['failed', 'refunded', 'unknown']);

/** The value for a render that moved nothing. */
const unmoved = ',,0';
