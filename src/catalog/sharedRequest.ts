import { ServiceError } from './errors';

/** A request that several callers wait for. It's canceled when the last of them has left. */
export class SharedRequest<T> {
  private readonly ending = new AbortController();
  private readonly answer: Promise<T>;
  /** Resolves when it has ended, successfully or not. */
  readonly ended: Promise<unknown>;
  private waiting = 0;

  /** Calls `send` immediately. */
  constructor(send: (signal: AbortSignal) => Promise<T>) {
    this.answer = send(this.ending.signal);
    this.ended = this.answer.catch(() => undefined);
  }

  /** True once nobody waits anymore; then it can't be joined. */
  get isGivenUp(): boolean {
    return this.ending.signal.aborted;
  }

  /** Rejects as the request does; with ServiceError as soon as the signal says that this caller has left. */
  wait(signal?: AbortSignal): Promise<T> {
    this.waiting += 1;
    if (!signal) return this.answer;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting -= 1;
        if (this.waiting === 0) this.ending.abort(signal.reason);
        reject(cancelled(signal));
      };
      signal.addEventListener('abort', leave, { once: true });
      const done = () => signal.removeEventListener('abort', leave);
      void this.answer.then(resolve, reject).then(done);
    });
  }
}

/** The error for a caller that has left, with the reason of its signal. */
export function cancelled({ reason }: AbortSignal): ServiceError {
  return new ServiceError('cancelled', 'Canceled', { cause: reason });
}
