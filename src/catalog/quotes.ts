import { ageOf, type Clock, type Moment, momentOf } from '../base/clock';
import { Emitter } from '../base/event';
import type { JsonObject } from '../base/json';
import type { AskOptions, CatalogClient } from './client';
import { ServiceError } from './errors';
import type { Quote } from './types';

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

interface UnderWay {
  readonly request: SharedRequest<Remembered>;
  readonly askedAt: Moment;
}

const most = 500;
const minuteMs = 60_000;

/**
 * The prices a window knows, each requested if it isn't known or is too old. Identical requests at the same time are
 * shared. A price from one client doesn't hold for another, which may be of another account. For spending, `renders`
 * requests prices again by its own rule.
 */
export class Quotes {
  private readonly known = new WeakMap<QuoteClient, ClientQuotes>();
  private readonly quoted = new Emitter<QuotedPrice>();
  /** Fires for every price that the service states. */
  readonly onDidQuote = this.quoted.event;

  constructor(private readonly clock: Pick<Clock, 'now' | 'ticks'>) {}

  /** Rejects with ServiceError if there is no price, or once the signal says that the caller no longer waits. */
  async of(client: QuoteClient, modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    let quotes = this.known.get(client);
    if (!quotes) {
      quotes = new ClientQuotes(client, this.clock, (price) => this.quoted.fire(price));
      this.known.set(client, quotes);
    }
    return quotes.of(modelId, inputs, options);
  }
}

class ClientQuotes {
  private readonly memory: QuoteMemory;
  private readonly underWay = new Map<string, UnderWay>();

  constructor(
    private readonly client: QuoteClient,
    private readonly clock: Pick<Clock, 'now' | 'ticks'>,
    private readonly tell: (price: QuotedPrice) => void,
  ) {
    this.memory = new QuoteMemory(clock, minuteMs, most);
  }

  async of(modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    const { freshMs = minuteMs, signal, times } = options;
    const question = questionOf(modelId, inputs);
    const known = this.memory.recall(question, freshMs);
    if (known) return known;
    if (signal?.aborted) throw cancelled(signal);
    // A request that is repeated less often on failure is a different one.
    const id = `${times ?? ''} ${question}`;
    const joined = this.underWay.get(id);
    if (joined && !joined.request.isGivenUp && ageOf(joined.askedAt, this.clock) < freshMs)
      return joined.request.wait(signal);
    const askedAt = momentOf(this.clock);
    const request = new SharedRequest(async (until) => {
      const how = { signal: until, ...(times === undefined ? {} : { times }) };
      const remembered = { quote: await this.client.quote(modelId, inputs, how), askedAt };
      this.memory.remember(question, remembered);
      const { costCents } = remembered.quote;
      if (costCents !== undefined) this.tell({ client: this.client, modelId, inputs, costCents });
      return remembered;
    });
    return this.follow(id, { request, askedAt }, signal);
  }

  /** Others can join it until it has ended. */
  private async follow(id: string, asked: UnderWay, signal: AbortSignal | undefined): Promise<Remembered> {
    this.underWay.set(id, asked);
    const end = () => {
      if (this.underWay.get(id) === asked) this.underWay.delete(id);
    };
    void asked.request.ended.then(end);
    return asked.request.wait(signal);
  }
}

/** A price, and when it was requested. */
export interface Remembered {
  readonly quote: Quote;
  readonly askedAt: Moment;
}

/** The total length of the remembered requests, UTF-16 code units: inputs can contain entire images. */
const mostCharacters = 16 * 1024 * 1024;

/**
 * Prices of one account for a limited number of inputs, for as long as they may be shown again without a new request,
 * ms, unless a request says otherwise.
 */
export class QuoteMemory {
  private readonly remembered = new Map<string, Remembered>();
  private characters = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'ticks'>,
    private readonly forMs = 60_000,
    private readonly most = 50,
  ) {}

  recall(question: string, forMs = this.forMs): Remembered | undefined {
    const found = this.remembered.get(question);
    return found && ageOf(found.askedAt, this.clock) < forMs ? found : undefined;
  }

  remember(question: string, remembered: Remembered): void {
    this.forget(question);
    this.remembered.set(question, remembered);
    this.characters += question.length;
    for (const oldest of this.remembered.keys()) {
      if (oldest === question || !this.isOverfull) return;
      this.forget(oldest);
    }
  }

  clear(): void {
    this.remembered.clear();
    this.characters = 0;
  }

  private get isOverfull(): boolean {
    return this.remembered.size > this.most || this.characters > mostCharacters;
  }

  private forget(question: string): void {
    if (this.remembered.delete(question)) this.characters -= question.length;
  }
}

/** The same text for the same model and exactly the same inputs. */
export function questionOf(modelId: string, inputs: JsonObject): string {
  return JSON.stringify([modelId, inputs]);
}

/** A request that several callers wait for. It's canceled when the last of them has left. */
class SharedRequest<T> {
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
function cancelled({ reason }: AbortSignal): ServiceError {
  return new ServiceError('cancelled', 'Canceled', { cause: reason });
}
