import { systemClock } from '../base/clock';
import { ServiceError } from '../catalog/errors';
import { LiveQuote, type AskQuote, type LiveQuoteOptions } from '../catalog/liveQuote';
import type { Quotes } from '../catalog/quotes';
import type { Session } from '../catalog/session';
import type { PriceOf } from './variantOffer';

/**
 * A live price from the account in use when it's due. It never reads the window's cache, only fills it: renewing must
 * send a request, without invalidating prices on another form's buttons. Each edit replaces its one request, so
 * `quoteMany` doesn't apply either.
 */
export function sessionQuote(session: Pick<Session, 'client'>, quotes: Quotes, options?: LiveQuoteOptions): LiveQuote {
  const ask: AskQuote = async (modelId, inputs, signal) => {
    const { client } = session;
    if (!client) throw notConnected();
    return (await quotes.of(client, modelId, inputs, { signal, freshMs: 0 })).quote;
  };
  return new LiveQuote(ask, systemClock, options);
}

/** The price of single inputs from the account in use; one that the window knows is used for a minute. */
export function sessionPrice(session: Pick<Session, 'client'>, quotes: Quotes): PriceOf {
  return async (modelId, inputs, signal) => {
    const { client } = session;
    if (!client) throw notConnected();
    return quotes.of(client, modelId, inputs, { signal });
  };
}

function notConnected(): ServiceError {
  return new ServiceError('noAnswer', 'Not connected to a service');
}
