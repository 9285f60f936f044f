import type { Readable } from 'node:stream';
import type { Clock, Random } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { Emitter, type Event } from '../base/disposable';
import { isObject, type JsonObject } from '../base/json';
import { knowKey, type Log, reasonOf } from '../base/log';
import { catalogRoot, parseAddress } from './address';
import { checkApiKey } from './apiKey';
import { decoded, isDecodable, keepPace, readText, readWhatComes, type TransferPace } from './body';
import { ServiceError } from './errors';
import type { Account, Generation, Listing, Model, ModelSummary, Quote } from './fields';
import {
  codingOf,
  header,
  isCached,
  lengthOf,
  linksNext,
  redirectOf,
  retryAfterOf,
  ServiceClock,
  serviceTimeOf,
  wholeRangeOf,
} from './headers';
import { readModel, readModels } from './modelSchema';
import { parseResponse, refusalOf, refuseWebPage } from './problems';
import { readAccount, readGeneration, readGenerations, readQuote } from './records';
import {
  Deadline,
  type Exchange,
  exchangeOf,
  type ImageBytes,
  largestBody,
  requestBody,
  RequestRetry,
} from './request';
import { isUsableId, pick, pickText, readNumber, type Shape } from './shape';
import type { Incoming, Outgoing, Transport } from './transport';

/** A response from the service, with the service's clock (`Date` header), ms since 1970. */
export interface Answer<T> {
  readonly value: T;
  readonly serviceTime?: number;
}

/**
 * A file in transfer, which may not be the result. The stream fails with a ServiceError when the transfer is cut or
 * almost stops.
 */
export interface Content {
  readonly stream: Readable;
  /** Content-Length, bytes; undefined when not stated, or when it's that of the encoded file. */
  readonly length?: number;
  /** Content-Type as stated. */
  readonly type?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** For requests that may be repeated. */
export interface AskOptions extends CallOptions {
  /** How often it may be sent in total; the usual number by default. */
  readonly times?: number;
  /** How long it may wait for its turn, or between two attempts, ms; a minute by default. */
  readonly patienceMs?: number;
  /** A user waits for it: it's sent although the service asked for fewer requests; see `Retry`. */
  readonly probes?: boolean;
  /** Receives each response: once with its headers, and again with its body. */
  readonly hear?: (exchange: Exchange) => void;
}

/**
 * Caps in bytes and deadlines in ms; each deadline is for one attempt, from the first byte sent to the last received.
 */
export interface ClientLimits {
  /** Of a response. What repeats inputs may be longer by these, and then only its long texts are left out. */
  readonly jsonBytes: number;
  /** The most values in a response: a model with thousands of choices is read in one piece. */
  readonly values: number;
  /** The same for a render, which repeats its inputs. */
  readonly generationValues: number;
  /**
   * The same for a list, whose rows are read in turns, and may be tens of thousands of models or renders. At this many,
   * even a list of nothing but IDs, or with all of them in one row, is gone through in less than 50 ms.
   */
  readonly listValues: number;
  readonly errorBytes: number;
  readonly jsonMs: number;
  readonly generationMs: number;
  /** Until the headers of a result file arrive. */
  readonly contentMs: number;
  readonly contentPace: TransferPace;
  /** A result file after decoding. */
  readonly decodedBytes: number;
}

const usualLimits: ClientLimits = {
  jsonBytes: 32 * 1024 * 1024,
  values: 10_000,
  generationValues: 250_000,
  listValues: 750_000,
  errorBytes: 64 * 1024,
  jsonMs: 20_000,
  generationMs: 75_000,
  contentMs: 30_000,
  contentPace: { idleMs: 30_000, bytes: 60 * 1024, withinMs: 60_000 },
  decodedBytes: 256 * 1024 * 1024,
};

export interface ClientSetup {
  /** As `parseAddress` gives it. */
  readonly base: string;
  /** As `checkApiKey` gives it. */
  readonly key: string;
  /** As `fingerprint` gives it. */
  readonly account: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limits?: Partial<ClientLimits>;
  /** A language tag, such as `de`: the language that a user reads. Undefined requests none. */
  readonly language?: string;
  /** Reads the images among inputs; without it there are none. */
  readonly imageBytes?: ImageBytes;
}

/** How often a GET is tried in total. */
const mostAttempts = 4;

/** How many pages of a list are read. */
const mostPages = 50;

/** What a slow line takes to send a body, ms: 100 kB a second. Nobody waits for that unless there are images in it. */
function uploadMs(body: Uint8Array): number {
  return Math.round(body.length / 100);
}

interface Call {
  readonly method: Outgoing['method'];
  /** Segments below the catalog root, not encoded. */
  readonly path: readonly string[];
  /** The `id` parameter. */
  readonly id?: string;
  /** The service's own parameters for the next page of a list. */
  readonly query?: string;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly beforeSend?: () => void;
  /** The largest body whose inputs the response may repeat, bytes. */
  readonly repeats?: number;
  /** True if its response is a file, which may be stored encoded. */
  readonly isFile?: true;
  /** How often it may be sent in total. */
  readonly times: number;
  readonly patienceMs?: number;
  readonly probes?: boolean;
  readonly ms: number;
  readonly signal?: AbortSignal;
  readonly hear?: (exchange: Exchange) => void;
}

/** The service, one method per endpoint of its specification. Every failure is a ServiceError. */
export class CatalogClient {
  /** The normalized base address of all requests, for instance `https://models.example`. */
  readonly base: string;
  /** A salted fingerprint of the key: it distinguishes accounts and reveals nothing else. */
  readonly account: string;
  /** The language that responses are requested in, a tag such as `de`; a service needn't have it. */
  readonly language: string | undefined;
  /** Not reachable for code that prints or walks objects. */
  readonly #key: string;
  readonly #keySpellings: RegExp;
  private readonly transport: Transport;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly limits: ClientLimits;
  private readonly time: ServiceClock;
  private readonly retry: RequestRetry;
  private readonly imageBytes: ImageBytes;
  private readonly outcome = new Emitter<ServiceError | undefined>();
  /**
   * Fires when a call has ended and wasn't canceled: with its error, or undefined when the service answered as
   * specified.
   */
  readonly onOutcome = this.outcome.event;
  /**
   * Fires when the service asks for fewer requests, or answers again sooner, with the time from now during which none
   * is sent, ms.
   */
  readonly onDidSlowDown: Event<number>;

