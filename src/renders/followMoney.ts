import type { Disposable } from '../base/disposable';
import type { RenderChange, Library } from './library';
import type { Outline } from './outline';

/**
 * Calls once for every move of money that a record of this or another window tells of: a balance asked for before is an
 * old one then.
 */
export function followMoney(library: Pick<Library, 'onDidMove'>, moved: () => void): Disposable {
  return library.onDidMove((change) => {
    if (hasMoved(change)) moved();
  });
}

/**
 * True for a charge, one otherwise stated than before, a failure, as what fails is refunded, and the refund when the
 * service says so; for what nobody can tell any more; and when the balance is too low, as it is another than we know
 * then.
 */
function hasMoved({ before, now }: RenderChange): boolean {
  return moneyOf(now) !== (before ? moneyOf(before) : unmoved);
}

/** Another text for each thing that moves money. */
function moneyOf({ state, otherIds = [], costCents, problem }: Outline): string {
  const isTooLow = state === 'refused' && problem?.code === 'balanceTooLow';
  const phase = charged.has(state) ? 'charged' : told.has(state) || isTooLow ? state : '';
  return [phase, phase && costCents, otherIds.length].join();
}

const charged: ReadonlySet<Outline['state']> = new Set(['accepted', 'succeeded', 'saved']);
const told: ReadonlySet<Outline['state']> = new Set(['failed', 'refunded', 'unknown']);

/** What a render says that has not moved anything. */
const unmoved = ',,0';
