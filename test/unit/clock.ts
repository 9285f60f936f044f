import type { Clock } from '../../src/base/clock';
import type { Disposable } from '../../src/base/disposable';

interface Timer {
  readonly due: number;
  readonly call: () => void;
}

/** Simulated time, which passes only when a test says so. */
export class TestClock implements Clock {
  private elapsed = 0;
  private readonly timers = new Set<Timer>();

  /** `nowMs`: the initial value of `now()`, ms since 1970. */
  constructor(private nowMs: number = Date.UTC(2026, 0, 2, 3, 4, 5)) {}

  now(): number {
    return this.nowMs;
  }

  ticks(): number {
    return this.elapsed;
  }

  after(ms: number, call: () => void): Disposable {
    const timer = { due: this.elapsed + Math.max(0, ms), call };
    this.timers.add(timer);
    return { dispose: () => void this.timers.delete(timer) };
  }

  /** How many calls are pending; 0 shows that nothing was left running. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Advances by `ms`: calls what is due, in order, and lets promises settle before, in between, and after. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settled();
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.moveTo(timer.due);
      this.timers.delete(timer);
      timer.call();
      await settled();
    }
    this.moveTo(end);
  }

  /** Sets the machine's clock to `nowMs`; no time passes, so no timer fires. */
  set(nowMs: number): void {
    this.nowMs = nowMs;
  }

  private next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.due <= end && (!first || timer.due < first.due)) first = timer;
    }
    return first;
  }

  private moveTo(elapsed: number): void {
    // A timer's own call may have advanced time already.
    const passed = Math.max(0, elapsed - this.elapsed);
    this.elapsed += passed;
    this.nowMs += passed;
  }
}

/** Resolves when all promises that can settle without time or input have done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
