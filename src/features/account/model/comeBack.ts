import type { Clock } from '../../../base/clock';
import { Owned, type Disposable } from '../../../base/disposable';
import type { Session } from '../../../catalog/session';

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * While the service isn't responding, checks now and then whether it's back; the session then informs every view. The
 * longer it's away, the longer the pauses; a window that isn't visible checks nothing.
 */
export function lookForService(
  session: Pick<Session, 'state' | 'onDidChange' | 'refreshBalance'>,
  clock: Clock,
  isSeen: () => boolean,
): Disposable {
  const own = new Owned();
  let next: Disposable | undefined;
  let pause = firstPauseMs;
  let isLooking = false;
  let gone = false;
  const look = async () => {
    next = undefined;
    isLooking = true;
    if (isSeen()) await session.refreshBalance();
    isLooking = false;
    pause = Math.min(pause * 2, longestPauseMs);
    plan();
  };
  const plan = () => {
    if (gone || isLooking) return;
    if (session.state.status === 'offline') {
      next ??= clock.after(pause, () => void look());
      return;
    }
    next?.dispose();
    next = undefined;
    pause = firstPauseMs;
  };
  own.add(session.onDidChange(plan));
  own.add({
    dispose: () => {
      gone = true;
      next?.dispose();
    },
  });
  plan();
  return own;
}
