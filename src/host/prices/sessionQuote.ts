import { systemClock } from '../../base/clock';
import { ServiceError } from '../../catalog/errors';
import { LiveQuote, type LiveQuoteOptions } from '../../catalog/liveQuote';
import type { Session } from '../../catalog/session';

/** A live price, asked of whichever account is in use when it is due. */
export function sessionQuote(session: Session, options?: LiveQuoteOptions): LiveQuote {
  const ask = (modelId: string, inputs: Parameters<LiveQuote['ask']>[1] & object, signal: AbortSignal) => {
    const { client } = session;
    return client
      ? client.quote(modelId, inputs, { signal })
      : Promise.reject(new ServiceError('noAnswer', 'No account is connected'));
  };
  return new LiveQuote(ask, systemClock, options);
}