  /** Throws ServiceError `notAllowed` for an address or a key that hasn't passed its check. */
  constructor(setup: ClientSetup) {
    const address = parseAddress(setup.base);
    const key = checkApiKey(setup.key);
    if (!('base' in address) || address.base !== setup.base) throw notAllowed('the service URL didn’t pass its check');
    if (!('key' in key) || key.key !== setup.key) throw notAllowed('the API key didn’t pass its check');
    this.base = setup.base;
    this.account = setup.account;
    this.language = setup.language;
    this.#key = setup.key;
    this.#keySpellings = spellings(setup.key);
    knowKey(setup.key, this.#keySpellings);
    this.transport = setup.transport;
    this.clock = setup.clock;
    this.log = setup.log;
    this.limits = { ...usualLimits, ...setup.limits };
    this.time = new ServiceClock(setup.clock);
    this.imageBytes = setup.imageBytes ?? (() => undefined);
    this.retry = new RequestRetry(setup.clock, setup.random, setup.log);
    this.onDidSlowDown = this.retry.onDidSlowDown;
  }

  /**
   * The service's clock now, ms since 1970: its last Date header carried forward by our own clocks. Undefined before
   * any answer, and when our clocks disagree on how long ago that was (one stalls in sleep, the other can be set),
   * until the next answer.
   */
  serviceTime(): number | undefined {
    return this.time.now();
  }

  /**
   * A user requests something themselves: a request within seconds is sent although the service asked for fewer; see
   * `Retry`.
   */
  probe(): void {
    this.retry.probe();
  }

  /**
   * Requests the service's current time with GET /me. An earlier response doesn't count, since a paused machine carries
   * it forward without noticing the pause. Resolves with ms since 1970; `kept` when a cache on the way kept the
   * response, so that its time says nothing; and undefined when the response, whatever it says, states no time. Rejects
   * with ServiceError when there is no response, even if another request heard the time.
   */
  async hearTime(options?: AskOptions): Promise<number | 'kept' | undefined> {
    const time = this.time.fromNowOn();
    const { stated, kept } = this.time;
    const ask = async () => {
      try {
        // A time that a proxy keeps would hide how long the machine was paused.
        const call: Call = { ...this.getCall(['me'], options), headers: { 'cache-control': 'no-cache' } };
        await this.json(call, () => undefined);
      } catch (error) {
        // The machine may have paused since another request heard the time.
        if (!(error instanceof ServiceError && error.status !== undefined)) throw error;
      }
    };
    await ask();
    if (time() === undefined && this.time.stated === stated) return this.time.kept > kept ? 'kept' : undefined;
    if (time() !== undefined) return time();
    // The time was stated, but our clocks were set in transit. That isn't a service without a time.
    await ask();
    if (time() === undefined)
      throw new ServiceError('noAnswer', 'The clock was set while waiting for the service’s time');
    return time();
  }

  async me(options?: AskOptions): Promise<Account> {
    return (await this.get(['me'], options, readAccount)).value;
  }

  async models(options?: AskOptions): Promise<Listing<ModelSummary>> {
    return (await this.list('models', mostPages, options, readModels)).value;
  }

  async model(id: string, options?: AskOptions): Promise<Model> {
    const call: Call = { ...this.getCall(['models', 'detail'], options), id };
    return (await this.json(call, (json) => readModel(json, id))).value;
  }

  /**
   * The exact bytes that a price is requested for, and that a render at it sends. Throws ServiceError `imageGone` or
   * `inputsTooLarge`; then nothing was sent.
   */
  bodyOf(modelId: string, inputs: JsonObject): Uint8Array {
    return requestBody(modelId, inputs, this.imageBytes);
  }

  /** Starts nothing, charges nothing. Sent at most twice. */
  async quote(modelId: string, inputs: JsonObject, options?: AskOptions): Promise<Quote> {
    const body = this.bodyOf(modelId, inputs);
    const ms = this.limits.jsonMs + uploadMs(body);
    const call: Call = { method: 'POST', path: ['quote'], body, times: 2, ms, ...options };
    return (await this.json(call, readQuote)).value;
  }

  /**
   * Sends these exact bytes once, with this Idempotency-Key; never repeats by itself. CHARGES. Only the Renderer calls
   * it. `beforeSend` runs in the same synchronous step that passes the bytes to the socket. When it throws, nothing is
   * sent and this rejects with its error; if it never ran, nothing was sent either.
   */
  createGeneration(
    body: Uint8Array,
    key: string,
    beforeSend: () => void,
    options?: CallOptions,
  ): Promise<Answer<Generation>> {
    const headers = { 'idempotency-key': key };
    // The response may repeat the inputs.
    const ms = this.limits.generationMs + 2 * uploadMs(body);
    const sent = { method: 'POST', path: ['generations'], body, headers, beforeSend, repeats: body.length } as const;
    const call: Call = { ...sent, ms, ...options, times: 1 };
    // "JSON generation with status queued" (specification: Endpoints).
    return this.json(call, (json) => readGeneration(json, 'queued'), this.limits.generationValues);
  }

  /** The recent renders: the first page of them, or with `all` every page. */
  generations(options?: CallOptions & { readonly all?: boolean }): Promise<Answer<Listing<Generation>>> {
    return this.list('generations', options?.all ? mostPages : 1, { signal: options?.signal }, readGenerations);
  }

  generation(id: string, options?: AskOptions): Promise<Answer<Generation>> {
    const read = (json: unknown) => {
      const generation = readGeneration(json);
      if (generation.id !== id) throw new ServiceError('unreadable', 'The response is about another generation');
      return generation;
    };
    const call: Call = { ...this.getCall(['generations', id], options), repeats: largestBody };
    return this.json(call, read, this.limits.generationValues);
  }

  /**
   * What the service sends as the result file: whether it's that is for the reader to judge. Its address is made here:
   * `contentUrl` is never fetched, and no redirect is followed.
   */
  content(id: string, options?: AskOptions): Promise<Content> {
    const call: Call = {
      ...this.getCall(['generations', id, 'content'], options),
      isFile: true,
      ms: this.limits.contentMs,
    };
    return this.run(call, async (deadline) => {
      const incoming = await this.open(call, deadline);
      const { status, headers } = incoming;
      const range = status === 206 ? wholeRangeOf(headers) : undefined;
      if (status !== 200 && range === undefined) {
        incoming.body.destroy();
        throw new ServiceError('unreadable', `Status ${status} without a complete file`, { status });
      }
      deadline.lift();
      keepPace(incoming, this.clock, this.limits.contentPace);
      incoming.body.once('close', () => deadline.dispose());
      const type = header(headers, 'content-type');
      const coding = codingOf(headers);
      return coding === undefined
        ? { stream: incoming.body, length: range ?? lengthOf(headers), type }
        : { stream: decoded(incoming, coding, this.limits.decodedBytes), type };
    });
  }

  /**
   * Never repeated by itself. The specification doesn't define the body of the response, so it's read only to detect a
   * web page.
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: ['generations', id], times: 1, ms: this.limits.jsonMs, ...options };
    return this.run(call, async (deadline) => {
      const incoming = await this.open(call, deadline);
      refuseWebPage(incoming, await readWhatComes(incoming, this.limits.errorBytes));
      deadline.dispose();
    });
  }

  private getCall(path: readonly string[], options: AskOptions | undefined): Call {
    return { method: 'GET', path, times: mostAttempts, ms: this.limits.jsonMs, ...options };
  }

  private get<T>(path: readonly string[], options: AskOptions | undefined, read: Read<T>): Promise<Answer<T>> {
    return this.json(this.getCall(path, options), read);
  }

  /**
   * A list with its further pages, as long as each contains something new. A page that the service doesn't have makes
   * the list incomplete. Without one for any other reason there's no list: the next request may get all of it.
   */
  private async list<T extends { readonly id: string }>(
    name: 'models' | 'generations',
    most: number,
    options: AskOptions | undefined,
    read: (json: unknown, turns: Yielder, before: number) => Promise<Listing<T>>,
  ): Promise<Answer<Listing<T>>> {
    const items = new Map<string, T>();
    let [rows, unread] = [0, 0];
    const ask = (query: string | undefined) => {
      const repeats = name === 'generations' ? largestBody : undefined;
      const call: Call = { ...this.getCall([name], options), query, repeats };
      const readPage: Read<Listing<T> & { readonly next: string | undefined }> = async (json, turns, headers) => {
        const listing = await read(json, turns, rows);
        const next = nextPage(json, headers, this.urlOf(call));
        return { ...listing, next, incomplete: listing.incomplete || next !== undefined || linksNext(headers) };
      };
      return this.json(call, readPage, this.limits.listValues);
    };
    const take = (page: Listing<T>) => {
      const known = items.size;
      for (const item of page.items) if (!items.has(item.id)) items.set(item.id, item);
      rows += page.items.length + page.unreadable;
      unread += page.unreadable;
      return items.size > known;
    };
    let { value: page, serviceTime } = await ask(undefined);
    for (let pages = 1; take(page) && page.next !== undefined && pages < most; pages++) {
      try {
        ({ value: page, serviceTime } = await ask(page.next));
      } catch (error) {
        if (!isWrongPage(error)) throw error;
        break;
      }
    }
    return { value: { items: [...items.values()], incomplete: page.incomplete, unreadable: unread }, serviceTime };
  }

  private json<T>(call: Call, read: Read<T>, most = this.limits.values): Promise<Answer<T>> {
    return this.run(call, async (deadline) => {
      const incoming = await this.open(call, deadline);
      const serviceTime = serviceTimeOf(incoming.headers);
      try {
        const { jsonBytes } = this.limits;
        const text = this.keyless(await readText(incoming, jsonBytes, jsonBytes + 2 * (call.repeats ?? 0)));
        this.pass(call, incoming, text);
        const json = parseResponse(incoming, text, most);
        return { value: await read(json, new Yielder(this.clock), incoming.headers), serviceTime };
      } catch (error) {
        throw dated(error, serviceTime);
      } finally {
        deadline.dispose();
      }
    });
  }

  /** Every call goes through here: it retries, limits each attempt by one deadline, and reports how the call ended. */
  private async run<T>(call: Call, attempt: (deadline: Deadline) => Promise<T>): Promise<T> {
    if (call.probes) this.probe();
    try {
      const response = await this.retry.run(call, async () => {
        const deadline = new Deadline(this.clock, call.ms, call.signal);
        try {
          return await attempt(deadline);
        } catch (error) {
          deadline.dispose();
          throw error;
        }
      });
      this.tell(undefined);
      return response;
    } catch (error) {
      if (error instanceof ServiceError && error.kind !== 'cancelled') this.tell(error);
      throw error;
    }
  }

  /**
   * Sends one request. Resolves with the headers of a 2xx; rejects with the error that any other status means.
   */
  private async open(call: Call, { signal }: Deadline): Promise<Incoming> {
    const url = this.urlOf(call);
    const headers = {
      ...this.headersFor(url),
      ...(call.body && { 'content-type': 'application/json' }),
      ...call.headers,
    };
    const { method, body, beforeSend } = call;
    const hear = this.time.asks();
    const incoming = await this.transport.send({ method, url, headers, body, signal, beforeSend });
    const serviceTime = serviceTimeOf(incoming.headers);
    hear(isCached(incoming.headers) ? 'kept' : serviceTime);
    this.log.debug(`${method} ${url.pathname}: ${incoming.status}`);
    this.pass(call, incoming, '');
    const coding = codingOf(incoming.headers);
    if (incoming.status < 200 || incoming.status > 299) {
      const text = coding ? '' : this.keyless(await readWhatComes(incoming, this.limits.errorBytes));
      this.pass(call, incoming, text);
      const retryAfterMs = retryAfterOf(incoming.headers, this.clock.now());
      incoming.body.destroy();
      throw refusalOf(incoming, text, { serviceTime, retryAfterMs, leadsTo: redirectOf(incoming, url) });
    }
    if (coding && !(call.isFile && isDecodable(coding))) {
      incoming.body.destroy();
      const { status } = incoming;
      throw new ServiceError('unreadable', `The response is encoded as ${coding}, which we didn’t ask for`, {
        status,
        serviceTime,
      });
    }
    return incoming;
  }

  /** `text` is the part of the body that has arrived, without the key. */
  private pass(call: Call, incoming: Incoming, text: string): void {
    call.hear?.(exchangeOf({ method: call.method, url: this.urlOf(call) }, incoming, text));
  }

  private urlOf({ path, id, query }: Call): URL {
    if (![...path, ...(id === undefined ? [] : [id])].every(isUsableId))
      throw notAllowed('an ID can’t be part of a request');
    const address = [this.base, ...catalogRoot, ...path.map(encodeURIComponent)].join('/');
    const parameters = id === undefined ? query : `id=${encodeURIComponent(id)}`;
    return new URL(parameters === undefined ? address : `${address}?${parameters}`);
  }

  /**
   * The only place that adds the key to a request: below the catalog root at the origin it's bound to, and nowhere
   * else.
   */
  private headersFor(url: URL): Record<string, string> {
    const root = new URL([this.base, ...catalogRoot, ''].join('/'));
    if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname))
      throw notAllowed('the API key isn’t for this URL');
    return {
      authorization: `Bearer ${this.#key}`,
      // An encoded body that is cut can pass for a complete one, and a small one can expand without bound.
      'accept-encoding': 'identity',
      accept: 'application/json, */*;q=0.5',
      ...(this.language && { 'accept-language': this.language }),
      'user-agent': 'model-catalog',
    };
  }

