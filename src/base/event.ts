import type { Disposable } from './disposable';
import { reasonOf } from './errors';
import type { Log } from './log';

/** Has the shape of the editor's events, so that the core's events can be used as such. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** Fires to its listeners in the order they were added, even if one of them throws. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that the same function can be added twice and removed once.
    const own = (value: T) => listener(value);
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Listeners failed');
  }

  /** Fires without ever throwing: the event has happened, whoever fails to handle it. */
  announce(value: T, log: Log): void {
    try {
      this.fire(value);
    } catch (error) {
      log.error(`Event listener failed: ${reasonOf(error)}`);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
