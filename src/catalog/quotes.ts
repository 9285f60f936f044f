import { ageOf, momentOf, type Clock, type Moment } from '../base/clock';
import type { JsonObject } from '../base/json';
import type { AskOptions, CatalogClient } from './client';
import { QuoteMemory, questionOf, type Remembered } from './quoteMemory';
import { cancelled, SharedRequest } from './sharedRequest';

type QuoteClient = Pick<CatalogClient, 'quote'>;

/** How a price is asked for: `times` and `signal` as with `CatalogClient.quote`. */
export interface QuoteOptions extends Pick<AskOptions, 'times' | 'signal'> {
  /** How old it may be, ms since it was asked for; a minute where nothing else is said, 0 to ask in any case. */
  readonly freshMs?: number;
}

interface UnderWay {
  readonly request: SharedRequest<Remembered>;
  readonly askedAt: Moment;
}

const most = 500;
const minuteMs = 60_000;

/**
 * The prices a window knows, each asked for when it is not known or not young enough; who asks the same at the same
 * time shares one request. What one client said is not known of another: it may be of another account. What is spent at
 * a price is none of its business: `renders` asks again by a rule of its own.
 */
export class Quotes {
  private readonly known = new WeakMap<QuoteClient, ClientQuotes>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'ticks'>) {}

  /** Rejects with ServiceError when the price cannot be had, or once the signal says that nobody waits for it here. */
  async of(client: QuoteClient, modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    let quotes = this.known.get(client);
    if (!quotes) {
      quotes = new ClientQuotes(client, this.clock);
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
  ) {
    this.memory = new QuoteMemory(clock, minuteMs, most);
  }

  async of(modelId: string, inputs: JsonObject, options: QuoteOptions): Promise<Remembered> {
    const { freshMs = minuteMs, signal, times } = options;
    const question = questionOf(modelId, inputs);
    const known = this.memory.recall(question, freshMs);
    if (known) return known;
    if (signal?.aborted) throw cancelled(signal);
    // One that is repeated less often on failure is another request.
    const id = `${times ?? ''} ${question}`;
    const joined = this.underWay.get(id);
    if (joined && !joined.request.isGivenUp && ageOf(joined.askedAt, this.clock) < freshMs)
      return joined.request.wait(signal);
    const askedAt = momentOf(this.clock);
    const request = new SharedRequest(async (until) => {
      const how = { signal: until, ...(times === undefined ? {} : { times }) };
      const remembered = { quote: await this.client.quote(modelId, inputs, how), askedAt };
      this.memory.remember(question, remembered);
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
