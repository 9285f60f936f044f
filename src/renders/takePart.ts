import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Library } from './library';
import type { WindowLease } from './windowLease';

/**
 * Takes part in the renders of all windows: this one is seen alive while some of its own are under way, and with every
 * change looks whether there is something to go on with.
 */
export function takePart(library: Library, lease: WindowLease, log: Log, goOn: () => void): Disposable {
  const look = () => {
    try {
      lease.stayAlive(library.ownsOpen);
    } catch (error) {
      // On a full disk others may tell of our renders as well: told twice is better than not at all.
      log.warn(`Couldn’t let the other windows know that this one is open: ${reasonOf(error)}`);
    }
    goOn();
  };
  look();
  return library.onDidChange(look);
}
