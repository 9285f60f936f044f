import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { Balance, Session } from '../catalog/session';
import type { Ledger } from './ledger';
import type { Library, RenderChange } from './library';
import type { AccountInUse, RenderRecord, RenderState } from './record';

/** Calls `moved` for every movement of money in a record of any window, after which an earlier balance is outdated. */
export function followMoney(library: Library, moved: () => void): Disposable {
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
function moneyOf({ state, otherIds = [], costCents, problem }: RenderRecord): string {
  const isTooLow = state === 'refused' && problem?.code === 'balanceTooLow';
  const phase = charged.has(state) ? 'charged' : reported.has(state) || isTooLow ? state : '';
  return [phase, phase && costCents, otherIds.length].join();
}

const charged: ReadonlySet<RenderState> = new Set(['accepted', 'succeeded', 'saved']);

const reported: ReadonlySet<RenderState> = new Set(['failed', 'refunded', 'unknown']);

/** The value for a render that moved nothing. */
const unmoved = ',,0';

/** Stores every balance that the service states in the ledger, to compare its course with the renders there. */
export function followBalance(
  session: Pick<Session, 'state' | 'onDidChange'>,
  connection: AccountInUse,
  ledger: Pick<Ledger, 'see' | 'readOnly'>,
  log: Log,
): Disposable {
  let kept: Balance | undefined;
  const look = () => {
    const { status, balance } = session.state;
    const connected = connection();
    if (status !== 'connected' || !balance || balance === kept || !connected || ledger.readOnly) return;
    kept = balance;
    const { cents, at, askedAt = at } = balance;
    try {
      ledger.see(connected.place, connected.client.account, { askedAt, at, cents });
    } catch (error) {
      // Later ones are stored when possible: fewer balances show less, but nothing wrong.
      log.warn(`Couldn’t save the balance: ${reasonOf(error)}`);
    }
  };
  look();
  return session.onDidChange(look);
}
