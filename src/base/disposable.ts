/** What begins and ends: things to dispose of, events to listen to, and values made on first use. */

import { type Log, reasonOf } from './log';

/** Something that must be disposed of. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns disposables and disposes of them in reverse order, even if one of them throws. */
export class Disposables implements Disposable {
  private readonly things: Disposable[] = [];
  private gone = false;

  /** Takes ownership and returns the same object. After `dispose`, it's disposed of at once. */
  add<T extends Disposable>(thing: T): T {
    if (this.gone) thing.dispose();
    else this.things.push(thing);
    return thing;
  }

  dispose(): void {
    this.gone = true;
    const errors: unknown[] = [];
    for (const thing of this.things.splice(0).reverse()) {
      try {
        thing.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Disposal failed');
  }
}

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

/** A value created on first use and then shared. A failure reaches everyone waiting, and the next use tries again. */
export class Lazy<T> {
  private making: Promise<T> | undefined;
  private made: T | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.making ??= this.make().then(
      (made) => (this.made = made),
      (error: unknown) => {
        this.making = undefined;
        throw error;
      },
    );
    return this.making;
  }

  /** The value once it exists; undefined before. */
  get ready(): T | undefined {
    return this.made;
  }
}
