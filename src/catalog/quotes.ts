import type { Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import type { CatalogClient } from './client';
import { QuoteMemory } from './quoteMemory';
import type { Quote } from './types';

type Client = Pick<CatalogClient, 'quote'>;

/** How a price is asked for. */
export interface QuoteOptions {
  /** How old it may be, ms since it was asked for; a minute where nothing else is said. */
  readonly freshMs?: number;
  readonly signal?: AbortSignal;
}

const most = 500;

/** Prices, each asked for when it is not known or not young enough. What one client said is not known of another: it may be of another account. */
export class Quotes {
  private readonly known = new WeakMap<Client, QuoteMemory>();

  constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

  /** Rejects with ServiceError when the price cannot be had. */
  async of(client: Client, modelId: string, inputs: JsonObject, { freshMs, signal }: QuoteOptions): Promise<Quote> {
    const memory = this.memoryOf(client);
    const known = memory.recall(modelId, inputs, freshMs);
    if (known) return known;
    const at = this.clock.ticks();
    const quote = await client.quote(modelId, inputs, { signal });
    memory.remember(modelId, inputs, quote, at);
    return quote;
  }

  private memoryOf(client: Client): QuoteMemory {
    let memory = this.known.get(client);
    if (!memory) {
      memory = new QuoteMemory(this.clock, undefined, most);
      this.known.set(client, memory);
    }
    return memory;
  }
}
