import type { Clock } from '../../../src/base/clock';
import type { Disposable } from '../../../src/base/disposable';

interface Timer {
  readonly due: number;
  readonly call: () => void;
  timeout?: NodeJS.Timeout;
}

/** The machine's clock, sped up: tests the real deadlines without waiting for them. */
export class FastClock implements Clock {
  private readonly began = Date.now();
  private readonly timers = new Set<Timer>();
  private since = performance.now();
  private before = 0;

  constructor(private times: number) {}

  now(): number {
    return Math.round(this.began + this.ticks());
  }

  ticks(): number {
    return this.before + (performance.now() - this.since) * this.times;
  }

  after(ms: number, call: () => void): Disposable {
    const timer: Timer = { due: this.ticks() + ms, call };
    this.timers.add(timer);
    this.arm(timer);
    return {
      dispose: () => {
        this.timers.delete(timer);
        clearTimeout(timer.timeout);
      },
    };
  }

  /** Jumps ahead by this time, ms, then runs this many times as fast as the machine's. */
  leap(ms: number, times: number): void {
    this.before = this.ticks() + ms;
    this.since = performance.now();
    this.times = times;
    for (const timer of this.timers) this.arm(timer);
  }

  private arm(timer: Timer): void {
    clearTimeout(timer.timeout);
    timer.timeout = setTimeout(
      () => {
        this.timers.delete(timer);
        timer.call();
      },
      Math.max(0, timer.due - this.ticks()) / this.times,
    );
  }
}
