import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../base/clock';
import { type Log, reasonOf, warnOnce } from '../../../base/log';
import { imageLinks } from '../../../documents/imageLinks';
import type { ImageLink } from '../../../documents/link';
import type { FileSyntax } from '../../../documents/syntax';

/** Longer documents aren't searched, UTF-16 code units. */
export const longestDocument = 2_000_000;
/** Most of a notebook is outputs, which aren't searched. */
const longestNotebook = 4 * longestDocument;

/**
 * Longer documents are parsed outside the host's thread, which all extensions share. Up to this many UTF-16 code units
 * never block it for 50 ms.
 */
const longestHere = 40_000;
/** How long parsing in a thread may take, ms. */
const patience = 10_000;
/** How many documents are parsed in threads at once: each may need much memory. */
const mostThreads = 4;
/** The most images handled per document. */
const mostLinks = 2000;

/** The images that a document names. */
export interface ReadLinks {
  readonly links: readonly ImageLink[];
  /** False when it is too large to find all of them. */
  readonly isWhole: boolean;
}

/** Finds the images that documents name. A stranger's text can take long to parse, so that must not block anything. */
export class LinkReader {
  /** The queues for threads. In each, documents are parsed one after another. */
  private readonly lines: Promise<unknown>[] = [];
  private next = 0;

  constructor(
    /** The path of `dist/documents.js`. */
    private readonly program: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * The images of a text, up to a limit. None, with a line in the log that calls it `name`, when it is too large or
   * takes too long. Never rejects.
   */
  async read(text: string, syntax: FileSyntax, name: string): Promise<ReadLinks> {
    const longest = syntax === 'notebook' ? longestNotebook : longestDocument;
    if (text.length > longest) {
      warnOnce(this.log, `${name} is too large to search for images: more than ${longest} characters`);
      return { links: [], isWhole: false };
    }
    try {
      const links = text.length > longestHere ? await this.beside(text, syntax) : imageLinks(text, syntax);
      const isWhole = links.length <= mostLinks;
      if (!isWhole) warnOnce(this.log, `${name} links to too many images; only the first ${mostLinks} are checked`);
      return { links: links.slice(0, mostLinks), isWhole };
    } catch (error) {
      warnOnce(this.log, `Couldn’t search ${name} for images: ${reasonOf(error)}`);
      return { links: [], isWhole: false };
    }
  }

  private beside(text: string, syntax: FileSyntax): Promise<readonly ImageLink[]> {
    const line = this.next++ % mostThreads;
    const parsed = (this.lines[line] ?? Promise.resolve()).then(() => this.inThread(text, syntax));
    this.lines[line] = parsed.catch(() => undefined);
    return parsed;
  }

  private inThread(text: string, syntax: FileSyntax): Promise<readonly ImageLink[]> {
    const resourceLimits = { maxOldGenerationSizeMb: 256 };
    const thread = new Worker(this.program, { workerData: { text, syntax }, env: {}, execArgv: [], resourceLimits });
    return new Promise<readonly ImageLink[]>((resolve, reject) => {
      const late = this.clock.after(patience, () => reject(new Error(`reading it takes longer than ${patience} ms`)));
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', () => {
        late.dispose();
        reject(new Error('the worker ended without a result'));
      });
    }).finally(() => void thread.terminate());
  }
}

/** What was read of something at a version. */
interface Reading<T> {
  readonly version: number;
  readonly result: Promise<T>;
  isOver: boolean;
  /** The reading that follows this one, of the version that there is by then. */
  next?: Promise<T>;
}

/**
 * Reads things that change, each version at most once, and never two versions of a thing at the same time. Of those
 * that follow one another while it's read, only the newest is read next: whoever asked for another gets that one.
 */
export class Readings<Thing extends { readonly version: number }, T> {
  private readonly readings = new WeakMap<Thing, Reading<T>>();

  /** `read` never rejects. */
  constructor(private readonly read: (thing: Thing) => Promise<T>) {}

  /** The result for the version there is now, or for a later one. */
  of(thing: Thing): Promise<T> {
    const { version } = thing;
    const known = this.readings.get(thing);
    if (known?.version === version) return known.result;
    if (known && !known.isOver) return (known.next ??= known.result.then(() => this.of(thing)));
    const result = this.read(thing);
    const reading: Reading<T> = { version, result, isOver: false };
    this.readings.set(thing, reading);
    void result.then(() => (reading.isOver = true));
    return result;
  }
}