  /**
   * A service, or a proxy in front of it, may quote the key it received. That key mustn't reach ledgers, files, or
   * windows.
   */
  private keyless(text: string): string {
    return text.replace(this.#keySpellings, 'ai_live_…');
  }

  /** A failing listener mustn't lose a response that was paid for. */
  private tell(error: ServiceError | undefined): void {
    try {
      this.outcome.fire(error);
    } catch (cause) {
      this.log.error(`A listener failed: ${reasonOf(cause)}`);
    }
  }
}

/**
 * Matches a key, which is ASCII, as it is and as others write it: each character alone, as an escape of JSON within up
 * to three layers of it, or percent-encoded up to twice.
 */
function spellings(key: string): RegExp {
  const characters = Array.from(key, (character) => {
    const code = character.charCodeAt(0).toString(16);
    const alone = character.replace(/[^\w]/, '\\$&');
    return `(?:\\\\{0,8}${alone}|\\\\{1,8}u00${code}|%(?:25)?${code})`;
  });
  return new RegExp(characters.join(''), 'gi');
}

type Read<T> = (json: unknown, turns: Yielder, headers: Incoming['headers']) => T | Promise<T>;

/**
 * The way to request more of a list is partly a guess, and a wrong one doesn't lose what has arrived. It may lead to a
 * refusal, to a response that is no list, or even to a failure of the server, but not to silence or an outage.
 */
function isWrongPage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { kind, status = 0 } = error;
  if (kind === 'status') return status !== 408 && status <= 500;
  return kind === 'invalidInput' || kind === 'unreadable' || kind === 'tooLarge';
}

