import { eachOf } from '../../base/eachOf';
import type { JsonObject } from '../../base/json';
import type { CatalogClient } from '../../catalog/client';
import { ServiceError, type ServiceErrorKind } from '../../catalog/errors';
import type { QuoteOptions, Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import type { Model, Quote } from '../../catalog/types';

/**
 * Whom prices and models are asked of. Both reject with ServiceError; a price also when the signal says that nobody
 * waits for it.
 */
export interface PriceList {
  model(id: string): Promise<Model>;
  quote(modelId: string, inputs: JsonObject, signal: AbortSignal): Promise<Quote>;
}

/** The prices of one connection, as the window knows them. */
export function priceListOf(
  client: Pick<CatalogClient, 'quote'>,
  session: Pick<Session, 'model'>,
  quotes: Quotes,
  options: Pick<QuoteOptions, 'times'> = {},
): PriceList {
  return {
    model: (id) => session.model(id),
    quote: async (id, inputs, signal) => (await quotes.of(client, id, inputs, { ...options, signal })).quote,
  };
}

/** How many are asked about, and what becomes of the answers. */
export interface Asking<T, A> {
  /** Requests at the same time. */
  readonly atOnce: number;
  /** Nobody waits any more: nothing else is asked or told. */
  readonly signal: AbortSignal;
  readonly ask: (subject: T, signal: AbortSignal) => Promise<A>;
  /** Called with each answer as it comes. */
  readonly answered: (subject: T, answer: A) => void;
  /** Called with each failure; true to ask about no others. */
  readonly failed: (subject: T, error: unknown) => boolean;
}

/**
 * Asks for the prices of many, in their order: the next is taken when a request is free, so `subjects` may decide then.
 * Resolves when what was begun has ended, with false when a failure ended it early. Never rejects by what is asked.
 */
export async function quoteMany<T, A>(subjects: Iterable<T>, asking: Asking<T, A>): Promise<boolean> {
  const { atOnce, signal, ask, answered, failed } = asking;
  let isOver = false;
  const askAbout = async (subject: T) => {
    const tell = await ask(subject, signal).then(
      (answer) => () => answered(subject, answer),
      (error: unknown) => () => (isOver = failed(subject, error) || isOver),
    );
    if (!signal.aborted) tell();
  };
  await eachOf(subjects, atOnce, askAbout, () => !isOver && !signal.aborted);
  return !isOver;
}

const hopeless: ReadonlySet<ServiceErrorKind> = new Set(['tooManyRequests', 'noAnswer', 'keyRefused', 'cancelled']);

/** True for what says that no other question would be answered now. */
export function isHopeless(error: unknown): boolean {
  return !(error instanceof ServiceError) || hopeless.has(error.kind);
}
