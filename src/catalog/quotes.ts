import { ageOf, momentOf, type Clock, type Moment } from '../base/clock';
import { Emitter } from '../base/event';
import type { JsonObject } from '../base/json';
import type { AskOptions, CatalogClient } from './client';
import { QuoteMemory, questionOf, type Remembered } from './quoteMemory';
import { cancelled, SharedRequest } from './sharedRequest';

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
