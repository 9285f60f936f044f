import type { Disposable } from '../../../base/disposable';
import type { Session, SessionState } from '../../../catalog/session';

/** How to report trouble with the key. */
export interface KeyTrouble {
  readonly tellRefused: (state: SessionState) => Promise<void>;
  readonly tellUnreadable: (state: SessionState) => Promise<void>;
}

/** Reports once, each time it happens, that the key was rejected or can't be read. Paid work has paused by then. */
export function noticeKeys(session: Session, trouble: () => Promise<KeyTrouble>): Disposable {
  let before = session.state.status;
  return session.onDidChange((state) => {
    const now = state.status;
    if (now === 'keyRefused' && before !== 'keyRefused') void trouble().then(({ tellRefused }) => tellRefused(state));
    const isUnreadable = now === 'unusable' && before !== 'unusable' && state.place?.sandbox === false;
    if (isUnreadable) void trouble().then(({ tellUnreadable }) => tellUnreadable(state));
    before = now;
  });
}
