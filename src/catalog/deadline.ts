import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { ServiceError } from './errors';

/** A signal that fires when the caller cancels or the time is up, with a ServiceError as its reason. */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: Disposable;

  /** `ms` from now; `caller` is the caller's signal. */
  constructor(
    clock: Clock,
    ms: number,
    private readonly caller?: AbortSignal,
  ) {
    this.timer = clock.after(ms, () => {
      this.controller.abort(
        new ServiceError('noAnswer', `No response within ${ms / 1000} s`, { systemCode: 'ETIMEDOUT' }),
      );
    });
    if (caller?.aborted) this.cancel();
    caller?.addEventListener('abort', this.cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the time limit; the caller may still cancel. */
  lift(): void {
    this.timer.dispose();
  }

  dispose(): void {
    this.timer.dispose();
    this.caller?.removeEventListener('abort', this.cancel);
  }

  private readonly cancel = (): void => {
    this.controller.abort(new ServiceError('cancelled', 'Canceled', { cause: this.caller?.reason }));
  };
}