/** The error with the service's clock. Anything that goes wrong with a 2xx is a fault of its body. */
function dated(error: unknown, serviceTime: number | undefined): ServiceError {
  if (!(error instanceof ServiceError)) {
    return new ServiceError('unreadable', `Couldn’t read the response: ${reasonOf(error)}`, {
      serviceTime,
      cause: error,
    });
  }
  const { kind, message, status, systemCode, html, cause } = error;
  return new ServiceError(kind, message, { status, systemCode, html, serviceTime, cause });
}

function notAllowed(what: string): ServiceError {
  return new ServiceError('notAllowed', `Not sent: ${what}`);
}

const around = ['pagination', 'paging', 'page', 'pageInfo', 'page_info', 'meta', 'links', '_links', 'data', 'result'];
const addresses = ['next', 'nextUrl', 'next_url', 'nextPageUrl', 'next_page_url', 'href'];
const numbers = ['next', 'nextPage', 'next_page'];
/** The service's name for the next page's cursor, and the parameter that returns it. */
const cursors: readonly (readonly [names: readonly string[], parameter: string])[] = [
  [['nextCursor', 'next_cursor', 'endCursor', 'end_cursor'], 'cursor'],
  [['nextPageToken'], 'pageToken'],
  [['next_page_token'], 'page_token'],
  [['nextToken'], 'nextToken'],
];

