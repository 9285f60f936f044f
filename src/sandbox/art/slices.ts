/** The longest work without a pause, ms: shorter than a frame. */
const stretch = 10;

/** Slices long work, so that whatever shares the thread stays responsive. */
export class Slices {
  private last = performance.now();

  /** Once aborted, the next pause rejects with its reason. */
  constructor(private readonly signal?: AbortSignal) {}

  /** Whether it's time to await `pause()`. */
  get due(): boolean {
    return performance.now() - this.last > stretch;
  }

  /** Lets everything else run. */
  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
