import type { Clock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import type { Session } from '../../catalog/session';

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * While the service does not answer, looks now and then whether it does again: the session says so to every view then.
 * The longer it is away the further apart; nothing is asked while nobody sees the window.
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
