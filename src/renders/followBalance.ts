import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Balance, Session } from '../catalog/session';
import type { AccountInUse } from './connected';
import type { Ledger } from './ledger';

/** Keeps every balance the service states with the ledger, so that its course can be held against the renders there. */
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
      // The next one is kept when it can be: fewer of them say less, and nothing wrong.
      log.warn(`Couldn’t save the balance: ${reasonOf(error)}`);
    }
  };
  look();
  return session.onDidChange(look);
}
