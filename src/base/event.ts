import type { Disposable } from './disposable';
import { reasonOf } from './errors';
import type { Log } from './log';

/** The editor's own event shape, so that an event of the core can be used wherever the editor takes one. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** Fires to its listeners in the order they came. A listener that throws does not keep the others from hearing. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that the same function may listen twice and be let go once.
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
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'listeners failed');
  }

  /** Fires, and never throws: what has happened has happened, whoever fails to hear it. */
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
