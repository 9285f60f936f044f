import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { ImageLink } from '../../documents/imageLink';
import { imageLinks } from '../../documents/imageLinks';
import type { Syntax } from '../../documents/syntax';

/** Longer documents are not read, UTF-16 code units. */
export const longestDocument = 2_000_000;

/**
 * Longer ones are read beside the host's own thread, which all extensions share: so many UTF-16 code units never hold
 * it for 50 ms.
 */
const longestHere = 40_000;
/** Reading beside it is given up after so long, ms. */
const patience = 10_000;
/** Of more images in one document nothing is offered. */
const mostLinks = 2000;

/** Reads which images documents name. What a stranger wrote can take long, and holds up nobody. */
export class LinkReader {
  constructor(
    /** The path of `dist/documents.js`. */
    private readonly program: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * The images of a text, the first ones of very many. None, and a line in the log that calls it `name`, where it is
   * too large or takes too long.
   */
  async read(text: string, syntax: Syntax, name: string): Promise<readonly ImageLink[]> {
    if (text.length > longestDocument) {
      this.log.warn(`${name} is too large to search for images: ${text.length} characters`);
      return [];
    }
    try {
      const links = text.length > longestHere ? await this.beside(text, syntax) : imageLinks(text, syntax);
      if (links.length > mostLinks)
        this.log.warn(`${name} links to ${links.length} images; only the first ${mostLinks} are checked`);
      return links.slice(0, mostLinks);
    } catch (error) {
      this.log.warn(`Couldn’t search ${name} for images: ${reasonOf(error)}`);
      return [];
    }
  }

  private beside(text: string, syntax: Syntax): Promise<readonly ImageLink[]> {
    const resourceLimits = { maxOldGenerationSizeMb: 256 };
    const thread = new Worker(this.program, { workerData: { text, syntax }, env: {}, execArgv: [], resourceLimits });
    return new Promise<readonly ImageLink[]>((resolve, reject) => {
      const late = this.clock.after(patience, () => reject(new Error(`reading it takes longer than ${patience} ms`)));
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', () => {
        late.dispose();
        reject(new Error('reading it ended without a result'));
      });
    }).finally(() => void thread.terminate());
  }
}
