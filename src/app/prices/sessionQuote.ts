import { systemClock } from '../../base/clock';
import { ServiceError } from '../../catalog/errors';
import { LiveQuote, type AskQuote, type LiveQuoteOptions } from '../../catalog/liveQuote';
import type { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';

/**
 * A live price, asked of whichever account is in use when it is due. It is never taken from the window's memory, only
 * put there: what it has shown it keeps by itself, as renewing it must ask again, and must not take the prices off the
 * buttons of another form. It asks about one thing, which each edit replaces, so it has no use for `quoteMany` either.
 */
export function sessionQuote(session: Pick<Session, 'client'>, quotes: Quotes, options?: LiveQuoteOptions): LiveQuote {
  const ask: AskQuote = async (modelId, inputs, signal) => {
    const { client } = session;
    if (!client) throw new ServiceError('noAnswer', 'No account is connected');
    return (await quotes.of(client, modelId, inputs, { signal, freshMs: 0 })).quote;
  };
  return new LiveQuote(ask, systemClock, options);
}
