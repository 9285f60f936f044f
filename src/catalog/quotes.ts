import { ageOf, type Clock, type Moment, momentOf } from '../base/clock';
import { Emitter } from '../base/disposable';
import type { JsonObject } from '../base/json';
import type { AskOptions, CatalogClient } from './client';
import { ServiceError } from './errors';
import type { Quote } from './fields';

type QuoteClient = Pick<CatalogClient, 'quote'>;

/** How a price is requested: `times` and `signal` as with `CatalogClient.quote`. */
export interface QuoteOptions extends Pick<AskOptions, 'times' | 'signal'> {
  /** How old it may be, ms since its request; a minute by default, 0 to request it in any case. */
  readonly freshMs?: number;
}

/** A price that the service has just stated. */
export interface QuotedPrice {
  readonly client: QuoteClient;
  readonly modelId: string;
  readonly inputs: JsonObject;
  readonly costCents: number;
}

/** A price, and when it was requested. */
export interface Remembered {
  readonly quote: Quote;
  readonly askedAt: Moment;
}

/** A request that several callers wait for. It's canceled when the last of them has left. */
interface SharedRequest {
  readonly response: Promise<Remembered>;
  readonly askedAt: Moment;
  readonly ending: AbortController;
  waiting: number;
}

/** How many prices of one client are remembered. */
const most = 500;
/** The total length of the remembered requests, UTF-16 code units: inputs can contain entire images. */
const mostCharacters = 16 * 1024 * 1024;
const minuteMs = 60_000;

/**
 * The prices a window knows, each requested if it isn't known or is too old. Identical requests at the same time are
 * shared. A price from one client doesn't hold for another, which may be of another account. For spending, `renders`
 * requests prices again by its own rule.
 */
export class Quotes {
  private readonly clients = new WeakMap<QuoteClient, ClientQuotes>();
  private readonly quoted = new Emitter<QuotedPrice>();
  /** Fires for every price that the service states. */
  readonly onDidQuote = this.quoted.event;

  constructor(private readonly clock: Clock) {}

  /** The price if it's known, and was requested in the last minute. */
  known(client: QuoteClient, modelId: string, inputs: JsonObject): Remembered | undefined {
    return this.by(client).recall(questionOf(modelId, inputs), minuteMs);
  }

  /** Rejects with ServiceError if there is no price, or once the signal says that the caller no longer waits. */
  async of(client: QuoteClient, modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    return this.by(client).of(modelId, inputs, options);
  }

  private by(client: QuoteClient): ClientQuotes {
    const known = this.clients.get(client);
    if (known) return known;
    const quotes = new ClientQuotes(client, this.clock, (price) => this.quoted.fire(price));
    this.clients.set(client, quotes);
    return quotes;
  }
}

class ClientQuotes {
  private readonly remembered = new Map<string, Remembered>();
  private characters = 0;
  private readonly underWay = new Map<string, SharedRequest>();

  constructor(
    private readonly client: QuoteClient,
    private readonly clock: Clock,
    private readonly tell: (price: QuotedPrice) => void,
  ) {}

  recall(question: string, forMs: number): Remembered | undefined {
    const found = this.remembered.get(question);
    return found && ageOf(found.askedAt, this.clock) < forMs ? found : undefined;
  }

  async of(modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    const { freshMs = minuteMs, signal, times } = options;
    const question = questionOf(modelId, inputs);
    const known = this.recall(question, freshMs);
    if (known) return known;
    if (signal?.aborted) throw cancelled(signal);
    // A request that is repeated less often on failure is a different one.
    const id = `${times ?? ''} ${question}`;
    const joined = this.underWay.get(id);
    if (joined && !joined.ending.signal.aborted && ageOf(joined.askedAt, this.clock) < freshMs)
      return waitFor(joined, signal);
    const [askedAt, ending] = [momentOf(this.clock), new AbortController()];
    const send = async () => {
      const how = { signal: ending.signal, ...(times === undefined ? {} : { times }) };
      const remembered = { quote: await this.client.quote(modelId, inputs, how), askedAt };
      this.remember(question, remembered);
      const { costCents } = remembered.quote;
      if (costCents !== undefined) this.tell({ client: this.client, modelId, inputs, costCents });
      return remembered;
    };
    const request: SharedRequest = { response: send(), askedAt, ending, waiting: 0 };
    this.underWay.set(id, request);
    // Others can join it until it has ended.
    const end = () => this.underWay.get(id) === request && this.underWay.delete(id);
    request.response.then(end, end);
    return waitFor(request, signal);
  }

  /** The last is known whatever its size; the oldest are forgotten for it. */
  private remember(question: string, remembered: Remembered): void {
    this.forget(question);
    this.remembered.set(question, remembered);
    this.characters += question.length;
    for (const oldest of this.remembered.keys()) {
      const isOverfull = this.remembered.size > most || this.characters > mostCharacters;
      if (oldest === question || !isOverfull) return;
      this.forget(oldest);
    }
  }

  private forget(question: string): void {
    if (this.remembered.delete(question)) this.characters -= question.length;
  }
}

/** The same text for the same model and exactly the same inputs. */
export function questionOf(modelId: string, inputs: JsonObject): string {
  return JSON.stringify([modelId, inputs]);
}

/** Rejects as the request does; with ServiceError as soon as the signal says that this caller has left. */
function waitFor(request: SharedRequest, signal?: AbortSignal): Promise<Remembered> {
  request.waiting += 1;
  if (!signal) return request.response;
  return new Promise((resolve, reject) => {
    const leave = () => {
      request.waiting -= 1;
      if (request.waiting === 0) request.ending.abort(signal.reason);
      reject(cancelled(signal));
    };
    signal.addEventListener('abort', leave, { once: true });
    const done = () => signal.removeEventListener('abort', leave);
    void request.response.then(resolve, reject).then(done);
  });
}

/** The error for a caller that has left, with the reason of its signal. */
function cancelled({ reason }: AbortSignal): ServiceError {
  return new ServiceError('cancelled', 'Canceled', { cause: reason });
}
