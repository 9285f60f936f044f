import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { Library } from './library';
import type { WindowLease } from './windowLease';

/**
 * Makes this window one of all that share the renders: shows it as alive while its own are in progress, and checks
 * after every change for something to continue.
 */
export function takePart(library: Library, lease: WindowLease, log: Log, goOn: () => void): Disposable {
  const look = () => {
    try {
      lease.stayAlive(library.ownsOpen);
    } catch (error) {
      // On a full disk other windows may report our renders too: twice is better than never.
      log.warn(`Couldn’t tell other windows that this one is open: ${reasonOf(error)}`);
    }
    goOn();
  };
  look();
  return library.onDidChange(look);
}
