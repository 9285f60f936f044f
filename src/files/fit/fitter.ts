import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock';
import { displayedSize } from '../imageSize';
import type { FileType } from '../sniff';
import { fitPlan, mostPixels, type FileFit, type FitFormat } from './fit';
import type { FitTask } from './program';

/** A fitted image. */
export interface FittedImage extends FileType {
  readonly bytes: Uint8Array;
}

/** How long an image may take, ms. A large one takes some seconds on a slow machine. */
const patience = 30_000;

const types: Readonly<Record<FitFormat, FileType>> = {
  png: { mediaType: 'image/png', extension: 'png' },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg' },
  webp: { mediaType: 'image/webp', extension: 'webp' },
};

/**
 * Fits images to sizes and formats: the same image and fit always give the same bytes. Each image has a thread of its
 * own, so that a damaged one can neither hold up the host nor end it; one at a time, since each needs much memory.
 */
export class Fitter {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    /** The path of `dist/fit.mjs`. */
    private readonly program: string,
    private readonly clock: Clock,
  ) {}

  /**
   * The fitted image; undefined if it fits as it is. Rejects when its format can't be read, it's damaged or too large,
   * or takes too long.
   */
  async fit(bytes: Uint8Array, mediaType: string, fit: FileFit): Promise<FittedImage | undefined> {
    const from = (Object.keys(types) as FitFormat[]).find((format) => types[format].mediaType === mediaType);
    const size = from && displayedSize(bytes);
    if (!from || !size) throw new Error(`it’s ${mediaType}, or damaged`);
    const plan = size.width * size.height <= mostPixels ? fitPlan(size, fit) : undefined;
    if (!plan) throw new Error(`it has ${size.width} × ${size.height} pixels`);
    const to = fit.format ?? from;
    const isThatSize = plan.canvas.width === size.width && plan.canvas.height === size.height;
    if (isThatSize && to === from) return undefined;
    const fitted = this.last.then(() => this.inThread({ bytes: new Uint8Array(bytes), from, to, plan }));
    // A failure doesn't affect the next image.
    this.last = fitted.catch(() => undefined);
    return { ...types[to], bytes: await fitted };
  }

  private inThread(workerData: FitTask): Promise<Uint8Array> {
    const resourceLimits = { maxOldGenerationSizeMb: 256 };
    const thread = new Worker(this.program, { workerData, env: {}, execArgv: [], resourceLimits });
    return new Promise<Uint8Array>((resolve, reject) => {
      const late = this.clock.after(patience, () => reject(new Error(`it takes longer than ${patience} ms`)));
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', () => {
        late.dispose();
        reject(new Error('the thread ended without a result'));
      });
    }).finally(() => void thread.terminate());
  }
}
