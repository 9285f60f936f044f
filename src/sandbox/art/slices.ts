/** The longest stretch of work without a pause, ms: shorter than a frame. */
const stretch = 10;

/** Cuts long work into slices, so that the process it shares a thread with stays responsive. */
export class Slices {
  private last = performance.now();

  /** When aborted, the next pause rejects with its reason. */
  constructor(private readonly signal?: AbortSignal) {}

  /** True when it is time to await `pause()`. */
  get due(): boolean {
    return performance.now() - this.last > stretch;
  }

  /** Lets everything else have its turn. */
  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
