import type { Disposable } from '../../base/disposable';
import type { Session } from '../../catalog/session';

/** Says once that the key is refused or cannot be read, each time it comes to be; paid work has paused by then. */
export function noticeKeys(session: Session): Disposable {
  const trouble = () => import('./keyTrouble');
  let before = session.state.status;
  return session.onDidChange((state) => {
    const now = state.status;
    if (now === 'keyRefused' && before !== 'keyRefused') void trouble().then(({ tellRefused }) => tellRefused(state));
    const isUnreadable = now === 'unusable' && before !== 'unusable' && state.place?.sandbox === false;
    if (isUnreadable) void trouble().then(({ tellUnreadable }) => tellUnreadable(state));
    before = now;
  });
}
