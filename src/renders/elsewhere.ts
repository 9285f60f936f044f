import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Library } from './library';
import type { PollerSettings } from './poller';

/** The longest pause between two requests, ms. */
const longestPauseMs = 60_000;

/**
 * Refreshes the service's list while it's visible and contains renders in progress that were started elsewhere: they
 * have no record to poll. The longer they take, the longer the pauses.
 */
export class Elsewhere implements Disposable {
  private readonly listening: Disposable;
  private next: Disposable | undefined;
  private seen = false;
  private awaited = '';
  /** When the current set of pending renders was first seen, in the clock's ticks. */
  private since = 0;

  constructor(
    private readonly library: Library,
    private readonly settings: PollerSettings,
    private readonly clock: Clock,
  ) {
    this.listening = library.onDidChange(() => this.plan());
  }

  /** Says whether the list is visible. */
  watch(seen: boolean): void {
    this.seen = seen;
    this.plan();
  }

  dispose(): void {
    this.seen = false;
    this.listening.dispose();
    this.next?.dispose();
  }

  private plan(): void {
    const awaited = this.underWay();
    if (awaited !== this.awaited) this.since = this.clock.ticks();
    this.awaited = awaited;
    if (!this.seen || awaited === '') {
      this.next?.dispose();
      this.next = undefined;
    } else {
      this.next ??= this.clock.after(this.pause(), () => {
        this.next = undefined;
        void this.library.refresh();
      });
    }
  }

  private underWay(): string {
    const ids = this.library.entries.filter(({ group, record }) => group === 'active' && !record).map(({ id }) => id);
    return ids.sort().join(' ');
  }

  /** A tenth of the time waited so far. */
  private pause(): number {
    const waited = this.clock.ticks() - this.since;
    return Math.min(Math.max(waited / 10, this.settings.pollIntervalMs()), longestPauseMs);
  }
}
