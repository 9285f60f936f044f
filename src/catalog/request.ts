import type { Clock, Random } from '../base/clock';
import { wait } from '../base/concurrency';
import { type Disposable, Emitter } from '../base/disposable';
import { type GivenImage, isGivenImage } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import { type Log, onOneLine, redact } from '../base/log';
import { ServiceError } from './errors';
import { header } from './headers';
import type { Incoming, Outgoing } from './transport';

/** A request and its response, to find out why it wasn't understood. Contains no key and no inputs. */
export interface Exchange {
  readonly method: Outgoing['method'];
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Content-Type as stated. */
  readonly type?: string;
  /**
   * The first 300 characters of the body on one line, without anything that looks like a key. Undefined when none of it
   * was read.
   */
  readonly beginning?: string;
}

const mostShown = 300;
/** White space and keys shorten the text, and half a key wouldn't look like one. */
const mostRead = 64 * mostShown;

/** `text` is the part of the body that arrived, without a key in use. */
export function exchangeOf(
  { method, url }: Pick<Outgoing, 'method' | 'url'>,
  incoming: Incoming,
  text: string,
): Exchange {
  const isUnread = text === '' && !incoming.body.readableEnded;
  const line = redact(text.slice(0, mostRead)).replace(/[ \t\r\n]+/g, ' ');
  return {
    method,
    path: url.pathname + url.search,
    status: incoming.status,
    type: header(incoming.headers, 'content-type'),
    beginning: isUnread ? undefined : onOneLine(line.trim().slice(0, mostShown)),
  };
}

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

const firstPauseMs = 500;
const longestPauseMs = 15_000;
/** After a 429, requests are sent this far apart, and twice as far after each further one. */
const firstGapMs = 3000;
const longestGapMs = 30_000;
/** A caller that would wait longer gets the error instead, if it doesn't say how long. */
const usualPatienceMs = 60_000;
/** How long after a gesture a request still counts as the user's. */
const gestureMs = 10_000;

/** How a request is repeated. */
export interface Repeats {
  /** How often it's sent in total. */
  readonly times: number;
  /** Before it would wait longer, it fails. ms */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Repeats what may be repeated, after random pauses, and slows all requests down when the service asks for it.
 */
export class RequestRetry {
  /** Nothing is sent before this, in the clock's ticks. */
  private free = -Infinity;
  private gapMs = 0;
  /** When the last request was sent, in the clock's ticks. */
  private sentAt = -Infinity;
  /** When a user requested something that hasn't been sent yet, in the clock's ticks. */
  private askedAt = -Infinity;
  private readonly slowed = new Emitter<number>();
  /**
   * Fires when the service asks for patience, and when it responds again earlier, with the time from now during which
   * nothing is sent, ms.
   */
  readonly onDidSlowDown = this.slowed.event;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
  ) {}

  /**
   * A user wants to know whether the service is responding again: the next request is sent before the requested time
   * is over. If the response is as specified, the wait is over for all requests.
   */
  probe(): void {
    this.askedAt = this.clock.ticks();
  }

  /** The response of the first of at most `times` attempts that succeeds, or the error of the last. */
  async run<T>({ times, patienceMs = usualPatienceMs, signal }: Repeats, attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      const isProbe = await this.turn(patienceMs, signal);
      try {
        const response = await attempt();
        if (isProbe) this.freeAfter(this.gapMs);
        this.gapMs = this.gapMs > firstGapMs / 2 ? this.gapMs / 2 : 0;
        return response;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const pause = Math.max(this.pauseAfter(count), error.retryAfterMs ?? 0);
        if (error.kind === 'tooManyRequests') this.slowDown(pause);
        if (count >= times || !isPassing(error) || pause > patienceMs) throw error;
        this.log.debug(`Attempt ${count} of ${times}: ${error.message}. Next attempt in ${Math.round(pause)} ms`);
        await this.pause(pause, signal);
      }
    }
  }

  /**
   * Resolves when a request may be sent: with true if that's early, as a probe. Rejects with `tooManyRequests` if it
   * takes too long.
   */
  private async turn(patienceMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const since = this.clock.ticks();
    const isAsked = since - this.askedAt < gestureMs;
    // One request per gesture, as far apart as all others: a user may press a button many times.
    this.askedAt = -Infinity;
    const next = () => (isAsked ? Math.min(this.free, this.sentAt + this.gapMs) : this.free);
    for (let ms = next() - since; ms > 0; ms = next() - this.clock.ticks()) {
      if (this.clock.ticks() + ms - since > patienceMs) {
        throw new ServiceError('tooManyRequests', 'The service asked us to wait', { retryAfterMs: ms });
      }
      await this.pause(ms, signal);
    }
    this.sentAt = this.clock.ticks();
    const isProbe = this.sentAt < this.free;
    if (!isProbe) this.free = this.sentAt + this.gapMs;
    return isProbe;
  }

  private slowDown(pauseMs: number): void {
    this.gapMs = Math.min(longestGapMs, Math.max(firstGapMs, this.gapMs * 2));
    this.freeAfter(Math.max(this.free - this.clock.ticks(), pauseMs, this.gapMs));
  }

  private freeAfter(ms: number): void {
    this.free = this.clock.ticks() + ms;
    this.slowed.announce(ms, this.log);
  }

  private pauseAfter(count: number): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1)) * (0.5 + this.random.unit() / 2);
  }

  private async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(this.clock, ms, signal);
    } catch (cause) {
      throw new ServiceError('cancelled', 'Canceled', { cause });
    }
  }
}

/** True for a failure that may not happen again. */
function isPassing({ kind, status = 0 }: ServiceError): boolean {
  return kind === 'noAnswer' || kind === 'tooManyRequests' || (kind === 'status' && (status === 408 || status >= 500));
}

/** The bytes of a given image, exactly those of its hash; undefined when they're no longer kept. */
export type ImageBytes = (image: GivenImage) => Uint8Array | undefined;

/** The largest body of a request, bytes: one image of the largest size fits. A response may repeat all of it. */
export const largestBody = 48 * 1024 * 1024;

/**
 * The body of a request for a price or a render: the inputs with the bytes of their images. The same inputs always give
 * the same bytes, so what is quoted is what is sent. Throws ServiceError `imageGone`, or `inputsTooLarge` for more than
 * `largestBody`.
 */
export function requestBody(modelId: string, inputs: JsonObject, bytesOf: ImageBytes): Uint8Array {
  let images = 0;
  const sent = (_: string, value: unknown) => {
    if (!isGivenImage(value)) return value;
    const text = imageTextOf(value, bytesOf);
    // Many large ones don't fit into one text at all.
    if ((images += text.length) > largestBody) throw tooLarge();
    return text;
  };
  const body = new TextEncoder().encode(JSON.stringify({ modelId, inputs }, sent));
  if (body.length > largestBody) throw tooLarge();
  return body;
}

function tooLarge(): ServiceError {
  return new ServiceError('inputsTooLarge', `The inputs are larger than ${largestBody} bytes together`);
}

function imageTextOf(image: GivenImage, bytesOf: ImageBytes): string {
  const bytes = bytesOf(image);
  if (!bytes)
    throw new ServiceError('imageGone', `Image ${image.sha256} is no longer kept`, { serviceMessage: image.file });
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return image.encoding === 'base64' ? base64 : `data:${image.type};base64,${base64}`;
}
