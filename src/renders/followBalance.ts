import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Balance, Session } from '../catalog/session';
import type { AccountInUse } from './connected';
import type { Ledger } from './ledger';

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