/**
 * The query of an address that requests the next page of the same list; undefined if the list ends, or doesn't say. Of
 * an address that the service states, only the query is used, and only if it's this list at this origin.
 */
function nextPage(json: unknown, headers: Incoming['headers'], asked: URL): string | undefined {
  const [, linked] = /<([^<>]{1,4096})>\s*;[^<,]{0,200}\brel="?next"?/i.exec(header(headers, 'link') ?? '') ?? [];
  return (linked === undefined ? undefined : queryOf(linked, asked)) ?? nextIn(json, asked, 3);
}

function nextIn(json: unknown, asked: URL, depth: number): string | undefined {
  if (!isObject(json)) return undefined;
  const stated = pick(json, ['next']);
  const address = pickText(json, addresses) ?? (isObject(stated) ? pickText(stated, addresses) : undefined);
  const own = (address === undefined ? undefined : queryOf(address, asked)) ?? cursorIn(json) ?? pageIn(json);
  if (own !== undefined || depth === 0) return own;
  for (const name of around) {
    const inner = nextIn(pick(json, [name]), asked, depth - 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function cursorIn(shape: Shape): string | undefined {
  if (pick(shape, ['hasNextPage', 'has_next_page', 'hasMore', 'has_more']) === false) return undefined;
  for (const [names, parameter] of cursors) {
    const cursor = pickText(shape, names);
    if (cursor !== undefined) return query(parameter, cursor);
  }
  return undefined;
}

function pageIn(shape: Shape): string | undefined {
  const next = numbers.map((name) => pick(shape, [name])).find((value) => typeof value === 'number');
  if (next !== undefined) return query('page', String(next));
  const page = readNumber(pick(shape, ['page', 'currentPage', 'current_page', 'current']));
  const pages = readNumber(pick(shape, ['pages', 'totalPages', 'total_pages', 'lastPage', 'last_page']));
  return page !== undefined && pages !== undefined && page < pages ? query('page', String(page + 1)) : undefined;
}

function query(parameter: string, value: string): string | undefined {
  return value.length <= 2048 ? new URLSearchParams([[parameter, value]]).toString() : undefined;
}

function queryOf(address: string, asked: URL): string | undefined {
  if (!/^([/?]|https?:)/i.test(address) || !URL.canParse(address, asked)) return undefined;
  const next = new URL(address, asked);
  // A path may also be counted from the catalog root.
  const isSame =
    next.pathname === asked.pathname || (address.startsWith('/') && asked.pathname.endsWith(next.pathname));
  const found = next.search.slice(1);
  return next.origin === asked.origin && isSame && found !== '' && found.length <= 4096 ? found : undefined;
}
