import type { Clock } from '../../../base/clock';
import { type Disposable, Emitter } from '../../../base/disposable';
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

/** Counts the seconds down while the service asks for a pause: one clock for every view. Sends no requests. */
export class Countdown implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Fires every second, and at the end of the wait. */
  readonly onDidChange = this.changed.event;
  private readonly listening: Disposable;
  private next: Disposable | undefined;
  private until: number | undefined;

  constructor(
    session: Pick<Session, 'state' | 'onDidChange'>,
    private readonly clock: Clock,
  ) {
    this.until = session.state.quietUntil;
    this.listening = session.onDidChange(({ quietUntil }) => {
      if (quietUntil === this.until) return;
      this.until = quietUntil;
      this.beat();
    });
  }

  /** Whole seconds left; undefined without a wait. */
  get seconds(): number | undefined {
    return this.until === undefined ? undefined : Math.max(0, Math.ceil((this.until - this.clock.now()) / 1000));
  }

  dispose(): void {
    this.listening.dispose();
    this.next?.dispose();
    this.changed.dispose();
  }

  private beat(): void {
    this.next?.dispose();
    this.next = this.until === undefined ? undefined : this.clock.after(1000, () => this.beat());
    this.changed.fire();
  }
}
