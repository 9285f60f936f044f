import { eachOf } from '../base/eachOf';
import type { JsonObject } from '../base/json';
import type { CatalogClient } from '../catalog/client';
import { ServiceError, type ServiceErrorKind } from '../catalog/errors';
import type { QuoteOptions, Quotes } from '../catalog/quotes';
import type { Session } from '../catalog/session';
import type { Model, Quote } from '../catalog/types';

/** The source of prices and models. Both reject with ServiceError; a price also when the signal is aborted. */
export interface PriceList {
  model(id: string): Promise<Model>;
  quote(modelId: string, inputs: JsonObject, signal: AbortSignal): Promise<Quote>;
}

/** The prices of one connection, cached per window. */
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

/** How prices are requested, and who gets the results. */
export interface Asking<T, A> {
  /** Concurrent requests. */
  readonly atOnce: number;
  /** When aborted, nothing more is requested or reported. */
  readonly signal: AbortSignal;
  readonly ask: (subject: T, signal: AbortSignal) => Promise<A>;
  /** Called with each result as it arrives. */
  readonly answered: (subject: T, answer: A) => void;
  /** Called with each failure; returns true to stop. */
  readonly failed: (subject: T, error: unknown) => boolean;
}

/**
 * Requests many prices in order. The next subject is taken only when a request is free, so `subjects` may decide late.
 * Resolves when all started requests have ended, with false when a failure stopped it. Never rejects because of a
 * request.
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

/** True for a failure that would affect every other request too. */
export function isHopeless(error: unknown): boolean {
  return !(error instanceof ServiceError) || hopeless.has(error.kind);
}
